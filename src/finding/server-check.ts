/** What was wrong at the parents and name servers of zones when they were asked last. A zone has one row, which the next answers replace. */
import { Entity, ManyToOne, Property } from "@mikro-orm/decorators/legacy";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Domain } from "../zone/domain.ts";
import { type Finding, type Found, findingOf } from "./finding-code.ts";

@Entity({ tableName: "server_check" })
export class ServerCheck {
  @ManyToOne(() => Domain, { fieldName: "domain_id", primary: true, deleteRule: "cascade", index: false })
  domain!: Domain;

  @Property({ type: "datetime", columnType: "timestamptz", index: "server_check_checked_at_index" })
  checkedAt!: Date;

  @Property({ type: "json", columnType: "jsonb" })
  found!: readonly Found[];
}

const d = table(Domain, "d");
const c = table(ServerCheck, "c");
const excluded = table(ServerCheck, "excluded");

/** Domains that were not asked about since a time, at most `most`. */
export async function domainsToAsk(session: Session, since: Date, most: number): Promise<number[]> {
  const query = sql<{ id: number }>`
    select ${d.id} from ${d} left join ${c} on ${c.domainId} = ${d.id}
    where ${d.userId} is not null and (${c.checkedAt} is null or ${c.checkedAt} < ${since}) limit ${most}`;
  return (await query.run(session)).map(({ id }) => id);
}

export async function storeServerChecks(session: Session, checks: readonly { id: number; found: readonly Found[] }[]) {
  await sql`
    insert into ${c} (${c.names("domainId", "checkedAt", "found")})
    select id, ${session.now()}::timestamptz, found
    from json_to_recordset(${JSON.stringify(checks)}::json) as asked(id bigint, found jsonb)
    where exists (select from ${d} where ${d.id} = asked.id)
    on conflict (${c.names("domainId")}) do update set
      ${c.names("checkedAt")} = ${excluded.checkedAt}, ${c.names("found")} = ${excluded.found}`.run(session);
}

/** What was found, as a column of domains; `at` is when the servers answered. */
export interface AtServers {
  readonly at: string;
  readonly found: readonly Found[];
}

export const atServers = (domainId: Sql) => sql<{ atServers: AtServers | null }>`
  (select json_build_object('at', ${c.checkedAt}, 'found', ${c.found}) from ${c} where ${c.domainId} = ${domainId})
    as "atServers"`;

export function findingsAtServers(zone: string, servers: AtServers | null): Finding[] {
  return (servers?.found ?? []).map((each) => ({ ...findingOf(zone, each), at: new Date(servers?.at ?? 0) }));
}
