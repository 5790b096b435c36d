/** The contents of a change set: pages of zones, edits and events for lists, and all zones with their edits for checks and applications. */

import { type Order, type Page, type PageRequest, page } from "../lists/pagination.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { piecesOf } from "../turns/long-work.ts";
import { ChangeRecord } from "../zone/change-record.ts";
import { ZoneRecord } from "../zone/record.ts";
import { dataOf } from "../zone/soa-data.ts";
import { ChangeSetEdit, ChangeSetEvent, ChangeSetZone } from "./change-set.ts";
import { StagedOp, ZoneOutcome } from "./states.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");
const v = table(ChangeSetEvent, "v");
const r = table(ZoneRecord, "r");
const h = table(ChangeRecord, "h");

const zoneColumns = z.columns();
const editColumns = e.columns();
const eventColumns = v.columns();

export type ChangeSetZoneRow = RowOf<typeof zoneColumns>;
export type StagedEditRow = RowOf<typeof editColumns>;
export type ChangeSetEventRow = RowOf<typeof eventColumns>;

const byZone: Order<ChangeSetZoneRow> = {
  name: "changeSetZone.ZONE",
  columns: [z.zone],
  kinds: ["string"],
  descending: false,
  key: ({ zone }) => [zone],
};
const byOrdinal = <Row extends { readonly ordinal: number }>(name: string, of: typeof e | typeof v): Order<Row> => ({
  name,
  columns: [of.ordinal],
  kinds: ["number"],
  descending: false,
  key: ({ ordinal }) => [ordinal],
});
const editOrder = byOrdinal<StagedEditRow>("stagedEdit.ORDINAL", e);
const eventOrder = byOrdinal<ChangeSetEventRow>("changeSetEvent.ORDINAL", v);

/** One page of the zones of a change set, by name; `outcome` selects the zones with this result. */
export function zonesOfSet(
  session: Session,
  id: number,
  outcome: ZoneOutcome | undefined,
  request: PageRequest,
): Promise<Page<ChangeSetZoneRow>> {
  const conditions = [sql`${z.changeSetId} = ${id}`];
  if (outcome !== undefined) conditions.push(sql`${z.outcome} = ${outcome}`);
  return page(session, { columns: zoneColumns, from: z, conditions, order: byZone }, request);
}

export function editsOfZone(
  session: Session,
  { changeSetId, zone }: Pick<ChangeSetZoneRow, "changeSetId" | "zone">,
  request: PageRequest,
): Promise<Page<StagedEditRow>> {
  const conditions = [sql`${e.changeSetId} = ${changeSetId}`, sql`${e.zone} = ${zone}`];
  return page(session, { columns: editColumns, from: e, conditions, order: editOrder }, request);
}

export function eventsOfSet(session: Session, id: number, request: PageRequest): Promise<Page<ChangeSetEventRow>> {
  const conditions = [sql`${v.changeSetId} = ${id}`];
  return page(session, { columns: eventColumns, from: v, conditions, order: eventOrder }, request);
}

interface BaseContent {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  readonly wire: Uint8Array;
}

/**
 * A staged edit. `base` is the content that the record had when the edit was staged. It is null for a new record, and when the journal no
 * longer keeps that version.
 */
export interface StagedEdit extends Omit<StagedEditRow, "digest"> {
  /** Hexadecimal. */
  readonly digest: string;
  readonly base: BaseContent | null;
}

export interface StagedZone extends ChangeSetZoneRow {
  readonly edits: readonly StagedEdit[];
}

/** The zones of a change set without their edits, by name: all zones, or those with these names. */
async function rowsOfZones(session: Session, id: number, names?: readonly string[]): Promise<ChangeSetZoneRow[]> {
  const wanted = names ? sql`${z.zone} = any(${names}::text[])` : sql`true`;
  const query = sql<ChangeSetZoneRow>`
    select ${zoneColumns} from ${z} where ${z.changeSetId} = ${id} and ${wanted} order by ${z.zone}`;
  return query.run(session);
}

/** The zones of a change set with their edits in order, by name: all zones, or those with these names. */
export async function stagedZones(session: Session, id: number, names?: readonly string[]): Promise<StagedZone[]> {
  const rows = await rowsOfZones(session, id, names);
  const edits = Map.groupBy(await readEdits(session, id, rows), ({ zone }) => zone);
  return rows.map((row) => ({ ...row, edits: edits.get(row.zone) ?? [] }));
}

export async function stagedEdits(session: Session, id: number, zone: string): Promise<readonly StagedEdit[]> {
  return (await stagedZones(session, id, [zone]))[0]?.edits ?? [];
}

/** The maximum zones and edits of a piece; a single zone may have more edits. */
const mostOfPiece = { items: 100, size: 2000 };

export async function* zonesInPieces(session: Session, id: number): AsyncGenerator<readonly StagedZone[]> {
  for (const piece of piecesOf(await countedZones(session, id, sql`true`), mostOfPiece, editsOf))
    yield await stagedZones(session, id, piece.map(nameOf));
}

/** The first piece of the zones without an outcome whose names follow `after`, with their edits; at most `most` zones. */
export async function nextZones(session: Session, id: number, after: string, most: number): Promise<StagedZone[]> {
  const isNext = sql`${z.outcome} is null and ${z.zone} > ${after}`;
  const [piece] = piecesOf(await countedZones(session, id, isNext, most), mostOfPiece, editsOf);
  return piece ? stagedZones(session, id, piece.map(nameOf)) : [];
}

interface CountedZone {
  readonly zone: string;
  readonly edits: number;
}
const nameOf = ({ zone }: CountedZone) => zone;
const editsOf = ({ edits }: CountedZone) => edits;

async function countedZones(session: Session, id: number, condition: Sql, limit?: number): Promise<CountedZone[]> {
  const query = sql<CountedZone>`
    select ${z.zone}, (
      select count(*) from ${e} where ${e.changeSetId} = ${id} and ${e.zone} = ${z.zone}
    ) as edits
    from ${z} where ${z.changeSetId} = ${id} and ${condition} order by ${z.zone} limit ${limit ?? null}::int`;
  return query.run(session);
}

const content = ["owner", "type", "ttl"] as const;

/**
 * The edits of zones of a set, with the former content of their records. A set is often read right after it was stored, when PostgreSQL has
 * no statistics for it: each zone is looked up on its own.
 */
async function readEdits(session: Session, id: number, zones: readonly ChangeSetZoneRow[]): Promise<StagedEdit[]> {
  const domains = JSON.stringify(zones.map(({ zone, domainId }) => ({ zone, domain: domainId })));
  const query = sql<StagedEditRow & { hex: string; base: [string, string, number, string, string] | null }>`
    select ${editColumns}, encode(${e.digest}, 'hex') as hex, b.base
    from json_to_recordset(${domains}::json) as w(zone text, domain bigint)
    cross join lateral (
      select * from ${e} where ${e.changeSetId} = ${id} and ${e.zone} = w.zone order by ${e.ordinal}
    ) e left join lateral (
      select json_build_array(owner, type, ttl, rdata, encode(wire, 'hex')) as base from (
        select ${r.columns(...content).and(dataOf(r))} from ${r} where ${r.id} = ${e.recordId} and ${r.changeId} = ${e.baseChangeId}
        union all
        select ${h.columns(...content).and(dataOf(h))} from ${h}
        where ${h.domainId} = w.domain and ${h.since} = ${e.baseChangeId} and ${h.recordId} = ${e.recordId}
      ) version limit 1
    ) b on ${e.op} = ${StagedOp.UPDATE}
    order by ${e.zone}, ${e.ordinal}`;
  const rows = await query.run(session);
  return rows.map(({ hex, base, ...edit }) => ({ ...edit, digest: hex, base: baseOf(edit, base) }));
}

function baseOf(
  { op, owner, type, ttl, rdata, wire }: StagedEditRow,
  stored: [string, string, number, string, string] | null,
): BaseContent | null {
  // A REMOVE edit stores the content of the removed record.
  if (op === StagedOp.REMOVE) return { owner, type, ttl: ttl as number, rdata, wire };
  if (!stored) return null;
  const [baseOwner, baseType, baseTtl, baseRdata, hex] = stored;
  return { owner: baseOwner, type: baseType, ttl: baseTtl, rdata: baseRdata, wire: Buffer.from(hex, "hex") };
}

/** Numbers of zones: all, those that were changed or needed no change, and those that were refused. */
export interface SetProgress {
  readonly zones: number;
  readonly applied: number;
  readonly refused: number;
}

/** The progress of sets, in the order of their ids. */
export async function progressOfSets(session: Session, ids: readonly number[]): Promise<SetProgress[]> {
  const query = sql<SetProgress & { id: number }>`
    select ${z.changeSetId} as id, count(*) as zones,
      count(*) filter (where ${z.outcome} <> ${ZoneOutcome.REFUSED}) as applied,
      count(*) filter (where ${z.outcome} = ${ZoneOutcome.REFUSED}) as refused
    from ${z} where ${z.changeSetId} = any(${ids}) group by ${z.changeSetId}`;
  const rows = await query.run(session);
  const byId = new Map(rows.map(({ id, ...progress }) => [id, progress]));
  return ids.map((id) => byId.get(id) ?? { zones: 0, applied: 0, refused: 0 });
}

export async function progressOf(session: Session, id: number): Promise<SetProgress> {
  return (await progressOfSets(session, [id]))[0] as SetProgress;
}
