/**
 * Searches need an extension of PostgreSQL that an operator may have to create: the service runs without it, says so, and uses it from the
 * next start on.
 */
import { expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { start } from "../../../src/main.ts";
import { dropDatabase, emptyDatabase, onServer, query } from "../../setup/database/database.ts";
import { adminKey } from "../../setup/service/service.ts";

const role = "zonesmith_test_without_extension";

/** Starts and stops the service, and returns the messages it logged. */
async function logOf(url: string): Promise<string[]> {
  const lines: string[] = [];
  const config = readConfig({ DATABASE_URL: url, ADMIN_API_KEY: adminKey, HTTP_PORT: "0", DNS_PORT: "0" });
  const service = await start(config, { logTo: { write: (line) => void lines.push(JSON.parse(line).msg) } });
  await service.stop();
  return lines;
}

test("without pg_trgm the service starts and says what to do; the next start creates the indexes", async () => {
  const url = await emptyDatabase();
  await onServer(`create role ${role} login password 'secret'`);
  try {
    await query(url, `grant create, usage on schema public to ${role}`);
    const limited = url.replace(/\/\/[^@]*@/, `//${role}:secret@`);
    const warning = expect.stringMatching(/pg_trgm: install it .* CREATE EXTENSION pg_trgm/);
    expect(await logOf(limited)).toContainEqual(warning);
    await query(url, "create schema elsewhere");
    await query(url, `grant usage on schema elsewhere to ${role}`);
    await query(url, "create extension pg_trgm schema elsewhere");
    expect(await logOf(limited)).not.toContainEqual(warning);
    const indexes = await query(
      url,
      "select indexname as name from pg_indexes where indexdef like '%gin_trgm_ops%' order by 1",
    );
    expect(indexes.map(({ name }) => name)).toEqual([
      "change_note_index",
      "domain_search_index",
      "zone_record_search_index",
    ]);
  } finally {
    await dropDatabase(url);
    await onServer(`drop role ${role}`);
  }
});
