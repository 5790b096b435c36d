/**
 * DATABASE_URL with TLS, as libpq reads it: a PostgreSQL whose certificate, for the address 127.0.0.1, is signed by an
 * authority of the test's.
 */
import { chmodSync, chownSync, statSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openDatabase, openReaders } from "../../src/service/database/open-database.ts";
import { sql } from "../../src/sql/sql.ts";
import { TestAuthority } from "../setup/basics/certificates.ts";
import { OwnPostgres } from "../setup/process/own-postgres.ts";

const signer = new TestAuthority();
const authority = signer.file;
let postgres: OwnPostgres;

beforeAll(async () => {
  postgres = await OwnPostgres.create();
  const { cert, key } = signer.issue("server", "IP:127.0.0.1");
  const { uid, gid } = statSync(postgres.dataFolder);
  for (const file of [cert, key]) {
    chownSync(file, uid, gid);
    chmodSync(file, 0o600);
  }
  await postgres.sql(`alter system set ssl_key_file = '${key}'`);
  await postgres.sql(`alter system set ssl_cert_file = '${cert}'`);
  await postgres.sql("alter system set ssl = on");
  await postgres.stop();
  await postgres.start();
});
afterAll(() => postgres?.stop());

const state = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";

/** Whether connections of the ORM and of the name server are encrypted, to the server by its address or by other names. */
async function areEncrypted(parameters: string, named = (address: string) => address): Promise<readonly boolean[]> {
  const url = `${postgres.url.replace(/127\.0\.0\.1:\d+/, named)}?${parameters}`;
  const orm = await openDatabase({ url, connections: 1 });
  const readers = openReaders({ url, connections: 1 });
  const results = [await sql.raw(state).run({ em: orm.em.fork() }), (await readers.query(state)).rows];
  await readers.end();
  await orm.close(true);
  return results.map(([row]) => (row as { ssl: boolean }).ssl);
}

test.each<[parameters: string, isEncrypted: boolean]>([
  ["", false],
  ["sslmode=disable", false],
  ["sslmode=require", true],
  [`sslmode=require&sslrootcert=${authority}`, true],
  [`sslmode=verify-ca&sslrootcert=${authority}`, true],
  [`sslmode=verify-full&sslrootcert=${authority}`, true],
])("with %j every connection is encrypted: %j", async (parameters, isEncrypted) => {
  expect(await areEncrypted(parameters)).toEqual([isEncrypted, isEncrypted]);
});

const byName = (address: string) => address.replace("127.0.0.1", "localhost");

test("a certificate for another name is no obstacle to verify-ca", async () => {
  expect(await areEncrypted(`sslmode=verify-ca&sslrootcert=${authority}`, byName)).toEqual([true, true]);
});

test("with verify-full there is no connection to a name that is not the certificate's, and it is said why", async () => {
  await expect(areEncrypted(`sslmode=verify-full&sslrootcert=${authority}`, byName)).rejects.toThrow(
    /^The database cannot be reached \(.*Host: localhost\. is not .*\); check/,
  );
});

test.each(["verify-full", `verify-ca&sslrootcert=${import.meta.filename}`])(
  "with sslmode=%s there is no connection to a server of an authority that is not trusted",
  async (mode) => {
    await expect(areEncrypted(`sslmode=${mode}`)).rejects.toThrow(/^The database cannot be reached \(.+\); check/);
  },
);

test("of several names of a server, the one that its certificate is for is used", async () => {
  const both = (address: string) => `${byName(address)},${address}`;
  expect(await areEncrypted(`sslmode=verify-full&sslrootcert=${authority}`, both)).toEqual([true, true]);
  await expect(areEncrypted("sslmode=verify-full", both)).rejects.toThrow(
    /No server of DATABASE_URL is the primary \(.*certificate/,
  );
});
