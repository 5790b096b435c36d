/** Refusals: the exception with an error code (error-codes.ts), and the conversion of all other errors. The fronts only render refusals. */
import { randomUUID } from "node:crypto";
import { databaseFailureOf } from "./database/sqlstate.ts";
import { type Code, codes } from "./error-codes.ts";

/**
 * One reason of a refusal: its code, its field or its line of the master file (from 1), and a sentence that says what to write instead. A
 * sentence about a field begins with the field's name. `part` is the field of the record data that it is about, such as `preference`. A reason
 * about the zone has the owner, the type if it is about one RRset, and the edits that take part, such as `add.3`.
 */
export interface Reason {
  readonly code: Code;
  readonly field?: string | undefined;
  readonly part?: string | undefined;
  readonly line?: number | undefined;
  readonly owner?: string | undefined;
  readonly type?: string | undefined;
  readonly edits?: readonly string[] | undefined;
  readonly message: string;
}

interface About {
  readonly field?: string;
  readonly part?: string | undefined;
  readonly details?: Record<string, unknown>;
}

/** A request that was understood and refused. It has at least one reason; the first reason gives the code, the status and the field. */
export class Refusal extends Error {
  readonly code: Code;
  readonly field: string | undefined;
  readonly reasons: readonly Reason[];
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: Code, message: string, about: About = {}) {
    super(message);
    this.code = code;
    this.field = about.field;
    this.details = about.details;
    this.reasons = [{ code, message, field: about.field, ...(about.part !== undefined && { part: about.part }) }];
  }

  /** A refusal for one or more reasons; its message joins the sentences of the first five. */
  static of(reasons: readonly Reason[], details?: Readonly<Record<string, unknown>>): Refusal {
    const { code, field } = reasons[0] as Reason;
    const sentences = reasons.slice(0, 5).map((reason) => reason.message);
    if (reasons.length > sentences.length) sentences.push(`And ${reasons.length - sentences.length} more.`);
    return Object.assign(new Refusal(code, sentences.join(" ")), { field, reasons, details });
  }

  /** The refusal with the field names of a front, also at the beginning of sentences. */
  withFieldNames(nameOf: (field: string) => string): Refusal {
    const reasons = this.reasons.map((reason) => {
      if (reason.field === undefined) return reason;
      const field = nameOf(reason.field);
      const beginsWithField = /^[\w.]*\w/.exec(reason.message)?.[0] === reason.field;
      return beginsWithField
        ? { ...reason, field, message: field + reason.message.slice(reason.field.length) }
        : { ...reason, field };
    });
    return Refusal.of(reasons, this.details);
  }

  get retryAfter(): number | undefined {
    return this.details?.retryAfter as number | undefined;
  }

  /** The HTTP status of the first reason. */
  get status(): number {
    return codes[this.code].status;
  }
}

type Thing =
  | ("user" | "domain" | "deleted domain" | "record" | "change" | "change set" | "staged zone" | "key" | "TSIG key")
  | ("secondary" | "template" | "audit entry" | "webhook" | "delivery");

/** The lists whose names are not the plural in -s. */
const lists: { readonly [Name in Thing]?: string } = {
  "staged zone": "zones of the change set",
  secondary: "secondaries",
  "audit entry": "audit entries",
  delivery: "deliveries of the webhook",
};

/** The refusal of something that does not exist or that the session does not see. */
export function noSuch(thing: Thing, which: number | string | undefined, field = "id"): Refusal {
  const list = lists[thing] ?? `${thing}s`;
  return new Refusal("NOT_FOUND", `There is no ${thing} ${which}; look it up in the list of ${list}.`, { field });
}

interface ErrorLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Returns a log of errors: a database failure, which every request then has, is one line; others have a stack. */
export function errorLogger(log: ErrorLog, what: string): (error: unknown, id: string) => void {
  return (error, id) => {
    const failure = databaseFailureOf(error);
    if (failure) log.warn({ id, reason: failure.reason, problem: (error as Error).message }, what);
    else log.error({ err: error, id }, what);
  };
}

/**
 * The refusal to show for any error. A Refusal is returned unchanged. Any other error is logged with an id, and the client sees only the
 * id: with UNAVAILABLE and the reason for a database failure (database/sqlstate.ts), with INTERNAL_ERROR otherwise.
 */
export function refusalOf(error: unknown, logError: (error: unknown, id: string) => void): Refusal {
  if (error instanceof Refusal) return error;
  const id = randomUUID();
  logError(error, id);
  const failure = databaseFailureOf(error);
  const details = { errorId: id };
  if (!failure)
    return new Refusal("INTERNAL_ERROR", `Internal error; see the service log for error ${id}.`, { details });
  const { reason, retryAfter } = failure;
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return new Refusal("UNAVAILABLE", `${sentence}; try again in ${retryAfter} s (error ${id}).`, {
    details: { ...details, retryAfter },
  });
}

/** Runs a function; adds the reasons of its refusal to `reasons`, and then returns undefined. */
export function collectReasons<Result>(reasons: Reason[], run: () => Result): Result | undefined {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    reasons.push(...error.reasons);
    return undefined;
  }
}

/** Runs an operation and returns its result; after a refusal, what `otherwise` returns or throws. */
export async function onRefusal<Result, Other = never>(
  run: () => Promise<Result>,
  otherwise: (refusal: Refusal) => Other,
): Promise<Result | Awaited<Other>> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return await otherwise(error);
  }
}
