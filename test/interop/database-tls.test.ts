/**
 * DATABASE_URL with TLS, as libpq reads it: a PostgreSQL whose certificate, for the address 127.0.0.1, is signed by an
 * authority of the test's.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { sql } from "kysely";
import { openDatabase, openReaders } from "../../src/service/database.ts";
import { connection } from "../../src/session/session.ts";
import { OwnPostgres } from "../setup/own-postgres.ts";
import { temporaryFolder } from "../setup/process.ts";
import { has, testWith } from "../setup/programs.ts";

const folder = temporaryFolder();
const authority = join(folder, "ca.pem");
const testTls = testWith("openssl");
let postgres: OwnPostgres;

/** Runs openssl in the folder. */
function openssl(...words: string[]): void {
  const { status, stderr } = spawnSync("openssl", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** Makes an authority, and a key and a certificate of a server. */
function makeCertificates(): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", authority, "-days", "2", "-subj", "/CN=Authority");
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=PostgreSQL");
  writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1");
  const signed = ["-CA", authority, "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"];
  openssl("x509", "-req", "-in", "server.csr", ...signed, "-out", "server.pem");
}

beforeAll(async () => {
  if (!has("openssl") && !process.env.CI) return;
  postgres = await OwnPostgres.create();
  makeCertificates();
  const { uid, gid } = statSync(postgres.dataFolder);
  for (const file of ["server.key", "server.pem"]) {
    chownSync(join(folder, file), uid, gid);
    chmodSync(join(folder, file), 0o600);
  }
  await postgres.sql(`alter system set ssl_key_file = '${join(folder, "server.key")}'`);
  await postgres.sql(`alter system set ssl_cert_file = '${join(folder, "server.pem")}'`);
  await postgres.sql("alter system set ssl = on");
  await postgres.stop();
  await postgres.start();
});
afterAll(async () => {
  await postgres?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const state = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";

/** Whether connections of the ORM and of the name server are encrypted, to the server by its address or by other names. */
async function areEncrypted(parameters: string, named = (address: string) => address): Promise<readonly boolean[]> {
  const url = `${postgres.url.replace(/127\.0\.0\.1:\d+/, named)}?${parameters}`;
  const orm = await openDatabase({ url, connections: 1 });
  const readers = openReaders({ url, connections: 1 });
  const results = [await sql.raw(state).execute(connection({ em: orm.em.fork() })), await readers.query(state)];
  await readers.end();
  await orm.close(true);
  return results.map(({ rows }) => (rows[0] as { ssl: boolean }).ssl);
}

testTls.each<[parameters: string, isEncrypted: boolean]>([
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

testTls("a certificate for another name is no obstacle to verify-ca", async () => {
  expect(await areEncrypted(`sslmode=verify-ca&sslrootcert=${authority}`, byName)).toEqual([true, true]);
});

testTls(
  "with verify-full there is no connection to a name that is not the certificate's, and it is said why",
  async () => {
    await expect(areEncrypted(`sslmode=verify-full&sslrootcert=${authority}`, byName)).rejects.toThrow(
      /^The database cannot be reached \(.*Host: localhost\. is not .*\); check/,
    );
  },
);

testTls.each(["verify-full", `verify-ca&sslrootcert=${join(import.meta.dirname, "example.com.zone")}`])(
  "with sslmode=%s there is no connection to a server of an authority that is not trusted",
  async (mode) => {
    await expect(areEncrypted(`sslmode=${mode}`)).rejects.toThrow(/^The database cannot be reached \(.+\); check/);
  },
);

testTls("of several names of a server, the one that its certificate is for is used", async () => {
  const both = (address: string) => `${byName(address)},${address}`;
  expect(await areEncrypted(`sslmode=verify-full&sslrootcert=${authority}`, both)).toEqual([true, true]);
  await expect(areEncrypted("sslmode=verify-full", both)).rejects.toThrow(
    /No server of DATABASE_URL is the primary \(.*certificate/,
  );
});
