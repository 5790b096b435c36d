/** Checks that a database is Zonesmith's or empty, and supported: a mistyped name must not be filled with tables. */
import type { MikroORM } from "@mikro-orm/postgresql";
import { isMigrated } from "./migrate.ts";

const oldestPostgres = 15;

/** Whether tables are created in an empty database, and whether old tables are migrated. */
export interface Permissions {
  readonly mayCreate: boolean;
  readonly mayMigrate: boolean;
}

interface Found {
  readonly database: string;
  /** The version of PostgreSQL as a number, such as 150004 for 15.4. */
  readonly version: number;
  readonly isOurs: boolean;
  readonly tables: readonly string[];
}

/** Throws a sentence that says what to write when the database is not one to use. */
export async function expectOurDatabase(orm: MikroORM, { mayCreate, mayMigrate }: Permissions): Promise<void> {
  const { database, version, isOurs, tables } = await find(orm);
  if (version < oldestPostgres * 10_000)
    throw new Error(
      `The database runs PostgreSQL ${Math.floor(version / 10_000)}; Zonesmith needs ${oldestPostgres} or later: set DATABASE_URL to such a server, or unset it for the embedded PostgreSQL.`,
    );
  if (!isOurs && tables.length > 0)
    throw new Error(
      `The database "${database}" is not Zonesmith's: it has other tables (${tables.join(", ")}). Write the name of Zonesmith's own database in DATABASE_URL, or that of an empty one.`,
    );
  if (!isOurs && !mayCreate)
    throw new Error(
      `The database "${database}" is empty, and nothing is created in it here: check the name in DATABASE_URL. "zonesmith serve" creates the tables.`,
    );
  if (isOurs && !mayMigrate && !(await isMigrated(orm)))
    throw new Error(
      `The database "${database}" is that of an earlier version; start this version once, which migrates it ("zonesmith serve").`,
    );
}

/** The first migration, by which a database is recognized as Zonesmith's. */
const firstMigration = "20261121000000-first-tables";

async function find(orm: MikroORM): Promise<Found> {
  const run = async <Row>(statement: string) => (await orm.em.getConnection().execute(statement)) as unknown as Row[];
  const [about] = await run<{ database: string; version: number; has_migrations: boolean }>(
    `select current_database() as database, current_setting('server_version_num')::int as version,
      to_regclass('mikro_orm_migrations') is not null as has_migrations`,
  );
  const ours = about?.has_migrations
    ? await run(`select from mikro_orm_migrations where name = '${firstMigration}'`)
    : [];
  const tables = await run<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'mikro_orm_migrations'
      and not exists (select from pg_depend p where p.classid = 'pg_class'::regclass and p.objid = c.oid and p.deptype = 'e')
      order by c.relname limit 5`,
  );
  return {
    database: about?.database ?? "",
    version: Number(about?.version),
    isOurs: ours.length > 0,
    tables: tables.map(({ name }) => name),
  };
}
