/**
 * Before a run of tests that have a database: a real PostgreSQL (the one at DATABASE_URL, or an embedded one) with a migrated template
 * database, which every test file clones for itself. Jest calls a file of this kind once for all suites of a run, with the first of them
 * alone: which suites have a database is said in jest.config.ts.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedPostgres } from "../../../src/postgres/embedded.ts";
import begin from "./begin.ts";
import "./modules.ts";

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
}

export default async function beginWithDatabase(): Promise<void> {
  await begin();
  // Loaded by the rules of ./modules.ts.
  const { startEmbeddedPostgres } = await import("../../../src/postgres/embedded.ts");
  const { openDatabase } = await import("../../../src/service/database/open-database.ts");
  const { migrate } = await import("../../../src/service/database/migrate.ts");
  const { onServer, template, withDatabase } = await import("../database/database.ts");
  if (!process.env.DATABASE_URL) {
    const folder = join(process.env.TEST_RUN_FOLDER as string, "postgres");
    mkdirSync(folder);
    globalThis.testPostgres = await startEmbeddedPostgres(folder, {
      settings: { fsync: "off", max_connections: "200" },
    });
  }
  process.env.TEST_SERVER_URL = globalThis.testPostgres?.url ?? process.env.DATABASE_URL;
  await onServer(`drop database if exists ${template}`);
  await onServer(`create database ${template}`);
  const orm = await openDatabase({ url: withDatabase(template) });
  await migrate(orm);
  await orm.close(true);
}
