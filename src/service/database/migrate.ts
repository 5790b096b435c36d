/**
 * Which migrations a database has run, which of this program's it has not, and whether those of later versions let this one
 * go on; what is missing is run under a lock.
 */
import type { EntityManager, MikroORM } from "@mikro-orm/postgresql";
import { migrationTable } from "../../backup/tables.ts";
import { CompatibleMigration } from "../../instance/compatible-migration.ts";
import { table } from "../../sql/columns.ts";
import { isAtLeast, version } from "../../version.ts";
import { createSearchIndexes } from "./search-indexes.ts";

/** The migrations of this program, in their order. */
export const migrationsOf = (orm: MikroORM): readonly string[] =>
  (orm.config.get("migrations").migrationsList ?? []).map((each) => ("name" in each ? each.name : ""));

/** The names of the migrations that a database has run, in their order; none where there is no list of them. */
export async function migrationsRun(em: EntityManager): Promise<readonly string[]> {
  const [found] = await em.execute(`select to_regclass('${migrationTable}') is not null as "isThere"`);
  if (!(found as { isThere: boolean }).isThere) return [];
  const rows = await em.execute(`select name from ${migrationTable} order by id`);
  return rows.map((row) => (row as { name: string }).name);
}

/** The migrations of this program that have not run. */
export async function pendingMigrations(orm: MikroORM): Promise<readonly string[]> {
  const run = new Set(await migrationsRun(orm.em.fork()));
  return migrationsOf(orm).filter((name) => !run.has(name));
}

/** Whether every migration of this program has run. */
export async function isMigrated(orm: MikroORM): Promise<boolean> {
  return (await pendingMigrations(orm)).length === 0;
}

/** What a later version has made of a database. */
export interface LaterMigrations {
  /** The migrations that it has run and this version does not know. */
  readonly names: readonly string[];
  /** Those of them with which this version may not go on (instance/compatible-migration.ts). */
  readonly forbidden: readonly string[];
}

/** The migrations of later versions that a database has run. */
export async function laterMigrations(orm: MikroORM, em: EntityManager = orm.em.fork()): Promise<LaterMigrations> {
  const own = new Set(migrationsOf(orm));
  const names = (await migrationsRun(em)).filter((name) => !own.has(name));
  if (names.length === 0) return { names, forbidden: names };
  const allowed = await allowedMigrations(em);
  return { names, forbidden: names.filter((name) => !allowed.has(name)) };
}

const c = table(CompatibleMigration, "c");

/** The migrations with which a database lets this version go on. */
async function allowedMigrations(em: EntityManager): Promise<ReadonlySet<string>> {
  const [found] = await em.execute(`select to_regclass('${table(CompatibleMigration)}') is not null as "isThere"`);
  if (!(found as { isThere: boolean }).isThere) return new Set();
  const rows = (await em.execute(
    `select ${c.columns("name", "leastVersion")} from ${c}`,
  )) as unknown as readonly CompatibleMigration[];
  return new Set(rows.filter(({ leastVersion }) => isAtLeast(leastVersion)).map(({ name }) => name));
}

/** That a database is that of a later version, by what it has run. */
export const laterText = (names: readonly string[]) =>
  `database is that of a later version: it has run ${names.join(", ")}, which this version, ${version()}, does not know`;

/** Throws what to do where a later version has made of the database what this one may not use. */
export async function expectUsable(orm: MikroORM, em: EntityManager = orm.em.fork()): Promise<void> {
  const { forbidden } = await laterMigrations(orm, em);
  if (forbidden.length > 0) throw new Error(forbiddenText(forbidden));
}

export const forbiddenText = (names: readonly string[]) =>
  `The ${laterText(names)}. Start the later version, on every machine; docs/upgrade.md says what else there is.`;

/** The advisory lock of migrations: "zonesmit" in ASCII. */
const migrationLock = 0x7a6f6e65736d6974n;

/** How long a statement of a migration may take, ms: a day, since it may change every row there is. */
const migrationTimeoutMs = 86_400_000;

/**
 * Runs the migrations that are missing, and returns whether there are indexes for searches; services that start at once
 * on one database take turns.
 */
export async function migrate(orm: MikroORM): Promise<{ hasSearchIndexes: boolean }> {
  return orm.em.fork().transactional(async (em) => {
    await lockMigrations(em);
    return migrateWithin(orm, em);
  });
}

/** Waits until nobody else migrates the database, until the end of the transaction, which may take long and read whole tables then. */
export async function lockMigrations(em: EntityManager): Promise<void> {
  await em.execute("set local lock_timeout = 0");
  await em.execute(`set local statement_timeout = ${migrationTimeoutMs}`);
  await em.execute("set local enable_seqscan = on");
  await em.execute(`select pg_advisory_xact_lock(${migrationLock})`);
}

/** Runs the migrations that are missing in a transaction that has locked them; throws where the database is that of a later version. */
export async function migrateWithin(orm: MikroORM, em: EntityManager): Promise<{ hasSearchIndexes: boolean }> {
  await expectUsable(orm, em);
  await orm.migrator.up({ transaction: em.getTransactionContext() });
  return { hasSearchIndexes: await createSearchIndexes(em) };
}
