/**
 * Migrates the database with the role that owns its tables, when this is not the role of the service (DATABASE_OWNER_URL). The service's
 * role is then granted what it needs; in the audit it may only read and add.
 */
import type { MikroORM } from "@mikro-orm/postgresql";
import { AuditEntry } from "../../audit/audit-entry.ts";
import type { Config } from "../../config/config.ts";
import { table } from "../../sql/columns.ts";
import { expectOurDatabase } from "./expected-database.ts";
import { lockMigrations, migrateWithin } from "./migrate.ts";
import { openDatabase } from "./open-database.ts";

interface Role {
  readonly role: string;
  readonly schema: string;
  readonly database: string;
}

async function roleOf(orm: MikroORM): Promise<Role> {
  const [role] = await orm.em
    .getConnection()
    .execute(
      "select quote_ident(current_user) as role, quote_ident(current_schema()) as schema, current_database() as database",
    );
  return role as unknown as Role;
}

/** Returns the roles of both connections; throws unless these are two roles on one database. */
async function expectOwner(service: MikroORM, orm: MikroORM): Promise<readonly [Role, Role]> {
  const [served, owner] = await Promise.all([roleOf(service), roleOf(orm)]);
  if (served.database === owner.database && served.role !== owner.role) return [served, owner];
  throw new Error(
    "DATABASE_OWNER_URL names another database than DATABASE_URL, or the same role: name the database of DATABASE_URL by the role that owns its tables, or unset it.",
  );
}

/** Throws unless a database opened by DATABASE_OWNER_URL is that of DATABASE_URL. */
export async function expectOwnerOf({ DATABASE_URL: url }: Config, owner: MikroORM): Promise<void> {
  const service = await openDatabase({ url, connections: 1 });
  try {
    await expectOwner(service, owner);
  } finally {
    await service.close(true);
  }
}

/** Migrates the service's database as the owner of its tables. Throws when the URL does not name another role on the same database. */
export async function migrateByOwner(
  service: MikroORM,
  { DATABASE_OWNER_URL: url }: Config,
  mayCreate: boolean,
): Promise<{ hasSearchIndexes: boolean }> {
  const orm = await openDatabase({ url, connections: 2 });
  try {
    const [served, owner] = await expectOwner(service, orm);
    await expectOurDatabase(orm, { mayCreate, mayMigrate: true });
    return await orm.em.fork().transactional(async (em) => {
      await lockMigrations(em);
      const migrated = await migrateWithin(orm, em);
      for (const statement of grants(served.role, owner.schema)) await em.execute(statement);
      return migrated;
    });
  } finally {
    await orm.close(true);
  }
}

const grants = (role: string, schema: string) => [
  `grant usage on schema ${schema} to ${role}`,
  `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
  `grant usage, select, update on all sequences in schema ${schema} to ${role}`,
  `revoke update, delete, truncate on ${table(AuditEntry)} from ${role}`,
  `revoke insert, update, delete, truncate on mikro_orm_migrations from ${role}`,
];
