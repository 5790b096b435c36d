/**
 * The instances: processes of the service that run on one database. Each keeps a row that says where it runs and when it was last there,
 * and removes it when it stops; the row of one that was killed is deleted an hour later. The one that leads is the one with the last term.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { mayAdminister } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";

/** A process of the service on this database. */
@Entity({ tableName: "instance" })
export class Instance {
  /** Given by the process itself when it starts. */
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

  /** The term in which it leads; null while it does not. */
  @Property({ type: new BigIntType("number"), nullable: true })
  term?: number | null;

  /** Where its name server listens, a wildcard for every address of the machine; null of versions that do not say it. */
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

/** An instance as it is read. */
export interface InstanceRow extends RowOf<typeof columns> {
  /** Whether it was seen in the last half minute. */
  readonly isAlive: boolean;
  readonly isLeader: boolean;
}

/** What an instance says of itself. */
export interface Heartbeat {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** The term in which it leads; null while it does not. */
  readonly term: number | null;
}

/**
 * Stores that an instance is there, with the address of its name server. Deletes instances not seen for an hour. Times are those of the
 * database; the write does not wait for the disk.
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

/** Removes an instance that stops. */
export async function removeInstance(session: Session, id: string): Promise<void> {
  await sql`delete from ${i} where ${i.id} = ${id}::uuid`.run(session);
}

/** The instances, the one that leads first, then by machine. Administrators only. */
export async function listInstances(session: Session): Promise<InstanceRow[]> {
  mayAdminister({ ...session.actor, readOnly: false });
  const isAlive = sql`${i.seenAt} > now() - interval '30 seconds'`;
  const query = sql<InstanceRow>`
    select ${columns}, ${isAlive} as "isAlive",
      ${isAlive} and ${i.term} is not null and ${i.term} = (select max(${o.term}) from ${o}) as "isLeader"
    from ${i} order by "isLeader" desc, ${i.host}, ${i.pid}`;
  return query.run(session);
}
