/**
 * Checks the database that the service uses: that it can be reached and is Zonesmith's, its version and migrations, settings that lose
 * changes, the number of connections, the extension of searches, and its clock.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import { AuditEntry } from "../audit/audit-entry.ts";
import type { Config } from "../config/config.ts";
import { runningPostgres } from "../postgres/embedded.ts";
import { expectOurDatabase } from "../service/database/expected-database.ts";
import { laterMigrations, laterText, migrationsOf, pendingMigrations } from "../service/database/migrate.ts";
import { isReadOnly, openDatabase } from "../service/database/open-database.ts";
import { type Difference, lineOf, tableDifferences } from "../service/database/table-structure.ts";
import { table } from "../sql/columns.ts";
import { type Finding, failure, note, ok, textOf, warning } from "./finding.ts";

/** The findings, and the database if its tables are those of this version. */
interface ReachedDatabase {
  readonly findings: readonly Finding[];
  readonly orm?: MikroORM;
}

/** How long the database may take to answer, ms; longer than the service waits for a new connection. */
const answerMs = 15_000;

const restart = "zonesmith serve";

/** Opens the database; `resources` closes it. */
export async function reachDatabase(config: Config, resources: AsyncDisposableStack): Promise<ReachedDatabase> {
  const url = config.DATABASE_URL || runningPostgres(config.DATA_DIR);
  if (url === undefined) return { findings: [embeddedIsDown(config)] };
  try {
    const orm = await openDatabase({ url, connections: 2 });
    resources.defer(() => orm.close(true));
    await expectOurDatabase(orm, { mayCreate: false, mayMigrate: true });
    const findings: Finding[] = [];
    for await (const finding of checkDatabase(orm, config)) findings.push(finding);
    const later = await laterMigrations(orm);
    if (later.forbidden.length > 0 || (await pendingMigrations(orm)).length > 0) return { findings };
    if (later.names.length > 0) return { findings, orm };
    const differences = await tableDifferences(orm);
    // Statements on tables without their columns would fail.
    const isAsked = !differences.some(({ isOfRows }) => isOfRows);
    return { findings: [...findings, tables(differences)], ...(isAsked && { orm }) };
  } catch (error) {
    const fix = config.DATABASE_URL ? "correct DATABASE_URL, or start PostgreSQL" : restart;
    return { findings: [failure("database", textOf(error), fix)] };
  }
}

const embeddedIsDown = ({ DATA_DIR }: Config) =>
  note(
    "database",
    `The embedded PostgreSQL of ${DATA_DIR} does not run: it runs as long as the service does.`,
    `start the service (${restart}), or set DATA_DIR or DATABASE_URL here as it has them, and repeat`,
  );

/** Settings and properties of the database that PostgreSQL reports. */
interface About {
  readonly version: string;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly connections: number;
  readonly size: string;
  readonly hasTrigrams: boolean;
  /** Whether the role may rewrite the audit; null before the audit has a table. */
  readonly rewritesAudit: boolean | null;
}

async function* checkDatabase(orm: MikroORM, config: Config): AsyncGenerator<Finding> {
  const [about] = (await orm.em.getConnection().execute(
    `select split_part(current_setting('server_version'), ' ', 1) as version, current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
      pg_size_pretty(pg_database_size(current_database())) as size,
      exists (select from pg_extension where extname = 'pg_trgm') as "hasTrigrams",
      has_table_privilege(to_regclass('${table(AuditEntry)}'), 'update, delete, truncate') as "rewritesAudit"`,
  )) as unknown as [About];
  const place = config.DATABASE_URL ? "" : "embedded, ";
  yield ok("database", `PostgreSQL ${about.version}, ${place}${about.size}`);
  const promote = "promote it, or let DATABASE_URL name the primary, or all servers (docs/high-availability.md)";
  if (await isReadOnly(orm)) yield failure("database", "It takes no writes, as a standby does.", promote);
  yield await migrations(orm);
  yield* durability(about);
  yield* connections(about, config);
  if (about.rewritesAudit !== null) yield audit(about.rewritesAudit, config);
  if (about.hasTrigrams) return;
  yield warning(
    "extension pg_trgm",
    "The database is without it, so that searches for parts of names and data read every record.",
    "install postgresql-contrib, run CREATE EXTENSION pg_trgm in the database as a superuser, and restart the service",
  );
}

async function migrations(orm: MikroORM): Promise<Finding> {
  const { names, forbidden } = await laterMigrations(orm);
  const upgrade = "start the later version, on every machine (docs/upgrade.md)";
  if (forbidden.length > 0) return failure("migrations", `The ${laterText(forbidden)}.`, upgrade);
  if (names.length > 0) return warning("migrations", `The ${laterText(names)}, but may go on with it.`, upgrade);
  const pending = await pendingMigrations(orm);
  if (pending.length === 0) return ok("migrations", `all ${migrationsOf(orm).length} have run`);
  const earlier = `The tables are those of an earlier version; to run: ${pending.join(", ")}.`;
  return failure("migrations", earlier, `back up, then: ${restart}`);
}

function tables(differences: readonly Difference[]): Finding {
  if (differences.length === 0) return ok("tables", "those of this version");
  return failure("tables", `They differ: ${lineOf(differences)}.`, "correct them, as docs/upgrade.md says");
}

const lostDatabase = "a power failure can destroy the database";
const lostChanges = "changes that were acknowledged can be lost when PostgreSQL crashes";

function durability({ fsync, full_page_writes, synchronous_commit }: About): Finding[] {
  const settings = [
    [failure, { fsync, full_page_writes }, lostDatabase],
    [warning, { synchronous_commit }, lostChanges],
  ] as const;
  const findings = settings.flatMap(([finder, values, loss]) =>
    Object.entries(values)
      .filter(([, value]) => value === "off")
      .map(([name]) =>
        finder(name, `${name} is off: ${loss}.`, `${name} = on in postgresql.conf; then select pg_reload_conf()`),
      ),
  );
  return findings.length > 0 ? findings : [ok("durability", "fsync, full_page_writes and synchronous_commit are on")];
}

/** The connections of a worker besides those of DATABASE_POOL and DNS_TRANSFERS (docs/settings.md). */
const otherConnections = 23;

function* connections(
  { connections: allowed }: About,
  { DATABASE_POOL, DNS_TRANSFERS, WORKERS }: Config,
): Generator<Finding> {
  const needed = DATABASE_POOL + DNS_TRANSFERS + otherConnections * WORKERS;
  const few = `An instance may open ${needed} connections, and PostgreSQL takes ${allowed} together.`;
  const fix = `max_connections = ${needed * 2} in postgresql.conf, or a smaller DATABASE_POOL or DNS_TRANSFERS`;
  if (needed > allowed) yield warning("connections", few, fix);
}

/** Checks that the role of the service can only add to the audit when another role owns the tables. */
function audit(rewrites: boolean, { DATABASE_OWNER_URL: owner }: Config): Finding {
  if (!rewrites) return ok("audit", "the service's role can only read it and add to it");
  if (owner === "")
    return ok("audit", "the service's role owns it; docs/operation.md has a role that can only add to it");
  return warning(
    "audit",
    "The service's role can edit and delete entries of the audit, although another role owns it.",
    "start the service once with DATABASE_OWNER_URL, by a role that is no superuser and no member of the owner's",
  );
}

/** The differences of two clocks above which the check warns, and above which TSIG fails (RFC 8945 §10), ms. */
const clockLimitsMs = { warning: 2000, failure: 300_000 };

/** Compares the clock of this machine with the clock of the database; the time that the answer takes does not count. */
export async function checkClock(orm: MikroORM, now: () => Date): Promise<Finding> {
  const before = now().getTime();
  const query = orm.em.getConnection().execute("select extract(epoch from clock_timestamp())::float8 * 1000 as ms");
  const [row] = (await query) as unknown as [{ ms: number }];
  const after = now().getTime();
  const ms = Number(row.ms);
  const difference = Math.max(0, before - ms, ms - after);
  if (after - before > answerMs || difference <= clockLimitsMs.warning) return ok("clock", "that of the database");
  const seconds = Math.round(difference / 1000);
  return (difference > clockLimitsMs.failure ? failure : warning)(
    "clock",
    `This machine is ${seconds} s ${ms > after ? "behind" : "ahead of"} its database.`,
    "synchronize both machines: timedatectl set-ntp true",
  );
}
