/** The audit where the operator gives the service a role that does not own the tables: it only adds to it, and works all the same. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import { reachDatabase } from "../../../src/doctor/database.ts";
import { type Service, start } from "../../../src/main.ts";
import { restoreBackup } from "../../../src/service/restore-backup.ts";
import { takeBackup } from "../../../src/service/take-backup.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { dropDatabase, emptyDatabase, onServer, query } from "../../setup/database/database.ts";
import { adminKey, Client } from "../../setup/service/client.ts";

const suffix = randomBytes(4).toString("hex");
const [owner, role] = [`zonesmith_owner_${suffix}`, `zonesmith_${suffix}`];
const password = "of-a-test";
let [superuserUrl, ownerUrl, roleUrl] = ["", "", ""];
let service: Service;
const client = new Client();

const as = (user: string) => superuserUrl.replace(/\/\/([^@/]*@)?/, `//${user}:${password}@`);

const environment = () => ({
  ...{ DATABASE_URL: roleUrl, DATABASE_OWNER_URL: ownerUrl, AUDIT_DAYS: "30" },
  ...{ HTTP_PORT: "0", DNS_PORT: "0", LOG_LEVEL: "silent", ADMIN_API_KEY: adminKey },
});

beforeAll(async () => {
  superuserUrl = await emptyDatabase();
  const name = new URL(superuserUrl).pathname.slice(1);
  // As docs/operation.md has it.
  await onServer(`create role ${owner} login password '${password}'`);
  await onServer(`create role ${role} login password '${password}'`);
  await onServer(`alter database ${name} owner to ${owner}`);
  [ownerUrl, roleUrl] = [as(owner), as(role)];
  service = await start(readConfig(environment()));
  client.url = service.url;
});
afterAll(async () => {
  await service.stop();
  await dropDatabase(superuserUrl);
  await onServer(`drop role ${owner}`);
  await onServer(`drop role ${role}`);
});

test("the service writes zones and its audit, and can change no entry", async () => {
  await client.data('mutation { createUser(input: { email: "a@example.com" }) { user { id } } }');
  const [user] = await query<{ id: string }>(roleUrl, 'select id::text as id from "user"');
  await client.data(`mutation {
    createDomain(input: { zone: "example.com", userId: "${user?.id}" }) { domain { id } }
    importZone(input: { zone: "example.com", text: "a 300 IN A 192.0.2.1", mode: MERGE }) { change { id } }
    deleteDomain(input: { by: { zone: "example.com" } }) { deletedId }
  }`);
  const operations = "select operation from audit_entry where zone = 'example.com' order by id";
  expect((await query<{ operation: string }>(roleUrl, operations)).map(({ operation }) => operation)).toEqual([
    ...["createDomain", "importZone", "deleteDomain"],
  ]);
  for (const statement of ["update audit_entry set zone = null", "delete from audit_entry", "truncate audit_entry"])
    await expect(query(roleUrl, statement)).rejects.toThrow("permission denied");
});

test("what is too old is removed by the service all the same, and nothing that is not", async () => {
  const insert = `insert into audit_entry (id, created_at, door, operation)
    select age, now() - age * interval '1 day', 'system', 'old' from unnest(array[40, 31, 29]) age`;
  await query(ownerUrl, insert);
  const old = "select id::int as id from audit_entry where operation = 'old' order by id";
  const prune = "select prune_audit(now(), 1000)::int as count";
  expect(await query(roleUrl, prune)).toEqual([{ count: 2 }]);
  expect(await query(roleUrl, old)).toEqual([{ id: 29 }]);
});

test("doctor says which of it holds", async () => {
  const findingOf = async (settings: Record<string, string>) => {
    await using resources = new AsyncDisposableStack();
    const { findings } = await reachDatabase(readConfig({ ...environment(), ...settings }), resources);
    return findings.find(({ check }) => check === "audit");
  };
  expect(await findingOf({})).toMatchObject({ level: "OK" });
  expect(await findingOf({ DATABASE_URL: ownerUrl })).toMatchObject({ level: "WARNING" });
  expect(await findingOf({ DATABASE_URL: ownerUrl, DATABASE_OWNER_URL: "" })).toMatchObject({ level: "OK" });
});

test("once it is migrated, it starts without the owner's URL", async () => {
  const { DATABASE_OWNER_URL: _, ...without } = environment();
  const another = await start(readConfig(without));
  await another.stop();
});

test("it does not start by a URL of the same role, and says so", async () => {
  const same = readConfig({ ...environment(), DATABASE_OWNER_URL: roleUrl });
  await expect(start(same)).rejects.toThrow("DATABASE_OWNER_URL names another database");
});

test("a backup is not restored by the owner of another database than that of the service", async () => {
  const file = join(temporaryFolder(), "backup.tar.gz");
  await takeBackup(readConfig(environment()), file, () => {});
  const other = new URL(roleUrl);
  other.pathname = "/postgres";
  const config = readConfig({ ...environment(), DATABASE_URL: other.href });
  await expect(restoreBackup(config, file, { anySecretKey: true, onProgress: () => {} })).rejects.toThrow(
    "DATABASE_OWNER_URL names another database",
  );
});
