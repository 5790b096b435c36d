/**
 * How commands fail: with an exit code, and a line for each reason on standard error, or with `--json` one object on standard output.
 */
import { type Code, codes } from "../../error-codes.ts";
import { RefusedError } from "./client.ts";

export const exitCodes = { done: 0, failed: 1, usage: 2, stale: 3, nothingToDo: 4, warnings: 5 } as const;

/** The meanings of exit codes, for the help and for docs/operation.md. */
export const exitMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done; of doctor and check: no warning and no failure",
  failed: "refused or failed; of doctor: something does not work; of compare: something differs; of check: an error",
  usage: "written wrongly",
  stale: "what it was for has changed meanwhile, or is in conflict with changes by others: look again",
  nothingToDo: "nothing to do",
  warnings: "of doctor and check: warnings alone",
};

/** The codes of refusals that occur because somebody else made a change in the meantime. */
const staleCodes: ReadonlySet<string> = new Set<Code>(["STALE_SERIAL", "STALE_CHANGE_SET", "CHANGE_CONFLICT"]);

/** Prints why a command failed and ends the process; with `json`, a refusal is printed as the service sent it. */
export function fail(error: unknown, json = false): never {
  if (json) console.log(JSON.stringify(bodyOf(error)));
  else printFailure(error);
  const isStale = error instanceof RefusedError && staleCodes.has(error.body.error);
  process.exit(isStale ? exitCodes.stale : exitCodes.failed);
}

/** Prints why a command failed, on standard error. */
export function printFailure(error: unknown): void {
  for (const line of [...messageOf(error).split("\n"), ...adviceOn(error)]) console.error(`zonesmith: ${line}`);
}

/** Makes a command fail after its work when its output cannot be written, as to a full disk. A closed pipe, as of `head`, is no failure. */
export function failWithoutOutput(): void {
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") lost ??= error;
  });
  process.on("exit", (code) => {
    if (!lost || code !== exitCodes.done) return;
    console.error(`zonesmith: The output could not be written: ${lost.message}.`);
    process.exitCode = exitCodes.failed;
  });
}

/** Ends a command that is written wrongly. Without `json` the reason is printed already. */
export function failUsage(message: string, json: boolean): never {
  if (json) console.log(JSON.stringify({ status: "error", error: "USAGE", message }));
  process.exit(exitCodes.usage);
}

/** Whether an error is the refusal of a zone that does not exist. */
export const isMissingZone = (error: unknown): boolean =>
  error instanceof RefusedError && error.body.error === "NOT_FOUND" && /(^|\.)zone$/.test(error.body.field ?? "");

const adviceOn = (error: unknown) =>
  isMissingZone(error) ? ["If it was deleted: zonesmith deleted lists it, and zonesmith restore brings it back."] : [];

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The body of a refusal; for any other error one with its code, or with FAILED. */
function bodyOf(error: unknown): object {
  if (error instanceof RefusedError) return error.body;
  const { code } = error as { code?: unknown };
  const message = messageOf(error);
  return typeof code === "string" && Object.hasOwn(codes, code)
    ? { code: codes[code as Code].status, status: "error", error: code, message }
    : { status: "error", error: "FAILED", message };
}
