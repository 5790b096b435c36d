import { recordType } from "../dns/rdata/record-type-registry.ts";
import { Refusal } from "../errors.ts";
import { type Order, type Page, type PageRequest, pagesOf } from "../lists/pagination.ts";
import type { Relation } from "../lists/relation.ts";
import { mayWrite, seesZone } from "../session/authorization.ts";
import { parseField } from "../session/parse-field.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { Reference, type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Domain, noSuchZone, readZone } from "./domain.ts";
import { readOwner, ZoneRecord } from "./record.ts";
import { RrsetNote } from "./rrset-note.ts";

const n = table(RrsetNote, "n");
const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const columns = n.columns("owner", "type", "text", "actor", "updatedAt");
const ownColumns = columns.and(n.columns("domainId"));
const noteNames = n.names("domainId", "owner", "type", "text", "actor", "updatedAt");

export type NoteRow = RowOf<typeof columns>;

export const maxNoteLength = 1000;

/** A note to write; owner and type in any spelling. An empty text removes the note. */
interface NoteFields {
  readonly owner: string;
  readonly type: string;
  readonly text: string;
}

interface WrittenNote {
  readonly note: NoteRow | null;
  readonly isAboutRrset: boolean;
}

/** Writes or removes the note of an RRset, which need not exist. */
export async function setNote(session: Session, zone: string, fields: NoteFields): Promise<WrittenNote> {
  mayWrite(session.actor);
  const name = readZone(zone);
  const rrset = {
    owner: readOwner(fields.owner, name),
    type: parseField("type", () => recordType(fields.type).mnemonic),
  };
  const text = readText(fields.text);
  return transaction(session, async (inner) => {
    const domainId = await seenDomain(inner, name);
    const note = text === "" ? await remove(inner, domainId, rrset) : await write(inner, domainId, { ...rrset, text });
    return { note, isAboutRrset: await hasRrset(inner, domainId, rrset) };
  });
}

type Rrset = Pick<NoteRow, "owner" | "type">;

/** The id of a domain, locked against deletion until the transaction ends. */
async function seenDomain(session: Session, zone: string): Promise<number> {
  const query = sql<{ id: number }>`
    select ${d.id} from ${d} where ${d.zone} = ${zone} and ${seesZone(session.actor, d.userId, d.zone)} for key share`;
  const [row] = await query.run(session);
  if (!row) throw noSuchZone(zone);
  return row.id;
}

async function write(session: Session, domainId: number, { owner, type, text }: Rrset & { text: string }) {
  const query = sql<NoteRow>`
    insert into ${n} (${noteNames}) values (${domainId}, ${owner}, ${type}, ${text}, ${session.actor.name}, ${session.now()})
    on conflict (${n.names("domainId", "owner", "type")}) do update
    set (${n.names("text", "actor", "updatedAt")}) = (${text}, ${session.actor.name}, ${session.now()}::timestamptz)
    returning ${columns}`;
  return (await query.run(session))[0] as NoteRow;
}

async function remove(session: Session, domainId: number, { owner, type }: Rrset): Promise<null> {
  await sql`delete from ${n} where ${n.domainId} = ${domainId} and ${n.owner} = ${owner} and ${n.type} = ${type}`.run(
    session,
  );
  return null;
}

async function hasRrset(session: Session, domainId: number, { owner, type }: Rrset): Promise<boolean> {
  const query = sql<{ has: boolean }>`
    select exists (
      select from ${r} where ${r.domainId} = ${domainId} and ${r.owner} = ${owner} and ${r.type} = ${type}
    ) as has`;
  return (await query.run(session))[0]?.has === true;
}

/** Returns the text of a note without surrounding whitespace; throws INVALID_VALUE for control characters other than line ends. */
function readText(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").trim();
  if (lines.length > maxNoteLength) throw refused(`write at most ${maxNoteLength} characters`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
  if (/[\x00-\x09\x0b-\x1f\x7f]/.test(lines)) throw refused("write it without control characters, except line ends");
  return lines;
}

const refused = (advice: string) => new Refusal("INVALID_VALUE", `text: ${advice}.`, { field: "text" });

const apexFirst = new Reference<string>(`case when ${n.owner} = '@' then '' else ${n.owner} end`);

const byRrset: Order<NoteRow> = {
  name: "note.RRSET",
  columns: [apexFirst, n.type],
  kinds: ["string", "string"],
  descending: false,
  key: ({ owner, type }) => [owner === "@" ? "" : owner, type],
};

export const notes = {
  columns: ownColumns,
  from: sql`${n} join ${d} on ${d.id} = ${n.domainId}`,
  sees: (actor) => seesZone(actor, d.userId, d.zone),
  orders: { RRSET: byRrset },
  selectors: {},
  own: { columns: ownColumns, from: n },
} as const satisfies Relation<NoteRow>;

export function notesOfDomains(
  session: Session,
  domainIds: readonly number[],
  request: PageRequest,
): Promise<Page<NoteRow>[]> {
  const list = { ...notes, conditions: [notes.sees(session.actor)], order: byRrset };
  return pagesOf(session, list, n.domainId, domainIds, request);
}

export async function notesOfRecords(session: Session, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const query = sql<{ id: number; text: string }>`
    select ${r.id}, ${n.text} from ${r} join ${d} on ${d.id} = ${r.domainId}
    join ${n} on ${n.domainId} = ${r.domainId} and ${n.owner} = ${r.owner} and ${n.type} = ${r.type}
    where ${r.id} = any(${ids}) and ${seesZone(session.actor, d.userId, d.zone)}`;
  return new Map((await query.run(session)).map(({ id, text }) => [id, text]));
}
