/**
 * What every name server that follows us must do: one table of steps, run in order for each of them. The server is started with
 * nothing but a place to run and the stanza as it was printed.
 */
import { beforeAll, describe, expect } from "@jest/globals";
import { recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { transfer } from "../../setup/servers/follower.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { askAt } from "../../setup/servers/kdig.ts";
import type { Server } from "../../setup/servers/name-servers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const catalog = "catalog.zonesmith";
const created = "created.example.com";

/** One record of every type that can be created; the SOA is there already, and an NS makes a delegation for the DS. */
const ofEveryType = [
  ...recordTypes
    .filter(({ creatable, mnemonic }) => creatable && mnemonic !== "SOA")
    .map(({ mnemonic, example }) => ({ owner: `a-${mnemonic.toLowerCase()}`, type: mnemonic, rdata: example })),
  { owner: "a-ds", type: "NS", rdata: "ns.example.net." },
  { owner: "unknown", type: "TYPE65280", rdata: "\\# 3 00ff0a" },
];

/** Runs the steps; with `large` also that of a zone of so many records, with `many` that of so many zones created at once. */
export function steps(server: Server, { large = 0, many = 0 } = {}): void {
  const test = testWith("kdig", "dig", ...server.programs);
  const service = testService();
  let userId: string;
  beforeAll(async () => {
    userId = await service.user("owner@example.com");
    await service.domain("before.example.com", userId);
  });
  const following = testFollowing(service, server);

  const run = (name: string, input: Json) => service.mutate(name, input, "change { id }");
  const answersOf = async (name: string) => (await following.ask(name, "A")).answers;

  describe(server.name, () => {
    test("serves a domain that was there before it came, and its next change", async () => {
      const zone = "before.example.com";
      await following.add(zone, "a");
      expect(await answersOf(`a.${zone}`)).toEqual(["192.0.2.1"]);
      await following.servesOurs(zone);
    });

    test("serves a domain that is created", async () => {
      await following.published("createDomain", { zone: created, userId });
      expect(await following.ask(`www.${created}`, "CNAME")).toEqual({ status: "NOERROR", answers: [`${created}.`] });
      await following.servesOurs(created);
    });

    test(`serves records that are added, edited and deleted, each fetched by ${server.transferKind}`, async () => {
      const zone = "records.example.com";
      await following.published("createDomain", { zone, userId });
      const name = `a.${zone}`;
      const fetched = async () => {
        await following.acknowledgesNotify(zone);
        await eventually(async () =>
          expect(await following.noted("lastTransfer { zone kind } lastTsigError { message }")).toEqual({
            lastTransfer: { zone, kind: server.transferKind },
            lastTsigError: null,
          }),
        );
      };
      const record = await following.add(zone, "a");
      expect(await answersOf(name)).toEqual(["192.0.2.1"]);
      await fetched();
      await following.published("updateRecord", { recordId: record, rdata: "192.0.2.2" });
      expect(await answersOf(name)).toEqual(["192.0.2.2"]);
      await fetched();
      await following.published("deleteRecord", { recordId: record });
      expect(await following.ask(name, "A")).toEqual({ status: "NXDOMAIN", answers: [] });
      await fetched();
      await following.servesOurs(zone);
    });

    test("serves records of every type as they are in the database", async () => {
      const zone = "types.example.com";
      await following.published("createDomain", { zone, userId });
      await following.published("changeRecords", { zone, add: ofEveryType });
      expect(await following.servesOurs(zone)).toBe(ofEveryType.length + 4);
      await following.add(zone, "z");
      await following.servesOurs(zone);
    });

    if (large > 0)
      test(`serves a zone of ${large} records, and fetches its next change alone`, async () => {
        const zone = "large.example.com";
        await following.published("createDomain", { zone, userId });
        const lines = Array.from({ length: large }, (_, at) => `h${at} 300 A 192.0.2.${at % 250}\n`);
        const imported = await service.rest("POST", `/domain/zonefile/${zone}`, {
          body: lines.join(""),
          headers: { "Content-Type": "text/dns" },
        });
        expect([imported.status, imported.body.added]).toEqual([200, large]);
        await following.live(imported.headers.get("x-change-id") ?? "");
        await following.add(zone, "z");
        expect((await following.noted("lastTransfer { kind }")).lastTransfer.kind).toBe(server.transferKind);
        expect(await following.servesOurs(zone)).toBe(large + 5);
      });

    if (many > 0)
      test(`serves ${many} domains that are created at once, by fewer changes of the catalog`, async () => {
        const changes = async () => (await service.sql("select from change where zone = $1", [catalog])).length;
        const before = await changes();
        const zones = Array.from({ length: many }, (_, at) => `many${at}.example.com`);
        const created = await Promise.all(zones.map((zone) => run("createDomain", { zone, userId })));
        for (const { change } of created) await following.live(change.id);
        expect((await changes()) - before).toBeLessThan(many);
      });

    test("has what it has by its key: a transfer that is not signed is refused, and the catalog hidden", async () => {
      expect(await transfer(service.dnsPort, created, following.key)).toContain(`${created}.`);
      expect(await transfer(service.dnsPort, created)).toMatch(/^; Transfer failed\.$/m);
      expect((await askAt(service.dnsPort, catalog, "SOA")).status).toBe("REFUSED");
      expect((await askAt(service.dnsPort, created, "SOA")).status).toBe("NOERROR");
      if (server.followsCatalog)
        expect(await transfer(service.dnsPort, catalog, following.key)).toMatch(/\sTXT\s|TYPE16/);
    });

    test("lets its key transfer the catalog and a member, and a stranger neither", async () => {
      for (const zone of server.followsCatalog ? [catalog, created] : [created]) {
        expect(await transfer(following.port, zone, following.key)).toContain(`${zone}.`);
        expect(await transfer(following.port, zone)).toMatch(/^; Transfer failed\.$/m);
      }
    });

    test("that was away catches up when it is back", async () => {
      await following.stop();
      const { change } = await run("createRecord", { zone: created, owner: "away", type: "A", rdata: "192.0.2.8" });
      await eventually(async () => expect(await stateOf(change)).toMatchObject({ lastError: expect.any(String) }));
      await following.start();
      await following.live(change.id);
      expect(await answersOf(`away.${created}`)).toEqual(["192.0.2.8"]);
    });

    test("with a wrong secret takes nothing, and we say why; with the right one it catches up", async () => {
      await following.stop();
      await following.startWithSecret(Buffer.from("another secret, of as many octets").toString("base64"));
      const { change } = await run("createRecord", { zone: created, owner: "late", type: "A", rdata: "192.0.2.9" });
      await eventually(async () =>
        expect((await following.noted("lastTsigError { message }")).lastTsigError?.message).toMatch(/secret/),
      );
      expect(await stateOf(change)).toMatchObject({ state: "PENDING" });
      expect(await answersOf(`late.${created}`)).toEqual([]);
      await following.stop();
      await following.startWithSecret(following.key.secret);
      await following.live(change.id);
      expect(await answersOf(`late.${created}`)).toEqual(["192.0.2.9"]);
    });

    test("refuses a domain that was deleted", async () => {
      await run("deleteDomain", { by: { zone: created } });
      await following.learn();
      await eventually(async () => expect((await following.ask(created, "SOA")).status).toBe("REFUSED"));
      expect((await following.ask("records.example.com", "SOA")).status).toBe("NOERROR");
    });

    test("serves a domain that is created under the name of a deleted one, and nothing of the old one", async () => {
      const zone = "again.example.com";
      await following.published("createDomain", { zone, userId });
      await following.add(zone, "old");
      await run("deleteDomain", { by: { zone } });
      await following.published("createDomain", { zone, userId });
      await eventually(async () => expect((await following.ask(`old.${zone}`, "A")).status).toBe("NXDOMAIN"));
      await eventually(() => following.servesOurs(zone));
    });
  });

  /** What is known of a change at the server. */
  async function stateOf({ id }: { id: string }): Promise<Json> {
    const { change } = await service.data(
      `{ change(id: "${id}") { publication { secondaries { state lastError } } } }`,
    );
    return change.publication.secondaries[0];
  }
}
