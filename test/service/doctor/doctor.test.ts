/** The checks upon a running service, its database, and secondaries of the test's own. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { Rcode } from "../../../src/dns/message/header.ts";
import { examine, type Installation } from "../../../src/doctor/doctor.ts";
import type { Finding } from "../../../src/doctor/finding.ts";
import { type Machine, thisMachine } from "../../../src/doctor/machine.ts";
import { checkWebhooks } from "../../../src/doctor/webhooks.ts";
import { clockAhead } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { freePort } from "../../setup/basics/free-port.ts";
import { opened } from "../../setup/basics/opened.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { onServer, query } from "../../setup/database/database.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { testService } from "../../setup/service/service.ts";
import { testZones } from "../../setup/zones/session.ts";

const settings = { NAME_SERVERS: "ns1.example.net. ns2.example.net.", HOSTMASTER: "hostmaster.example.net." };
const service = testService({ ...settings, LISTEN: "127.0.0.1" });
const zones = testZones();
const machine = { ...thisMachine(), isContainer: false };
const responder = opened(new Responder());
const folder = temporaryFolder();

async function examined(
  environment: Record<string, string> = {},
  more: Partial<Omit<Installation, "environment">> = {},
): Promise<Finding[]> {
  const own = { DATABASE_URL: service.databaseUrl, DNS_PORT: String(service.dnsPort), DATA_DIR: folder };
  const installation = { url: service.url, leastFree: 0, machine, ...more };
  const findings: Finding[] = [];
  for await (const each of examine({ environment: { ...settings, ...own, ...environment }, ...installation }))
    findings.push(each);
  return findings;
}

/** The PostgreSQL of the tests does not wait for the disk, which is found each time. */
const ofTests = ["fsync", "full_page_writes", "synchronous_commit"];

/** Warnings and failures, without what to do. */
const wrong = (findings: readonly Finding[], left = ofTests) =>
  findings
    .filter(({ level, check }) => (level === "WARNING" || level === "FAILURE") && !left.includes(check))
    .map(({ fix: _, ...finding }) => finding);

const lineOf = ({ check, level, finding }: Finding) => `${level} ${check}: ${finding}`;

const clockOf = (ms: number): Machine => ({ ...machine, now: clockAhead(ms) });

/** Registers the responder, with a key of its own that it has too unless it is to have none; returns the id. */
async function register(name: string, newTsigKey = `${name}.example`): Promise<string> {
  const place = { name, address: "127.0.0.1", port: responder.port };
  const input = { ...place, ...(newTsigKey && { newTsigKey }) };
  const { id } = (await service.mutate("createSecondary", input, "secondary { id }")).secondary;
  const [row] = await service.sql<{ secret: Buffer }>("select secret from tsig_key where name = $1", [newTsigKey]);
  if (row) responder.key = { name: `${name}.example`, key: { algorithm: "hmac-sha256", secret: row.secret } };
  return id;
}

/** Removes it, and lets the responder answer as a good secondary does. */
async function remove(id: string): Promise<void> {
  await service.mutate("deleteSecondary", { by: { id } }, "deletedId");
  responder.key = undefined;
  responder.onNotify = () => Rcode.NOERROR;
  responder.mute = false;
  responder.serials.clear();
}

test("a service that was just installed has nothing but notes", async () => {
  const findings = await eventually(async () => {
    const all = await examined();
    expect(wrong(all)).toEqual([]);
    return all;
  });
  const lines = findings.map(lineOf);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^OK database: PostgreSQL \d+/),
      expect.stringMatching(/^OK migrations: all \d+ have run$/),
      "OK clock: that of the database",
      expect.stringMatching(/^OK disk: \d+ MB free at/),
      expect.stringMatching(/^OK service: ready at http/),
      expect.stringMatching(/^OK DNS UDP: answers at 127\.0\.0\.1 port \d+$/),
      expect.stringMatching(/^OK DNS TCP: answers at/),
      expect.stringMatching(/^OK instances: 1; .* leads$/),
    ]),
  );
});

test.each([
  [10_000, "WARNING", /^This machine is 10 s ahead of its database\.$/],
  [-400_000, "FAILURE", /^This machine is 400 s behind its database\.$/],
] as const)("a clock that is %s ms off is a %s", async (ms, level, finding) => {
  expect(wrong(await examined({}, { machine: clockOf(ms) }))).toEqual([
    { check: "clock", level, finding: expect.stringMatching(finding) },
  ]);
});

test.each([
  [150, "FAILURE"],
  [400, "WARNING"],
] as const)("%s MB of free space are a %s", async (megabytes, level) => {
  const small: Machine = { ...machine, freeSpace: () => megabytes * 1e6 };
  expect(wrong(await examined({}, { machine: small, leastFree: 500 }))).toEqual([
    { check: "disk", level, finding: `${megabytes} MB are free at ${folder}.` },
  ]);
});

test("a file with a secret that every account may read is a warning", async () => {
  const file = join(folder, "secret");
  writeFileSync(file, "0123456789012345678901234567890123456789");
  chmodSync(file, 0o644);
  const finding = `Every account of this machine may read or write ${file}.`;
  expect(wrong(await examined({ SECRET_KEY_FILE: file }))).toEqual([
    { check: "secret files", level: "WARNING", finding },
  ]);
  chmodSync(file, 0o640);
  expect(wrong(await examined({ SECRET_KEY_FILE: file }))).toEqual([]);
});

test("settings that are not valid are a failure, and the service is looked at all the same", async () => {
  const findings = await examined({ DNS_CONNECTIONS: "none" });
  expect(findings.map(({ level, check }) => `${level} ${check}`)).toEqual(["FAILURE settings", "OK service"]);
});

test("a service that does not run is a failure, and its database is looked at all the same", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const findings = await examined({}, { url });
  const finding = expect.stringMatching(/^It does not run, or not at .*ECONNREFUSED/);
  expect(wrong(findings)).toEqual([{ check: "service", level: "FAILURE", finding }]);
  expect(findings.map(({ check }) => check)).toContain("migrations");
});

test("the embedded PostgreSQL of a service that does not run is a note, and of one that runs a sign of other settings", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const database = (findings: readonly Finding[]) => findings.filter(({ check }) => check === "database");
  expect(database(await examined({ DATABASE_URL: "" }, { url }))).toMatchObject([{ level: "NOTE" }]);
  expect(database(await examined({ DATABASE_URL: "" }))).toMatchObject([{ level: "WARNING" }]);
});

test("a port of DNS where nothing answers is a failure over both protocols", async () => {
  expect(wrong(await examined({ DNS_PORT: String(await freePort()) }))).toMatchObject([
    { check: "DNS UDP", level: "FAILURE", finding: expect.stringMatching(/no answer within 3 s/) },
    { check: "DNS TCP", level: "FAILURE", finding: expect.stringMatching(/ECONNREFUSED/) },
  ]);
});

test("a database that is not there, and migrations that have not run, are failures", async () => {
  const nowhere = new URL(service.databaseUrl);
  nowhere.pathname = "/zonesmith_test_nowhere";
  expect(wrong(await examined({ DATABASE_URL: String(nowhere) }))).toMatchObject([
    { check: "database", level: "FAILURE" },
  ]);
  const [last] = await service.sql<{ name: string; executed_at: Date }>(
    "delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name, executed_at",
  );
  try {
    const finding = `The tables are those of an earlier version; to run: ${last?.name}.`;
    expect(wrong(await examined())).toContainEqual({ check: "migrations", level: "FAILURE", finding });
  } finally {
    const again = "insert into mikro_orm_migrations (name, executed_at) values ($1, $2)";
    await service.sql(again, [last?.name, last?.executed_at]);
  }
});

test("settings of PostgreSQL by which it loses changes are said", async () => {
  const { pathname } = new URL(service.databaseUrl);
  await onServer(`alter database ${pathname.slice(1)} set synchronous_commit = off`);
  try {
    const [row] = await query<{ fsync: string }>(service.databaseUrl, "select current_setting('fsync') as fsync");
    const findings = wrong(await examined(), []);
    expect(findings).toContainEqual(expect.objectContaining({ check: "synchronous_commit", level: "WARNING" }));
    expect(findings.some(({ check, level }) => check === "fsync" && level === "FAILURE")).toBe(row?.fsync === "off");
  } finally {
    await onServer(`alter database ${pathname.slice(1)} reset synchronous_commit`);
  }
});

test("an instance that was killed, and one of another version, are warnings", async () => {
  await query(
    service.databaseUrl,
    `insert into instance (id, host, pid, version, started_at, seen_at) values
      (gen_random_uuid(), 'killed', 1, '0', now(), now() - interval '5 min'), (gen_random_uuid(), 'old', 2, '0', now(), now())`,
  );
  try {
    expect(wrong(await examined())).toMatchObject([
      { check: "instances", finding: expect.stringMatching(/^Another version .*: old \(process 2\): 0\.$/) },
      { check: "instances", finding: "Ended without saying so in the last hour: killed (process 1)." },
    ]);
  } finally {
    await service.sql("delete from instance where version = '0'");
  }
});

test("a secondary that follows is all right; one that does not answer, or refuses the key, NOTIFY or the catalog, is not", async () => {
  const userId = await service.user("doctor@example.com");
  await service.domain("doctor.example.com", userId);
  responder.serials.set("doctor.example.com", await service.serial("doctor.example.com"));
  const id = await register("ns1");
  await eventually(async () => expect(await service.serial("catalog.zonesmith")).toBeGreaterThan(0));
  const ofFirst = async (more: Partial<Installation> = {}) =>
    (await examined({}, more))
      .filter(({ check }) => check.startsWith("ns1: "))
      .map((each) => lineOf(each).replace("ns1: ", ""));
  try {
    responder.serials.set("catalog.zonesmith", await service.serial("catalog.zonesmith"));
    const good = [
      `OK reachable: 127.0.0.1 port ${responder.port} answers over UDP and TCP`,
      "OK TSIG: accepts and signs with ns1.example",
      "OK NOTIFY: answered",
      expect.stringMatching(/^OK catalog: \S+ is followed, at serial \d+$/),
      expect.stringMatching(/^OK zones: /),
    ];
    expect(await ofFirst()).toEqual(good);
    await service.sql("update change set created_at = created_at - interval '2 hours'");
    await service.sql("update secondary set created_at = now() - interval '1 hour' where id = $1", [id]);
    expect(await ofFirst()).toContainEqual(
      expect.stringMatching(
        /^WARNING zones: It is joining: it serves 0 of \d+ zones, and changes wait for it once it has all\.$/,
      ),
    );
    await service.sql("update secondary set joined_at = now() where id = $1", [id]);
    expect(await ofFirst({ machine: clockOf(-100_000) })).toContainEqual(
      expect.stringMatching(/^WARNING clock: It is (99|100|101) s ahead of this machine/),
    );
    responder.onNotify = () => Rcode.REFUSED;
    expect(await ofFirst()).toContainEqual(expect.stringMatching(/^WARNING NOTIFY: For catalog\.zonesmith: REFUSED;/));
    responder.onNotify = () => Rcode.NOERROR;
    responder.serials.delete("catalog.zonesmith");
    expect(await ofFirst()).toContainEqual(
      expect.stringMatching(/^WARNING catalog: It does not serve the catalog \S+ \(REFUSED\)/),
    );
    responder.key = undefined;
    expect(await ofFirst()).toContainEqual(expect.stringMatching(/^FAILURE TSIG: Its answer is not signed/));
    responder.mute = true;
    expect(await ofFirst()).toEqual([
      expect.stringMatching(/^FAILURE UDP: .*no answer within 2 s/),
      expect.stringMatching(/^FAILURE TCP: /),
      expect.stringMatching(/^OK zones: /),
    ]);
  } finally {
    await remove(id);
  }
});

test("a secondary without a key, and one whose key was revoked, are said", async () => {
  const unsigned = await register("ns3", "");
  try {
    expect(wrong(await examined())).toContainEqual(expect.objectContaining({ check: "ns3: TSIG", level: "WARNING" }));
  } finally {
    await remove(unsigned);
  }
  const id = await register("ns4");
  try {
    await service.sql("update tsig_key set revoked_at = now() where name = 'ns4.example'");
    const finding = "Its TSIG key was revoked or has expired; give the secondary another key.";
    expect(wrong(await examined())).toContainEqual({ check: "ns4: TSIG", level: "FAILURE", finding });
  } finally {
    await remove(id);
  }
});

test("the settings that the running service keeps hold, with the secrets of this shell, and secrets that it has not are said", async () => {
  const kept = { ...settings, DNS_PORT: String(service.dnsPort), DATA_DIR: folder };
  const inForce = (environment: Record<string, string>, secrets: string[]) =>
    examined({ DNS_PORT: "9", ...environment }, { running: { settings: kept, secrets } });
  expect((await inForce({}, ["DATABASE_URL"])).map(lineOf)).toEqual(
    expect.arrayContaining([
      `NOTE settings: The service runs with DNS_PORT=${service.dnsPort}, and this shell has others; those of the service were looked at.`,
      expect.stringMatching(/^OK DNS UDP: /),
      expect.stringMatching(/^OK database: /),
    ]),
  );
  const id = await register("ns5");
  try {
    await service.sql("update tsig_key set is_sealed = true where name = 'ns5.example'");
    const lines = (await inForce({}, ["DATABASE_URL", "SECRET_KEY"])).map(lineOf);
    const sealed =
      "NOTE ns5: TSIG: Its key is sealed with the SECRET_KEY of the service, which this shell has not; it was not asked.";
    expect(lines.filter((line) => /SECRET_KEY|^FAILURE (?!fsync)/.test(line))).toEqual([sealed]);
  } finally {
    await remove(id);
  }
  const without = (await inForce({ DATABASE_URL: "" }, ["DATABASE_URL"])).map(lineOf);
  expect(without.filter((line) => /^(NOTE|WARNING|FAILURE) database/.test(line))).toEqual([
    expect.stringMatching(/^NOTE database: The service has a DATABASE_URL, which this shell has not/),
  ]);
});

test("a webhook whose receiver takes nothing is a warning, and so is one that was switched off; others are not", async () => {
  const insert = `insert into webhook (name, url, events, secret, is_sealed, enabled, failing_since, disabled_reason, created_at,
      after_change_id, after_event_id)
    select name, 'https://hooks.invalid/', '{domain.created}', '\\x00', false, reason is null, since, reason, now(), 0, 0 from (values
      ('works', null::timestamptz, null::text), ('began to fail', now(), null), ('fails', now() - interval '1 hour', null),
      ('gone', now() - interval '1 day', 'The receiver answered 410: it wants no more messages.')
    ) as rows (name, since, reason)`;
  await zones.sql(insert);
  const findings = await checkWebhooks(zones.session());
  expect(findings.map(({ check, level }) => [check, level])).toEqual([
    ["webhook fails", "WARNING"],
    ["webhook gone", "WARNING"],
  ]);
  expect(findings[1]?.finding).toContain("answered 410");
});
