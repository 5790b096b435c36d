import { afterAll, beforeAll, describe, expect } from "@jest/globals";
import { eventually } from "../setup/eventually.ts";
import { askPort, Knot } from "../setup/knot.ts";
import { has, testWith } from "../setup/programs.ts";
import { type Json, testService } from "../setup/service.ts";

const test = testWith("knotd", "kdig");
const service = testService();
const knot = new Knot();
let userId: string;

describe("Knot follows the catalog", () => {
  beforeAll(async () => {
    if (!has("knotd", "kdig") && !process.env.CI) return;
    userId = await service.user("owner@example.com");
    const key =
      "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { tsigKey { id name } secret } }";
    const { tsigKey, secret } = (await service.data(key, { input: { name: "knot.key.example" } })).createTsigKey;
    const port = await knot.choosePort();
    const secondary =
      "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }";
    await service.data(secondary, { input: { name: "knot", address: "127.0.0.1", port, tsigKey: tsigKey.id } });
    await knot.start({ port: service.dnsPort, catalog: "catalog.zonesmith", key: tsigKey.name, secret });
    await sighted("catalog.zonesmith");
  }, 60_000);
  afterAll(() => knot.remove(), 30_000);

  /** Waits until the zone is sighted at its committed serial; answers after how long. */
  async function sighted(zone: string): Promise<number> {
    const begun = performance.now();
    await eventually(async () =>
      expect(
        await service.sql(
          "select g.last_error from sighting g join domain d on d.id = g.domain_id and d.serial = g.serial where d.zone = $1",
          [zone],
        ),
      ).toEqual([{ last_error: null }]),
    );
    return performance.now() - begun;
  }

  const say = (what: string, ms: number) => process.stdout.write(`Knot: ${what} sighted after ${ms.toFixed(0)} ms\n`);

  test("a domain that is created is answered by Knot within a second", async () => {
    await service.domain("new.example.com", userId);
    say("a new domain", await sighted("new.example.com"));
    expect(await knot.ask("new.example.com", "NS")).toMatchObject({
      status: "NOERROR",
      answers: expect.any(Array) as Json,
    });
    expect((await knot.ask("www.new.example.com", "CNAME")).answers).toEqual(["new.example.com."]);
  });

  test("a change is answered by Knot, fetched by IXFR and noted at the secondary", async () => {
    await service.domain("changed.example.com", userId);
    await sighted("changed.example.com");
    await service.record("changed.example.com", "a", "A", "192.0.2.7");
    say("a change", await sighted("changed.example.com"));
    expect((await knot.ask("a.changed.example.com", "A")).answers).toEqual(["192.0.2.7"]);
    await eventually(async () =>
      expect((await service.sql("select transfer_zone, transfer_kind, notify_answer from secondary"))[0]).toEqual({
        transfer_zone: "changed.example.com",
        transfer_kind: "IXFR",
        notify_answer: "NOERROR",
      }),
    );
  });

  test("a deleted domain is refused by Knot, and that is sighted", async () => {
    await service.domain("gone.example.com", userId);
    await sighted("gone.example.com");
    await service.data("mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { __typename } }", {
      input: { zone: "gone.example.com" },
    });
    const begun = performance.now();
    await eventually(async () =>
      expect(await service.sql("select is_refused from sighting where zone = 'gone.example.com'")).toEqual([
        { is_refused: true },
      ]),
    );
    say("a deletion", performance.now() - begun);
    expect((await knot.ask("gone.example.com", "SOA")).status).toBe("REFUSED");
  });

  test("a domain that is created again under the name of a deleted one is served anew", async () => {
    const mutation = "mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { __typename } }";
    await service.domain("again.example.com", userId);
    await service.record("again.example.com", "old", "A", "192.0.2.1");
    await sighted("again.example.com");
    await service.data(mutation, { input: { zone: "again.example.com" } });
    await service.domain("again.example.com", userId);
    await sighted("again.example.com");
    await eventually(async () => expect((await knot.ask("old.again.example.com", "A")).status).toBe("NXDOMAIN"));
  });

  test("the catalog is hidden from those who do not sign, on our port", async () => {
    expect(await askPort(service.dnsPort, "catalog.zonesmith", "SOA")).toEqual({ status: "REFUSED", answers: [] });
    expect(await askPort(service.dnsPort, "new.example.com", "SOA")).toMatchObject({ status: "NOERROR" });
  });

  test("a hundred domains created at once all arrive, by few changes of the catalog", async () => {
    const before = await catalogChanges();
    const zones = Array.from({ length: 100 }, (_, at) => `many${at}.example.com`);
    await Promise.all(zones.map((zone) => service.domain(zone, userId)));
    const begun = performance.now();
    for (const zone of zones) await sighted(zone);
    say("a hundred new domains", performance.now() - begun);
    expect((await catalogChanges()) - before).toBeLessThan(50);
  });

  test("Knot that was away catches up when it is back", async () => {
    await service.domain("away.example.com", userId);
    await sighted("away.example.com");
    const [{ key, secret }] = (await service.sql<{ key: string; secret: string }>(
      "select name as key, encode(secret, 'base64') as secret from tsig_key",
    )) as [{ key: string; secret: string }];
    await knot.stop();
    await service.record("away.example.com", "late", "A", "192.0.2.9");
    await eventually(async () =>
      expect(
        await service.sql("select last_error from sighting where zone = 'away.example.com' and last_error is not null"),
      ).toHaveLength(1),
    );
    await knot.start({ port: service.dnsPort, catalog: "catalog.zonesmith", key, secret });
    await sighted("away.example.com");
    expect((await knot.ask("late.away.example.com", "A")).answers).toEqual(["192.0.2.9"]);
  });

  async function catalogChanges(): Promise<number> {
    const [row] = await service.sql<{ count: number }>(
      "select count(*)::int as count from change where zone = 'catalog.zonesmith'",
    );
    return row?.count as number;
  }
});
