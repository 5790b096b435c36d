/**
 * Operations with their entries in the audit. What writes in a transaction has its entry in that (sql/transaction.ts), and a change of a
 * zone in the statement that stores it; so whatever is committed is in the audit, and a mutation need not know of it. What is refused is
 * noted by its code and its field, and never by what was sent.
 */
import { parseZoneName } from "../dns/name.ts";
import type { Refusal } from "../errors.ts";
import type { AuditNote } from "../session/audit-note.ts";
import type { Operation, Session } from "../session/session.ts";
import { whenCommitted } from "../session/transaction.ts";
import { idRemainders, idStep } from "../sql/typed-ids.ts";
import { askingOf, storeEntries } from "./store-entries.ts";

/** What an operation is about, as its input says. */
interface About {
  readonly zone: string | null;
  readonly subjectId: number | null;
  readonly userId: number | null;
}

/**
 * Runs an operation whose entries have its name. `refusalOf` returns undefined for an error that does not belong in the audit. The
 * operation is audited by the session that it is given.
 */
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

/** Whether an input asks for a dry run, which is no write: nothing of it is for the audit, though it is refused. */
export const isDryRun = (input: unknown): boolean => fieldsOf(input).dryRun === true;

/** An operation of the service itself that changes zones: their changes are noted by its name, and nothing besides. */
export const namedOperation = (name: string): Operation => ({ name, noteIn: async () => {} });

/** Notes what the service itself has done, in the transaction of a session. */
export async function noteDone(inner: Session, name: string, subjectId: number): Promise<void> {
  const session = { ...inner, operation: namedOperation(name) };
  await storeEntries(inner, [entryOf(session, { zone: null, subjectId, userId: null })]);
}

/** An operation with its entry in the first of its transactions that is committed and stores more than changes of zones. */
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

/** Whether an id is that of a zone, a record or a change, which the change of the zone says already. */
const isOfZone = (id: number) =>
  [idRemainders.Domain, idRemainders.Record, idRemainders.Change].some((remainder) => typeOf(id) === remainder);

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** The fields of inputs that hold the id of what an operation changes. */
const subjects = ["recordId", "changeId", "changeSetId", "webhookId", "apiKeyId", "tsigKeyId"];

/** The operations that make something, and are about that. */
const makes = /^(create|applyTemplate$|revertChanges$)/;

/** The field of an input that holds the id of what an operation changes, such as recordId; undefined where there is none. */
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

/** The canonical name of a zone; null for what is not a name. */
function zoneOf(value: unknown): string | null {
  try {
    return typeof value === "string" ? parseZoneName(value) : null;
  } catch {
    return null;
  }
}

const idOf = (value: unknown) => (/^[1-9]\d{0,15}$/.test(String(value)) ? Number(value) : null);

/** The id of a result, or of the first part of it that has one. */
function idIn(result: unknown): number | null {
  const own = idOf(fieldsOf(result).id);
  if (own !== null) return own;
  const ids = Object.values(fieldsOf(result)).map((part) => idOf(fieldsOf(part).id));
  return ids.find((id) => id !== null) ?? null;
}

const userIn = (result: unknown) => idOf(fieldsOf(result).userId);
