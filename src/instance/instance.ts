/**
 * The instances: processes of the service that run on one database. Each instance keeps a row with its host and the time of its last
 * heartbeat, and removes the row when it stops. The row of a killed instance is deleted after an hour. The instance with the last term is
 * the leader.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";

@Entity({ tableName: "instance" })
export class Instance {
  /** A random UUID that the process generates when it starts. */
  @PrimaryKey({ type: "uuid" })
  id!: string;

  @Property({ type: "text" })
  host!: string;

  @Property({ type: "integer" })
  pid!: number;

  @Property({ type: "text" })
  version!: string;

  @Property({ type: "datetime", columnType: "timestamptz" })
  startedAt!: Date;

  @Property({ type: "datetime", columnType: "timestamptz" })
  seenAt!: Date;

  @Property({ type: new BigIntType("number"), nullable: true })
  term?: number | null;

  /** The address that its name server listens on, which may be a wildcard. Null in rows of versions that do not store the address. */
  @Property({ type: "text", nullable: true })
  dnsAddress?: string | null;

  @Property({ type: "integer", nullable: true })
  dnsPort?: number | null;

  /** Null without DNS over TLS. */
  @Property({ type: "integer", nullable: true })
  dnsTlsPort?: number | null;
}

const i = table(Instance, "i");
const o = table(Instance, "o");
const excluded = table(Instance, "excluded");

const columns = i.columns("host", "pid", "version", "startedAt", "seenAt", "dnsAddress", "dnsPort", "dnsTlsPort");

export interface InstanceRow extends RowOf<typeof columns> {
  /** Whether the last heartbeat is less than 30 seconds old. */
  readonly isAlive: boolean;
  readonly isLeader: boolean;
}

export interface Heartbeat {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly term: number | null;
}

/**
 * Stores a heartbeat with the address of the session's name server, and deletes other instances without a heartbeat for an hour. Times are
 * those of the database. The write does not wait for the disk.
 */
export async function storeHeartbeat(session: Session, { id, host, pid, version, term }: Heartbeat): Promise<void> {
  const { address, port, tls } = session.policy.primary;
  const query = sql`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true)),
    gone as (delete from ${i} where ${i.seenAt} < now() - interval '1 hour' and ${i.id} <> ${id})
    insert into ${i}
      (${i.names("id", "host", "pid", "version", "startedAt", "seenAt", "term", "dnsAddress", "dnsPort", "dnsTlsPort")})
    select ${id}::uuid, ${host}, ${pid}::int, ${version}, now(), now(), ${term}::bigint,
      ${address}, ${port}::int, ${tls?.port ?? null}::int from relaxed
    on conflict (${i.names("id")}) do update set
      ${i.names("seenAt")} = ${excluded.seenAt}, ${i.names("term")} = ${excluded.term}`;
  await query.run(session);
}

export async function removeInstance(session: Session, id: string): Promise<void> {
  await sql`delete from ${i} where ${i.id} = ${id}::uuid`.run(session);
}

/** Returns the instances: the leader first, the others by host. Throws FORBIDDEN unless the actor is an administrator. */
export async function listInstances(session: Session): Promise<InstanceRow[]> {
  mayAdminister({ ...session.actor, readOnly: false });
  const isAlive = sql`${i.seenAt} > now() - interval '30 seconds'`;
  const query = sql<InstanceRow>`
    select ${columns}, ${isAlive} as "isAlive",
      ${isAlive} and ${i.term} is not null and ${i.term} = (select max(${o.term}) from ${o}) as "isLeader"
    from ${i} order by "isLeader" desc, ${i.host}, ${i.pid}`;
  return query.run(session);
}
