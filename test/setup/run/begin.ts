/**
 * Before a run: a folder for everything that its tests put into files, and a real PostgreSQL (the one at DATABASE_URL, or an embedded one)
 * with a migrated template database, which every test file clones for itself. The suite `unit` has no database.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "jest";
import type { EmbeddedPostgres } from "../../../src/postgres/embedded.ts";
import "./modules.ts";

declare global {
  var testPostgres: EmbeddedPostgres | undefined;
}

type Project = { readonly displayName?: { readonly name: string } };

export default async function begin(_run: Config, suite: Project): Promise<void> {
  if (!process.env.TEST_RUN_FOLDER) {
    // Servers that run as an account of their own have files in it; sockets in it need a short path.
    const folder = mkdtempSync(join(tmpdir(), "zt-"));
    chmodSync(folder, 0o755);
    process.env.TEST_RUN_FOLDER = folder;
    // A run that is broken off, or that does not begin, leaves nothing behind either: PostgreSQL ends with this process.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const)
      process.once(signal, () => process.exit(code));
  }
  if (suite.displayName?.name === "unit" || process.env.TEST_SERVER_URL) return;
  // Loaded by the rules of ./modules.ts.
  const { startEmbeddedPostgres } = await import("../../../src/postgres/embedded.ts");
  const { migrate, openDatabase } = await import("../../../src/service/database.ts");
  const { onServer, template, withDatabase } = await import("../database/database.ts");
  if (!process.env.DATABASE_URL) {
    const folder = join(process.env.TEST_RUN_FOLDER, "postgres");
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
