/** The log for a person at a terminal: one line for each event, by pino-pretty. */
import pretty from "pino-pretty";

type Line = Readonly<Record<string, unknown>>;

/** Fields that pino and pino-pretty show themselves, or that say nothing to a person. */
const unshown = new Set(["level", "time", "pid", "hostname", "msg", "requestId", "completed"]);

/** The stream of the log; a line is on the terminal when its write returns. */
export function readableLog(): NodeJS.WritableStream & { write(line: string): void } {
  return pretty({
    colorize: true,
    translateTime: "SYS:HH:MM:ss",
    ignore: "pid,hostname",
    hideObject: true,
    messageFormat: (line) => textOf(line),
    sync: true,
  });
}

/** A request with method, path, operation and status first; any other line as message and fields. */
export function textOf(line: Line): string {
  if (line.msg !== "request") return [line.msg, ...fieldsOf(line, unshown)].join("  ");
  const { method, path, operation, status, refusals, ms, actor } = line;
  const reason = Array.isArray(refusals) ? refusals.join(" ") : undefined;
  return [`${method} ${path}`, operation, status, reason, `${ms} ms`, actor]
    .filter((part) => part !== undefined)
    .join("  ");
}

function fieldsOf(line: Line, without: ReadonlySet<string>): string[] {
  return Object.entries(line)
    .filter(([name]) => !without.has(name))
    .map(([name, value]) => (name === "err" ? stackOf(value) : `${name}=${wordOf(value)}`));
}

const wordOf = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));

function stackOf(error: unknown): string {
  const { stack, message } = (error ?? {}) as { stack?: string; message?: string };
  return `\n    ${(stack ?? message ?? wordOf(error)).replaceAll("\n", "\n    ")}`;
}
