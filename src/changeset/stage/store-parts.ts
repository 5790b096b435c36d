/** Stores the parts of zones in a locked change set. */
import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import { ChangeSetEdit, ChangeSetZone, editContent, maxEdits, partColumns } from "../change-set.ts";
import { StagedOp } from "../states.ts";
import type { ReadEdit, StagedPart } from "./read-part.ts";
import { type NewEdits, setsTtl, settleTtls } from "./settle-ttls.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");

/** A text for each of these zones that says what a set has staged for it; none for a zone without edits. */
export async function stagedBefore(
  session: Session,
  setId: number,
  zones: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const query = sql<Pick<ChangeSetZone, "zone" | "action"> & { edits: number }>`
    select ${z.columns("zone", "action")}, (
      select count(*) from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${z.zone}
    ) as edits
    from ${z} where ${z.changeSetId} = ${setId} and ${z.zone} = any(${zones}::text[])`;
  return new Map((await query.run(session)).map((row) => [row.zone, whatIsStaged(row)]));
}

function whatIsStaged({ action, edits }: { readonly action: ChangeKind; readonly edits: number }): string | undefined {
  if (action !== ChangeKind.EDIT) return wholeParts[action];
  if (edits === 0) return undefined;
  return edits === 1 ? "an edit" : `${edits} edits`;
}

const wholeParts = {
  [ChangeKind.CREATE]: "its creation",
  [ChangeKind.DELETE]: "its deletion",
  [ChangeKind.RESTORE]: "its restoration",
};

/** Takes zones out of a set; returns the names of those that were in it. */
export async function dropParts(session: Session, setId: number, zones: readonly string[]): Promise<string[]> {
  await sql`delete from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = any(${zones}::text[])`.run(session);
  const query = sql<{ zone: string }>`
    delete from ${z} where ${z.changeSetId} = ${setId} and ${z.zone} = any(${zones}::text[]) returning ${z.zone}`;
  return (await query.run(session)).map(({ zone }) => zone);
}

/** Throws RECORD_CONFLICT when edits give one RRset two TTLs (RFC 2181 §5.2). */
export function refuseTwoTtls(edits: readonly ReadEdit[]): void {
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

/** Collects parts and stores them, some thousands of edits by one statement. The set has nothing staged for their zones. */
export class PartWriter {
  readonly #session: Session;
  readonly #setId: number;
  readonly #counts = new Map<string, number>();
  #zones: Omit<StagedPart, "edits" | "keptCount">[] = [];
  #edits: PlacedEdit[] = [];
  #editCount = 0;
  readonly #settingTtls = new Map<string, NewEdits>();

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

  /** Adds edits after those that were added for the zone. Throws TOO_LARGE above `maxEdits`. */
  async add({ edits, keptCount = 0, ...part }: StagedPart): Promise<void> {
    const { zone } = part;
    const count = this.#counts.get(zone);
    if (count === undefined) this.#zones.push(part);
    for (const [at, edit] of edits.entries()) this.#edits.push({ ...edit, zone, ordinal: (count ?? 0) + at + 1 });
    if (edits.slice(keptCount).some(setsTtl) && !this.#settingTtls.has(zone))
      this.#settingTtls.set(zone, { zone, from: (count ?? 0) + keptCount + 1 });
    this.#counts.set(zone, (count ?? 0) + edits.length);
    this.#editCount += edits.length;
    if (this.#editCount > maxEdits)
      throw new Refusal("TOO_LARGE", `The set would have more than ${maxEdits} edits; select fewer records.`);
    if (this.#edits.length + this.#zones.length >= editsPerStatement) await this.flush();
  }

  /** Stores what is left, and settles the TTLs of what is added. */
  async end(): Promise<void> {
    await this.flush();
    await settleTtls(this.#session, this.#setId, [...this.#settingTtls.values()]);
  }

  async flush(): Promise<void> {
    const [zones, edits] = [this.#zones, this.#edits];
    this.#zones = [];
    this.#edits = [];
    if (zones.length > 0)
      await sql`
        insert into ${z} (${z.names("changeSetId", ...partColumns)})
        select ${this.#setId}::bigint, zone, "domainId", action, "userId", undoes, "returnsTo", template
        from json_to_recordset(${JSON.stringify(zones)}::json)
          as (zone text, "domainId" bigint, action text, "userId" bigint, undoes bigint, "returnsTo" bigint, template jsonb)`.run(
        this.#session,
      );
    for (let at = 0; at < edits.length; at += editsPerStatement)
      await this.#insertEdits(edits.slice(at, at + editsPerStatement));
  }

  async #insertEdits(edits: readonly PlacedEdit[]): Promise<void> {
    const rows = edits.map(({ record, ...edit }) => {
      const { owner, type, ttl, rdata, wire, digest } = record;
      return { ...edit, owner, type, ttl: ttl ?? null, rdata, wire: Buffer.from(wire).toString("hex"), digest };
    });
    await sql`
      insert into ${e} (${e.names("changeSetId", "zone", "ordinal", ...editContent)})
      select ${this.#setId}::bigint, zone, ordinal, op, "recordId", "baseChangeId", owner, type, ttl, rdata,
        decode(wire, 'hex'), decode(digest, 'hex')
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as (zone text, ordinal int, op text, "recordId" bigint, "baseChangeId" bigint, owner text, type text, ttl int,
          rdata text, wire text, digest text)`.run(this.#session);
  }
}
