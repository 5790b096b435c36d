/**
 * How a command ends that was refused or failed: one line for each reason on standard error, exit code 1.
 */
import { RefusedError } from "./client.ts";

/** Prints why a command failed and ends the process; with `json`, a refusal is printed as the service sent it. */
export function fail(error: unknown, json = false): never {
  if (json && error instanceof RefusedError) console.log(JSON.stringify(error.body));
  else {
    const lines =
      error instanceof RefusedError
        ? error.message.split("\n")
        : [error instanceof Error ? error.message : String(error)];
    for (const line of lines) console.error(`zonesmith: ${line}`);
  }
  process.exit(1);
}
