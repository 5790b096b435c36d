/** The TTLs of records that a change set adds, beside those of the RRsets that they join: an RRset has one TTL (RFC 2181 §5.2). */
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ZoneRecord } from "../../zone/record.ts";
import { ChangeSetEdit, ChangeSetZone, editContent } from "../change-set.ts";
import { StagedOp } from "../states.ts";
import type { ReadEdit } from "./read-part.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");
const a = table(ChangeSetEdit, "a");
const r = table(ZoneRecord, "r");

/** The edits of a zone from an ordinal on, which were staged just now. */
export interface NewEdits {
  readonly zone: string;
  readonly from: number;
}

/** Whether an edit adds a record with a TTL of its own. */
export const setsTtl = ({ op, record }: ReadEdit) => op === StagedOp.ADD && record.ttl !== undefined;

/**
 * Says of new additions with a TTL of their own what they find: which change wrote their RRset last, and as edits, to which records of the
 * RRset they give another TTL (RFC 2181 §5.2). What somebody else does to the TTL from then on is a conflict. An addition of a record that
 * is there, with another TTL, is such an edit.
 */
export async function settleTtls(session: Session, setId: number, zones: readonly NewEdits[]): Promise<void> {
  if (zones.length === 0) return;
  const isNew = sql`
    json_to_recordset(${JSON.stringify(zones)}::json) as n(zone text, "from" int)
    join ${z} on ${z.changeSetId} = ${setId} and ${z.zone} = n.zone
    join ${e} on ${e.changeSetId} = ${setId} and ${e.zone} = n.zone and ${e.ordinal} >= n."from"
      and ${e.op} = ${StagedOp.ADD} and ${e.ttl} is not null`;
  const isOfRrset = sql`${r.domainId} = ${z.domainId} and ${r.owner} = ${e.owner} and ${r.type} = ${e.type}`;
  const rows = await sql<{ isOther: boolean }>`
    with found as (
      select ${e.zone} as zone, ${e.ordinal} as ordinal, max(${r.changeId}) as change, bool_or(${r.ttl} <> ${e.ttl}) as other
      from ${isNew} join ${r} on ${isOfRrset} group by 1, 2
    )
    update ${e} set ${e.names("baseChangeId")} = found.change from found
    where ${e.changeSetId} = ${setId} and ${e.zone} = found.zone and ${e.ordinal} = found.ordinal
    returning found.other as "isOther"`.run(session);
  if (!rows.some(({ isOther }) => isOther)) return;
  await sql`
    insert into ${e} (${e.names("changeSetId", "zone", "ordinal", ...editContent)})
    select ${setId}::bigint, zone, last + row_number() over (partition by zone order by id), ${StagedOp.UPDATE}, id, change, owner, type, ttl,
      rdata, wire, digest
    from (
      select distinct on (${r.id}) ${e.zone} as zone, ${r.id} as id, ${r.changeId} as change, ${r.columns("owner", "type", "rdata", "wire", "digest")},
        ${e.ttl} as ttl, (
          select max(${a.ordinal}) from ${a} where ${a.changeSetId} = ${setId} and ${a.zone} = n.zone
        ) as last
      from ${isNew} join ${r} on ${isOfRrset} and ${r.ttl} <> ${e.ttl}
      where not exists (
        select from ${a} where ${a.changeSetId} = ${setId} and ${a.zone} = n.zone and ${a.recordId} = ${r.id}
      )
    ) moved`.run(session);
  await sql`
    delete from ${e} using ${a} where ${e.changeSetId} = ${setId} and ${e.op} = ${StagedOp.ADD}
      and ${e.zone} = any(${zones.map(({ zone }) => zone)}::text[])
      and ${a.changeSetId} = ${setId} and ${a.zone} = ${e.zone} and ${a.op} = ${StagedOp.UPDATE}
      and (${a.owner}, ${a.type}, ${a.digest}, ${a.ttl}) = (${e.owner}, ${e.type}, ${e.digest}, ${e.ttl})`.run(session);
}
