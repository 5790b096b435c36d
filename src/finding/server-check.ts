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

/** Domains after an id that were not asked about since a time, by id. */
export async function domainsToAsk(
  session: Session,
  { since, after, most }: { readonly since: Date; readonly after: number; readonly most: number },
): Promise<number[]> {
  const query = sql<{ id: number }>`
    select ${d.id} from ${d} left join ${c} on ${c.domainId} = ${d.id}
    where ${d.id} > ${after} and ${d.userId} is not null and (${c.checkedAt} is null or ${c.checkedAt} < ${since})
    order by ${d.id} limit ${most}`;
  return (await query.run(session)).map(({ id }) => id);
}

/** What was found of a zone with a serial. */
interface CheckOfServers {
  readonly zone: string;
  readonly serial: number;
  readonly found: readonly Found[];
}

/** Stores what was found, except of zones that were changed or deleted meanwhile. */
export async function storeServerChecks(session: Session, checks: readonly CheckOfServers[]): Promise<void> {
  await sql`
    insert into ${c} (${c.names("domainId", "checkedAt", "found")})
    select ${d.id}, ${session.now()}::timestamptz, found
    from json_to_recordset(${JSON.stringify(checks)}::json) as asked(zone text, serial bigint, found jsonb)
    join ${d} on ${d.zone} = asked.zone and ${d.serial} = asked.serial for key share of d
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
