/** Runs the migrations that a database has not run, under a lock, and checks those of later versions. */
import type { EntityManager, MikroORM } from "@mikro-orm/postgresql";
import { migrationTable } from "../../backup/tables.ts";
import { CompatibleMigration } from "../../instance/compatible-migration.ts";
import { table } from "../../sql/columns.ts";
import { isAtLeast, version } from "../../version.ts";
import { createSearchIndexes } from "./search-indexes.ts";

export const migrationsOf = (orm: MikroORM): readonly string[] =>
  (orm.config.get("migrations").migrationsList ?? []).map((each) => ("name" in each ? each.name : ""));

/** Returns the names of the migrations that a database has run, in their order; empty in a database without a list of them. */
export async function migrationsRun(em: EntityManager): Promise<readonly string[]> {
  const [found] = await em.execute(`select to_regclass('${migrationTable}') is not null as "isThere"`);
  if (!(found as { isThere: boolean }).isThere) return [];
  const rows = await em.execute(`select name from ${migrationTable} order by id`);
  return rows.map((row) => (row as { name: string }).name);
}

export async function pendingMigrations(orm: MikroORM): Promise<readonly string[]> {
  const run = new Set(await migrationsRun(orm.em.fork()));
  return migrationsOf(orm).filter((name) => !run.has(name));
}

export async function isMigrated(orm: MikroORM): Promise<boolean> {
  return (await pendingMigrations(orm)).length === 0;
}

interface LaterMigrations {
  readonly names: readonly string[];
  /** The migrations among `names` that do not allow this version to use the database (instance/compatible-migration.ts). */
  readonly forbidden: readonly string[];
}

export async function laterMigrations(orm: MikroORM, em: EntityManager = orm.em.fork()): Promise<LaterMigrations> {
  const own = new Set(migrationsOf(orm));
  const names = (await migrationsRun(em)).filter((name) => !own.has(name));
  if (names.length === 0) return { names, forbidden: names };
  const allowed = await allowedMigrations(em);
  return { names, forbidden: names.filter((name) => !allowed.has(name)) };
}

const c = table(CompatibleMigration, "c");

/** The migrations of later versions with which the database allows this version. */
async function allowedMigrations(em: EntityManager): Promise<ReadonlySet<string>> {
  const [found] = await em.execute(`select to_regclass('${table(CompatibleMigration)}') is not null as "isThere"`);
  if (!(found as { isThere: boolean }).isThere) return new Set();
  const rows = (await em.execute(
    `select ${c.columns("name", "leastVersion")} from ${c}`,
  )) as unknown as readonly CompatibleMigration[];
  return new Set(rows.filter(({ leastVersion }) => isAtLeast(leastVersion)).map(({ name }) => name));
}

export const laterText = (names: readonly string[]) =>
  `database is that of a later version: it has run ${names.join(", ")}, which this version, ${version()}, does not know`;

/** Throws a sentence that says what to do when this version may not use the database any more. */
export async function expectUsable(orm: MikroORM, em: EntityManager = orm.em.fork()): Promise<void> {
  const { forbidden } = await laterMigrations(orm, em);
  if (forbidden.length > 0) throw new Error(forbiddenText(forbidden));
}

export const forbiddenText = (names: readonly string[]) =>
  `The ${laterText(names)}. Start the later version, on every machine; docs/upgrade.md says what else there is.`;

/** The advisory lock of migrations: "zonesmit" in ASCII. */
const migrationLock = 0x7a6f6e65736d6974n;

/** The time limit of a migration's statement, ms: a day, since it may change every row. */
const migrationTimeoutMs = 86_400_000;

/** Runs the missing migrations; returns whether the indexes of searches exist. Services that start at the same time take turns. */
export async function migrate(orm: MikroORM): Promise<{ hasSearchIndexes: boolean }> {
  return orm.em.fork().transactional(async (em) => {
    await lockMigrations(em);
    return migrateWithin(orm, em);
  });
}

/** Waits for the lock of migrations, and holds it until the transaction ends. The transaction may take long and scan whole tables. */
export async function lockMigrations(em: EntityManager): Promise<void> {
  await em.execute("set local lock_timeout = 0");
  await em.execute(`set local statement_timeout = ${migrationTimeoutMs}`);
  await em.execute("set local enable_seqscan = on");
  await em.execute(`select pg_advisory_xact_lock(${migrationLock})`);
}

/** Runs the missing migrations in a transaction that holds their lock; throws when this version may not use the database. */
export async function migrateWithin(orm: MikroORM, em: EntityManager): Promise<{ hasSearchIndexes: boolean }> {
  await expectUsable(orm, em);
  await orm.migrator.up({ transaction: em.getTransactionContext() });
  return { hasSearchIndexes: await createSearchIndexes(em) };
}
