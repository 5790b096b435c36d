/**
 * Runs operations and stores their entries in the audit. The transaction of a write also stores its entry (session/transaction.ts), and the
 * statement that stores a change of a zone also stores the entry of that change. So everything that is committed is in the audit, and
 * mutations need no code for it. The entry of a refusal has the code and the field of the refusal, but none of the values that were sent.
 */
import { parseZoneName } from "../dns/name.ts";
import type { Refusal } from "../errors.ts";
import type { AuditNote } from "../session/audit-note.ts";
import type { Operation, Session } from "../session/session.ts";
import { whenCommitted } from "../session/transaction.ts";
import { idRemainders, idStep } from "../sql/typed-ids.ts";
import { askingOf, storeEntries } from "./store-entries.ts";

/** What an operation is about, read from its input. */
interface About {
  readonly zone: string | null;
  readonly subjectId: number | null;
  readonly userId: number | null;
}

/** Runs an operation under this name, with a session that audits it. `refusalOf` returns undefined for errors that are not audited. */
export async function audited<Result>(
  session: Session,
  {
    name,
    input,
    refusalOf,
  }: { name: string; input: unknown; refusalOf: (error: unknown) => Pick<Refusal, "code" | "field"> | undefined },
  run: (inner: Session) => Promise<Result>,
): Promise<Result> {
  const inner: Session = { ...session, operation: operationOf(name, input) };
  try {
    return await run(inner);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal && !isDryRun(input)) {
      const { code, field = null } = refusal;
      session.refusals?.add({ ...entryOf(inner, aboutOf(name, input)), code, field });
    }
    throw error;
  }
}

/** Whether an input asks for a dry run. A dry run writes nothing, so the audit has neither its success nor its refusal. */
export const isDryRun = (input: unknown): boolean => fieldsOf(input).dryRun === true;

/**
 * The operation of this name for work of the service itself that changes zones. The audit has an entry with this name for each change, and
 * none for the operation.
 */
export const namedOperation = (name: string): Operation => ({ name, noteIn: async () => {} });

/** Stores the entry of something that the service itself has done, in the transaction of the session. */
export async function noteDone(inner: Session, name: string, subjectId: number): Promise<void> {
  const session = { ...inner, operation: namedOperation(name) };
  await storeEntries(inner, [entryOf(session, { zone: null, subjectId, userId: null })]);
}

/**
 * Makes an operation that stores its audit entry only once: in its first committed transaction that stores anything besides changes of
 * zones (these have entries of their own).
 */
function operationOf(name: string, input: unknown): Operation {
  let isNoted = false;
  const noteIn = async (inner: Session, result: unknown) => {
    if (isNoted) return;
    const about = aboutOf(name, input);
    const of = { ...about, ...(about.subjectId === null && { subjectId: idIn(result) }) };
    if (inner.storedChanges?.count && (of.subjectId === null || isOfZone(of.subjectId))) return;
    await storeEntries(inner, [entryOf(inner, { ...of, userId: of.userId ?? userIn(result) })]);
    whenCommitted(inner, () => {
      isNoted = true;
    });
  };
  return { name, noteIn };
}

function entryOf(session: Session, about: About): AuditNote {
  const subject = about.subjectId;
  const userId = subject !== null && typeOf(subject) === idRemainders.User ? subject : about.userId;
  const outcome = { code: null, field: null, count: 1 };
  return { ...askingOf(session), at: session.now(), source: session.source, ...about, userId, ...outcome };
}

const typeOf = (id: number) => id % idStep;

/**
 * Whether the id is that of a zone, a record or a change. Operations on these need no entry of their own, since the change of the zone has
 * one.
 */
const isOfZone = (id: number) =>
  [idRemainders.Domain, idRemainders.Record, idRemainders.Change].some((remainder) => typeOf(id) === remainder);

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** The input fields that hold the id of the object that an operation changes. */
const subjects = ["recordId", "changeId", "changeSetId", "webhookId", "apiKeyId", "tsigKeyId"];

/** The operations that create their object, so that its id is in the result. */
const makes = /^(create|applyTemplate$|revertChanges$)/;

/** The name of the input field that holds the id of the object that an operation changes, such as recordId; undefined without one. */
export const subjectField = (name: string, input: unknown): string | undefined =>
  makes.test(name) ? undefined : subjects.find((field) => field in fieldsOf(input));

/** What an input names: a zone, an object by its id, a user. */
function aboutOf(name: string, input: unknown): About {
  const fields = fieldsOf(input);
  const by = fieldsOf(fields.by);
  const subject = subjectField(name, input);
  return {
    zone: zoneOf(fields.zone ?? by.zone),
    subjectId: idOf(by.id ?? (subject && fields[subject])),
    userId: idOf(fields.userId),
  };
}

/** Returns the canonical name of a zone; null when the value is not a name. */
function zoneOf(value: unknown): string | null {
  try {
    return typeof value === "string" ? parseZoneName(value) : null;
  } catch {
    return null;
  }
}

const idOf = (value: unknown) => (/^[1-9]\d{0,15}$/.test(String(value)) ? Number(value) : null);

/** Returns the id of a result, or of its first field that has an id; null without one. */
function idIn(result: unknown): number | null {
  const own = idOf(fieldsOf(result).id);
  if (own !== null) return own;
  const ids = Object.values(fieldsOf(result)).map((part) => idOf(fieldsOf(part).id));
  return ids.find((id) => id !== null) ?? null;
}

const userIn = (result: unknown) => idOf(fieldsOf(result).userId);
