/**
 * Which migrations a database has run, and which of this program's it has not.
 */
import type { EntityManager, MikroORM } from "@mikro-orm/postgresql";
import { migrationTable } from "../backup/tables.ts";

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
export async function pendingMigrations(orm: MikroORM, em = orm.em.fork()): Promise<readonly string[]> {
  const run = new Set(await migrationsRun(em));
  return migrationsOf(orm).filter((name) => !run.has(name));
}

/** Whether every migration of this program has run. */
export async function isMigrated(orm: MikroORM): Promise<boolean> {
  return (await pendingMigrations(orm)).length === 0;
}
