/**
 * The SOA apart from its serial, which every change moves: what of records is compared in SQL, and which changes edited the SOA.
 */
import { type RawBuilder, sql } from "kysely";
import { table } from "../../sql/columns.ts";
import { ChangeRecord } from "../change-record.ts";
import { ZoneRecord } from "../record.ts";

const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/** The data of a record; of an SOA without its serial, which is in the four octets before the last sixteen (RFC 1035 §3.3.13). */
export function dataOf(alias: string): RawBuilder<unknown> {
  const [type, wire] = [sql.raw(`${alias}.type`), sql.raw(`${alias}.wire`)];
  return sql`case when ${type} = 'SOA' then overlay(${wire} placing '\\x00000000'::bytea from octet_length(${wire}) - 19 for 4) else ${wire} end`;
}

/** The SQL of the ids of the changes after one and until another that made more of the SOA of a zone another than its serial. */
export function soaEdits(
  domainId: number | RawBuilder<unknown>,
  after: number | RawBuilder<unknown>,
  until: number,
): RawBuilder<unknown> {
  const isSoa = (of: typeof r | typeof v) =>
    sql`${of.domainId} = ${domainId} and ${of.owner} = '@' and ${of.type} = 'SOA'`;
  return sql`
    select id from (
      select id, (ttl, data) is distinct from (lag(ttl) over by_id, lag(data) over by_id) as differs
      from (
        select ${r.changeId} as id, ${r.ttl} as ttl, ${dataOf("r")} as data from ${r} where ${isSoa(r)}
        union all
        select ${v.since}, ${v.ttl}, ${dataOf("v")} from ${v} where ${isSoa(v)} and ${v.changeId} > ${after}
      ) begun where id <= ${until} window by_id as (order by id)
    ) soas where differs and id > ${after}`;
}
