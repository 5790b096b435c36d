/**
 * Before all tests: a real PostgreSQL (the one at DATABASE_URL, or an embedded one in a temporary folder) and a migrated template
 * database, which every test file clones for itself.
 */
import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/postgres/embedded.ts";
import { migrate, openDatabase } from "../../src/service/database.ts";
import { onServer, template, withDatabase } from "./database.ts";

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
}

export default async function startPostgres(): Promise<void> {
  if (!process.env.DATABASE_URL) {
    const folder = mkdtempSync(join(tmpdir(), "zonesmith-test-"));
    chmodSync(folder, 0o755);
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
