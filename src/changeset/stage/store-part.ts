/** Stores the parts of zones in a locked change set. */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import { ChangeSetEdit, ChangeSetZone, maxEdits } from "../change-set.ts";
import { type StagedEdit, stagedEdits } from "../contents.ts";
import { StagedOp } from "../states.ts";
import { type NewEdits, setsTtl, settleTtls } from "./settle-ttls.ts";
import type { ReadEdit, StagedPart } from "./zone-part.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");

/**
 * Stores a part. It replaces the staged part of its zone, or with `append` is added to it. Returns the ordinal of its first new edit, for
 * `settleTtls`.
 */
export async function storePart(session: Session, setId: number, part: StagedPart): Promise<NewEdits> {
  const { zone, action, domainId, userId = null } = part;
  const earlier = part.append ? (await stagedEdits(session, setId, zone)).map(asRead) : [];
  const edits = joined(earlier, part.edits);
  refuseTwoTtls(edits);
  const names = ["domainId", "action", "userId", "undoes", "returnsTo"] as const;
  const excluded = sql.join(names.map((name) => sql`excluded.${z.names(name)}`));
  // Appended edits keep the template of the zone.
  const template = part.append ? z.template : sql`excluded.${z.names("template")}`;
  await sql`
    insert into ${z} (${z.names("changeSetId", "zone", ...names, "template")})
    values (${setId}, ${zone}, ${domainId}, ${action}, ${userId}, ${part.undoes ?? null}, ${part.returnsTo ?? null},
      ${part.template ? JSON.stringify(part.template) : null}::jsonb)
    on conflict (${z.names("changeSetId", "zone")}) do update set (${z.names(...names, "template")}) = (${excluded}, ${template})`.run(
    session,
  );
  await sql`delete from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${zone}`.run(session);
  await insertPlaced(
    session,
    setId,
    edits.map((edit, at) => ({ ...edit, zone, ordinal: at + 1 })),
  );
  return { zone, from: edits.length - part.edits.length + 1, setsTtl: part.edits.some(setsTtl) };
}

/** Returns a text that says what a set has staged for a zone; undefined when it has nothing. */
export async function stagedFor(session: Session, setId: number, zone: string): Promise<string | undefined> {
  const query = sql<{ action: ChangeKind; edits: number }>`
    select ${z.columns("action")}, (select count(*) from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${zone}) as edits
    from ${z} where ${z.changeSetId} = ${setId} and ${z.zone} = ${zone}`;
  const [staged] = await query.run(session);
  if (!staged) return undefined;
  const { action, edits } = staged;
  if (action !== ChangeKind.EDIT) return wholeParts[action];
  if (edits === 0) return undefined;
  return edits === 1 ? "an edit" : `${edits} edits`;
}

const wholeParts = {
  [ChangeKind.CREATE]: "its creation",
  [ChangeKind.DELETE]: "its deletion",
  [ChangeKind.RESTORE]: "its restoration",
};

export function asRead({ op, recordId, baseChangeId, owner, type, ttl, rdata, wire, digest }: StagedEdit): ReadEdit {
  return { op, recordId, baseChangeId, record: { owner, type, ttl: ttl ?? undefined, rdata, wire, digest } };
}

export async function dropPart(session: Session, setId: number, zone: string): Promise<boolean> {
  await sql`delete from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${zone}`.run(session);
  const gone = sql`delete from ${z} where ${z.changeSetId} = ${setId} and ${z.zone} = ${zone} returning ${z.zone}`;
  return (await gone.run(session)).length > 0;
}

/** Joins two lists of edits. A later edit replaces an earlier edit of the same record, or an equal addition. */
function joined(earlier: readonly ReadEdit[], later: readonly ReadEdit[]): readonly ReadEdit[] {
  const keys = new Set(later.map(keyOf));
  return [...earlier.filter((edit) => !keys.has(keyOf(edit))), ...later];
}

const keyOf = ({ op, recordId, record: { owner, type, digest } }: ReadEdit) =>
  op === StagedOp.ADD ? `${owner} ${type} ${digest}` : String(recordId);

/** Throws RECORD_CONFLICT when edits give one RRset two TTLs (RFC 2181 §5.2). */
function refuseTwoTtls(edits: readonly ReadEdit[]): void {
  const ttls = new Map<string, number>();
  for (const { op, record } of edits) {
    const { owner, type, ttl } = record;
    if (op === StagedOp.REMOVE || ttl === undefined) continue;
    const earlier = ttls.get(`${owner} ${type}`);
    if (earlier !== undefined && earlier !== ttl) {
      const message = `The set gives ${owner} ${type} two TTLs, ${earlier} and ${ttl}; write the same for all (RFC 2181 §5.2).`;
      throw new Refusal("RECORD_CONFLICT", message);
    }
    ttls.set(`${owner} ${type}`, ttl);
  }
}

const editsPerStatement = 5000;

interface PlacedEdit extends ReadEdit {
  readonly zone: string;
  readonly ordinal: number;
}

async function insertPlaced(session: Session, setId: number, edits: readonly PlacedEdit[]): Promise<void> {
  for (let at = 0; at < edits.length; at += editsPerStatement) {
    const rows = edits.slice(at, at + editsPerStatement).map(({ record, ...edit }) => {
      const { owner, type, ttl, rdata, wire, digest } = record;
      return { ...edit, owner, type, ttl: ttl ?? null, rdata, wire: Buffer.from(wire).toString("hex"), digest };
    });
    const names = ["op", "recordId", "baseChangeId", "owner", "type", "ttl", "rdata", "wire", "digest"] as const;
    await sql`
      insert into ${e} (${e.names("changeSetId", "zone", "ordinal", ...names)})
      select ${setId}::bigint, zone, ordinal, op, "recordId", "baseChangeId", owner, type, ttl, rdata,
        decode(wire, 'hex'), decode(digest, 'hex')
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as (zone text, ordinal int, op text, "recordId" bigint, "baseChangeId" bigint, owner text, type text, ttl int,
          rdata text, wire text, digest text)`.run(session);
  }
}

/** Collects the parts of many zones for a new set, and stores them 5,000 edits at a time. */
export class ManyParts {
  readonly #session: Session;
  readonly #setId: number;
  readonly #counts = new Map<string, number>();
  #zones: Omit<StagedPart, "edits">[] = [];
  #edits: PlacedEdit[] = [];
  #editCount = 0;
  /** The zones with additions that have a TTL of their own. */
  readonly #setTtl = new Set<string>();

  constructor(session: Session, setId: number) {
    this.#session = session;
    this.#setId = setId;
  }

  get zoneCount(): number {
    return this.#counts.size;
  }

  get editCount(): number {
    return this.#editCount;
  }

  /** Adds edits after the edits that the zone already has. Throws TOO_LARGE above `maxEdits`. */
  async add({ edits, ...zone }: StagedPart): Promise<void> {
    const count = this.#counts.get(zone.zone);
    if (count === undefined) this.#zones.push(zone);
    for (const [at, edit] of edits.entries())
      this.#edits.push({ ...edit, zone: zone.zone, ordinal: (count ?? 0) + at + 1 });
    if (edits.some(setsTtl)) this.#setTtl.add(zone.zone);
    this.#counts.set(zone.zone, (count ?? 0) + edits.length);
    this.#editCount += edits.length;
    if (this.#editCount > maxEdits)
      throw new Refusal("TOO_LARGE", `The set would have more than ${maxEdits} edits; select fewer records.`);
    if (this.#edits.length + this.#zones.length >= editsPerStatement) await this.flush();
  }

  /** Stores what is left. */
  async end(): Promise<void> {
    await this.flush();
    await settleTtls(
      this.#session,
      this.#setId,
      [...this.#setTtl].map((zone) => ({ zone, from: 1, setsTtl: true })),
    );
  }

  async flush(): Promise<void> {
    const [zones, edits] = [this.#zones, this.#edits];
    this.#zones = [];
    this.#edits = [];
    if (zones.length > 0)
      await sql`
        insert into ${z} (${z.names("changeSetId", "zone", "domainId", "action", "userId", "undoes", "returnsTo", "template")})
        select ${this.#setId}::bigint, zone, "domainId", action, "userId", undoes, "returnsTo", template
        from json_to_recordset(${JSON.stringify(zones)}::json)
          as (zone text, "domainId" bigint, action text, "userId" bigint, undoes bigint, "returnsTo" bigint, template jsonb)`.run(
        this.#session,
      );
    await insertPlaced(this.#session, this.#setId, edits);
  }
}
