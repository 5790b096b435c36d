/**
 * How a command ends that was refused or failed (exit code 1) or was written wrongly (2): one line for each reason on standard error,
 * or with `--json` one object on standard output.
 */
import { type Code, codes } from "../error-codes.ts";
import { RefusedError } from "./client.ts";

/** Prints why a command failed and ends the process; with `json`, a refusal is printed as the service sent it. */
export function fail(error: unknown, json = false): never {
  if (json) console.log(JSON.stringify(bodyOf(error)));
  else for (const line of messageOf(error).split("\n")) console.error(`zonesmith: ${line}`);
  process.exit(1);
}

/** Ends a command that was written wrongly, for this reason, which is printed already unless `json` is set. */
export function failUsage(message: string, json: boolean): never {
  if (json) console.log(JSON.stringify({ status: "error", error: "USAGE", message }));
  process.exit(2);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The body of an error: that of a refusal, or one with the error FAILED where no request was refused. */
function bodyOf(error: unknown): object {
  if (error instanceof RefusedError) return error.body;
  const { code } = error as { code?: unknown };
  const message = messageOf(error);
  return typeof code === "string" && Object.hasOwn(codes, code)
    ? { code: codes[code as Code].status, status: "error", error: code, message }
    : { status: "error", error: "FAILED", message };
}
