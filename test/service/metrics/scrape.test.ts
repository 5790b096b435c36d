/** What a scrape of the running service shows. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { scrape } from "../../setup/basics/exposition.ts";
import { opened } from "../../setup/basics/opened.ts";
import { DatabaseProxy } from "../../setup/database/database-proxy.ts";
import { ask, queryOf } from "../../setup/dns/dns-client.ts";
import { Responder } from "../../setup/dns/responder.ts";
import { testService } from "../../setup/service/service.ts";

const key = "metrics-key-of-a-test-0123456789-0123456789";
let proxy: DatabaseProxy;
const service = testService({ METRICS_PORT: "0", METRICS_KEY: key, PUBLICATION_LATE_SECONDS: "1" }, (url) => {
  proxy = new DatabaseProxy(url);
  return proxy.open();
});
const secondary = opened(new Responder());
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});
afterAll(() => proxy.close());

/** The value of a sample; 0 where there is no such sample. */
const value = async (name: string) => (await scrape(service.metricsUrl, key)).get(name) ?? 0;

/** By how much samples grow while something is done. */
async function growth(names: readonly string[], act: () => Promise<unknown>): Promise<number[]> {
  const before = await scrape(service.metricsUrl, key);
  await act();
  // A request is counted when its connection has seen the end of the answer.
  return eventually(async () => {
    const after = await scrape(service.metricsUrl, key);
    const grown = names.map((name) => (after.get(name) ?? 0) - (before.get(name) ?? 0));
    if (grown.includes(0)) throw new Error(`not counted yet: ${names} ${grown}`);
    return grown;
  });
}

test("a scrape wants the key, at both ports; it is no key of the API", async () => {
  for (const url of [service.metricsUrl, `${service.url}/metrics`]) {
    const answer = async (header: Record<string, string>) => (await fetch(url, { headers: header })).status;
    expect(await answer({})).toBe(401);
    expect(await answer({ Authorization: `Bearer ${key}x` })).toBe(401);
    expect(await answer({ Authorization: `Bearer ${key}` })).toBe(200);
  }
  expect((await service.rest("GET", "/user/list", { key })).status).toBe(401);
  expect((await fetch(new URL("/", service.metricsUrl))).status).toBe(404);
});

test("a document with a field that the schema does not have is counted without the name of that field", async () => {
  const unnamed = 'zonesmith_http_requests_total{front="graphql",operation="",status="400"}';
  await growth([unnamed], () => service.graphql("{ madeUpField }"));
  const samples = [...(await scrape(service.metricsUrl, key)).keys()];
  expect(samples.filter((sample) => sample.includes("madeUpField"))).toEqual([]);
});

test("failures that no answer shows are counted and logged", async () => {
  await service.sql(
    `create function no_update() returns trigger language plpgsql as $$ begin raise 'no update'; end $$`,
  );
  await service.sql("create trigger no_update before update on api_key execute function no_update()");
  const sample = 'zonesmith_hidden_failures_total{part="key_use"}';
  const used = await service.key({ name: "used", userId });
  const [failures] = await growth([sample], () => service.data("{ viewer { role } }", {}, used));
  expect(failures).toBe(1);
});

test("requests are counted by front, operation and status, whatever clients name theirs", async () => {
  const graphql = 'zonesmith_http_requests_total{front="graphql",operation="users",status="200"}';
  const several = 'zonesmith_http_requests_total{front="graphql",operation="several",status="200"}';
  const rest = 'zonesmith_http_requests_total{front="rest",operation="GET /api/user/list/:id",status="404"}';
  const duration = 'zonesmith_http_request_duration_seconds_count{front="graphql",operation="users"}';
  const grown = await growth([graphql, several, rest, duration], async () => {
    // The third is answered by a plan.
    for (const name of ["mine", "yours", "yours"]) await service.data(`query ${name} { users { nodes { id } } }`);
    await service.data("{ users { nodes { id } } viewer { __typename } }");
    await service.rest("GET", "/user/list/7");
  });
  expect(grown).toEqual([3, 1, 1, 3]);
  expect([...(await scrape(service.metricsUrl, key)).keys()].filter((name) => /mine|yours/.test(name))).toEqual([]);
});

test("changes are counted by interface and kind when they are committed, refusals by code", async () => {
  const change = (door: string, kind: string) => `zonesmith_changes_total{source="${door}",kind="${kind}"}`;
  const grown = await growth(
    [
      change("graphql", "CREATE"),
      change("rest", "EDIT"),
      change("graphql", "EDIT"),
      change("graphql", "DELETE"),
      'zonesmith_refusals_total{front="rest",code="INVALID_RDATA"}',
      'zonesmith_refusals_total{front="graphql",code="DUPLICATE_RECORD"}',
    ],
    async () => {
      await service.domain("changes.example", userId);
      const form = { zone: "changes.example", owner: "a", rtype: "A", rdata: "192.0.2.1", ttl: 3600 };
      await service.rest("POST", "/record/add", { form });
      await service.rest("POST", "/record/add", { form: { ...form, rdata: "192.0.2.x" } });
      await service.record("changes.example", "b", "A", "192.0.2.1");
      await service.record("changes.example", "b", "A", "192.0.2.1").catch(() => {});
      const dry = { zone: "changes.example", dryRun: true, add: [{ owner: "c", type: "A", rdata: "192.0.2.1" }] };
      await service.mutate("changeRecords", dry, "change { id }");
      await service.rest("DELETE", "/domain/delete/", { form: { zone: "changes.example" } });
      await service.domain("deleted.example", userId);
      await service.mutate("deleteDomain", { by: { zone: "deleted.example" } }, "deletedId");
    },
  );
  expect(grown).toEqual([2, 1, 1, 1, 1, 1]);
});

test("DNS requests are counted by transport and rcode, also those that are answered from memory", async () => {
  await service.domain("dns.example", userId);
  const udp = (rcode: string) => `zonesmith_dns_queries_total{transport="udp",rcode="${rcode}"}`;
  const grown = await growth([udp("NOERROR"), udp("NXDOMAIN"), udp("REFUSED")], async () => {
    for (const name of ["www.dns.example.", "www.dns.example.", "www.dns.example.", "x.dns.example.", "other.example."])
      await ask(service.dnsPort, queryOf(name, "A"));
  });
  expect(grown).toEqual([3, 1, 1]);
});

test("pools, the journal, the process and the leader are shown", async () => {
  const shown = await scrape(service.metricsUrl, key);
  const pool = (state: string) =>
    shown.get(`zonesmith_database_pool_connections{pool="requests",state="${state}"}`) ?? 0;
  expect(pool("busy") + pool("idle")).toBeGreaterThan(0);
  expect(shown.get('zonesmith_database_pool_limit{pool="requests"}')).toBe(10);
  expect(shown.get("zonesmith_database_up")).toBe(1);
  const journal = (end: string) => shown.get(`zonesmith_journal_${end}_timestamp_seconds`) ?? 0;
  const [oldest, newest] = [journal("oldest"), journal("newest")];
  expect(oldest).toBeGreaterThan(1.7e9);
  expect(newest).toBeGreaterThanOrEqual(oldest);
  await service.sql("analyze domain");
  expect(await value("zonesmith_zones")).toBe((await service.sql("select from domain")).length);
  expect(shown.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
  expect([...shown.keys()]).toEqual(
    expect.arrayContaining(["nodejs_eventloop_lag_seconds", "zonesmith_http_requests_in_progress"]),
  );
  await eventually(async () => expect(await value("zonesmith_leader")).toBe(1));
});

test("a secondary that serves an earlier serial is pending, then late, and its lag grows until it serves the zone", async () => {
  const input = { name: 'ns"1', address: "127.0.0.1", port: secondary.port, allowUnsignedTransfer: true };
  await service.domain("late.example", userId);
  await service.mutate("createSecondary", input, "secondary { id }");
  const of = (name: string, more = "") => `zonesmith_secondary_${name}{secondary="ns\\"1"${more}}`;
  await eventually(async () => expect(await value(of("lag_seconds"))).toBeGreaterThan(1));
  expect([await value(of("joining")), await value(of("zones", ',state="late"'))]).toEqual([1, 0]);
  await service.sql("update secondary set joined_at = now()");
  await eventually(async () => expect(await value(of("zones", ',state="late"'))).toBeGreaterThan(0));
  expect(await value(of("lag_seconds"))).toBeGreaterThan(1);
  expect(await value(of("up"))).toBe(1);
  expect(await value("zonesmith_secondaries")).toBe(1);
  // A change resets neither: the secondary still does not serve what was committed before it.
  await service.record("late.example", "a", "A", "192.0.2.1");
  expect(await value(of("lag_seconds"))).toBeGreaterThan(1);
  await service.sql(`insert into transferred_zone (domain_id, secondary_id, serial, transferred_at)
    select d.id, s.id, d.serial, now() from domain d, secondary s`);
  const zones = await service.sql<{ zone: string; serial: number }>(
    "select zone, serial::float8 as serial from domain",
  );
  for (const { zone, serial } of zones) secondary.serials.set(zone, serial);
  await eventually(async () => expect(await value(of("lag_seconds"))).toBe(0));
  expect(await value(of("zones", ',state="late"'))).toBe(0);
  secondary.mute = true;
  await service.record("late.example", "b", "A", "192.0.2.1");
  await eventually(async () => expect((await scrape(service.metricsUrl, key)).get(of("up"))).toBe(0));
});

test("while the database is away, the rest is shown, and that it is away", async () => {
  proxy.silence();
  const shown = await eventually(async () => {
    const samples = await scrape(service.metricsUrl, key);
    expect(samples.get("zonesmith_database_up")).toBe(0);
    return samples;
  });
  expect(shown.get('zonesmith_database_pool_limit{pool="requests"}')).toBe(10);
  expect(shown.has("zonesmith_zones")).toBe(false);
});
