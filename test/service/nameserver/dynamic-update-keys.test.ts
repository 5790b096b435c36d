/**
 * Who may update what, what a refusal tells, and that each refusal can be read.
 */
import { expect, test } from "@jest/globals";
import { clientKey } from "../../setup/dns/update-client.ts";
import { testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService({ LOG_LEVEL: "warn", DNS_CONNECTIONS: "1000" });
const zone = updateZone(service);
const add = ["add a 300 A 192.0.2.1"];
let made = 0;
const keyName = () => `k${++made}.example.com`;

test("a key scoped to _acme-challenge writes TXT there and nothing else, and the refusal can be read", async () => {
  const owners = ["_acme-challenge*"];
  const key = await zone.makeKey({ name: keyName(), userId: zone.userId, zones: [zone.name], owners, types: ["TXT"] });
  const good = ["del _acme-challenge.www TXT", "add _acme-challenge.www 120 TXT token"];
  expect(await zone.client.update(zone.name, good, { key })).toMatchObject({ rcode: "NOERROR" });
  const stood = await zone.read();
  const answer = await zone.client.update(zone.name, [...good, ...add], { key });
  expect(answer).toMatchObject({ rcode: "REFUSED", tsigError: 0 });
  const [refusal] = await zone.refusals();
  expect(refusal).toMatchObject({
    ...{ code: "FORBIDDEN", rcode: "REFUSED", protocol: "UDP", keyName: key.name, keyAlgorithm: "hmac-sha256" },
    reason: expect.stringMatching(/may not write at a, only at _acme-challenge\*/),
    address: expect.stringMatching(/127\.0\.0\.1$/),
    domain: { zone: zone.name },
  });
  expect(refusal.requestLines).toHaveLength(3);
  expect(await zone.read()).toEqual(stood);
});

test("a revoked or expired key stops at once, and the audit says which", async () => {
  const key = await zone.makeKey({ name: keyName(), userId: zone.userId });
  expect((await zone.client.update(zone.name, add, { key })).rcode).toBe("NOERROR");
  await service.sql("update tsig_key set expires_at = now() where name = $1", [key.name]);
  expect(await zone.client.update(zone.name, add, { key })).toMatchObject({ rcode: "NOTAUTH", tsigError: 17 });
  expect((await zone.refusals())[0].reason).toMatch(/expired at .+; it is /);
  await service.sql("update tsig_key set revoked_at = now() where name = $1", [key.name]);
  expect(await zone.client.update(zone.name, add, { key })).toMatchObject({ rcode: "NOTAUTH", tsigError: 17 });
  expect((await zone.refusals())[0].reason).toMatch(/was revoked at /);
});

test.each([
  ["unsigned", undefined, {}, "REFUSED", /not signed/],
  ["of an unknown key", clientKey("nobody.example.com", "AAAA"), {}, "NOTAUTH", /no TSIG key nobody/],
  [
    "by hmac-md5",
    { ...clientKey("all.example.com", "AAAA"), algorithm: "hmac-md5" },
    {},
    "NOTAUTH",
    /hmac-md5.+cert-manager/,
  ],
  ["with another secret", clientKey("all.example.com", "AAAA"), {}, "NOTAUTH", /secrets differ/],
] as const)("an update %s is refused, and why is noted", async (_how, key, sending, rcode, reason) => {
  const stood = await zone.read();
  expect((await zone.client.update(zone.name, add, { key, ...sending })).rcode).toBe(rcode);
  expect(await zone.read()).toEqual(stood);
  expect(await zone.refusals()).toMatchObject([{ rcode, reason: expect.stringMatching(reason) }]);
  expect(service.logged.some((line) => line.includes(zone.name) && reason.test(line))).toBe(true);
});

test("a clock that is off is told with both times", async () => {
  const time = Date.UTC(2026, 0, 2, 3, 4, 5) / 1000;
  const answer = await zone.client.update(zone.name, add, { key: zone.key, time });
  expect(answer).toMatchObject({ rcode: "NOTAUTH", tsigError: 18 });
  expect((await zone.refusals())[0].reason).toMatch(/signed at 2026-01-02T03:04:05Z, here it is \d{4}-\d\d-\d\dT/);
});

test("a thousand changes come in one message, in one change", async () => {
  const lines = Array.from({ length: 1000 }, (_, at) => `add h${at} 300 A 192.0.2.${at % 250}`);
  const stood = await zone.read();
  expect((await zone.client.update(zone.name, lines, { key: zone.key, protocol: "tcp" })).rcode).toBe("NOERROR");
  const [counted] = await service.sql<{ changes: number; records: number }>(
    `select (select count(*)::int from change where domain_id = d.id) as changes,
      (select count(*)::int from zone_record where domain_id = d.id) as records from domain d where zone = $1`,
    [zone.name],
  );
  expect(counted).toEqual({ changes: stood.changes + 1, records: stood.records.length + 1 + 1000 });
});

test("a flood of updates is bounded: others are answered meanwhile, each update is answered, and each NOERROR stands in the journal", async () => {
  const stood = await zone.read();
  const flood = Array.from({ length: 400 }, (_, at) =>
    zone.client.update(zone.name, [`add f${at} 300 A 192.0.2.1`], { key: zone.key, protocol: "tcp" }),
  );
  let isOver = false;
  const answers = Promise.all(flood).finally(() => {
    isOver = true;
  });
  await service.data("{ ttlPolicy { choices } }");
  expect(isOver).toBe(false);
  const rcodes = (await answers).map(({ rcode }) => rcode);
  const done = rcodes.filter((rcode) => rcode === "NOERROR").length;
  expect(new Set(rcodes)).toEqual(new Set(done === 400 ? ["NOERROR"] : ["NOERROR", "SERVFAIL"]));
  const stands = await zone.read();
  expect([stands.changes - stood.changes, stands.serial - stood.serial]).toEqual([done, done]);
});
