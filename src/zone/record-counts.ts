/** What the records of a zone are like as a whole: how many it has of each type, and their commonest TTL. */
import { Field, Int, ObjectType } from "type-graphql";
import { RecordTypeScalar } from "../graphql/scalars/scalars.ts";
import { inSearch } from "../lists/list-statement.ts";
import type { Session } from "../session/session.ts";
import { Reference, table } from "../sql/columns.ts";
import { type Carrier, sql } from "../sql/sql.ts";
import { Domain } from "./domain.ts";
import { ZoneRecord } from "./record.ts";

@ObjectType({ description: "How many records of a type a zone has.", simpleResolvers: true })
export class RecordCount {
  @Field(() => RecordTypeScalar, { description: "Type mnemonic, upper case." })
  type!: string;

  @Field(() => Int, { description: "Number of the records." })
  count!: number;
}

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");

/** The SQL of the commonest TTL of domain `d`, the shortest of several; null without a record. */
export const commonTtl = new Reference<number | null>(
  `(select ${r.ttl} from ${r} where ${r.domainId} = ${d.id} group by ${r.ttl} order by count(*) desc, ${r.ttl} limit 1)`,
);

/** The SQL of the record counts of domain `d` as JSON, commonest type first. */
export const countsByType = new Reference<string>(`(
  select coalesce(json_agg(json_build_object('type', n.type, 'count', n.count) order by n.count desc, n.type), '[]')::text
  from (select ${r.type}, count(*) from ${r} where ${r.domainId} = ${d.id} group by ${r.type}) n)`);

export const readCounts = (json: string) => JSON.parse(json) as RecordCount[];

/** The caller has checked that the session may see the domains. */
export const commonTtls = (session: Session, ids: readonly number[]) => ofDomains(session, ids, commonTtl);

/** The caller has checked that the session may see the domains. */
export async function recordCounts(
  session: Session,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordCount[]>> {
  const texts = await ofDomains(session, ids, countsByType);
  return new Map([...texts].map(([id, text]) => [id, readCounts(text)]));
}

async function ofDomains<Value>(
  session: Session,
  ids: readonly number[],
  value: Reference<Value>,
): Promise<ReadonlyMap<number, Value>> {
  const query = sql<{ id: number; value: Value }>`
    select ${d.id}, ${value} as value from ${d} where ${d.id} = any(${ids}::bigint[])`;
  const rows = await inSearch(session, (db: Carrier) => query.run(db));
  return new Map(rows.map(({ id, value }) => [id, value]));
}
