/**
 * What every name server that follows us must do: one table of steps, run in order for each of them. The server is started with
 * nothing but a place to run and the stanza as it was printed.
 */
import { beforeAll, describe, expect } from "@jest/globals";
import { recordTypes } from "../../src/dns/rdata/record-type-registry.ts";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { transfer } from "../setup/servers/follower.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { askAt } from "../setup/servers/kdig.ts";
import type { Server } from "../setup/servers/name-servers.ts";
import { type Json, testService } from "../setup/service/service.ts";

const catalog = "catalog.zonesmith";
const written = "change { id serial }";
const documents = {
  createDomain: `mutation ($input: CreateDomainInput!) { createDomain(input: $input) { ${written} } }`,
  deleteDomain: `mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { ${written} } }`,
  createRecord: `mutation ($input: CreateRecordInput!) { createRecord(input: $input) { ${written} record { id } } }`,
  updateRecord: `mutation ($input: UpdateRecordInput!) { updateRecord(input: $input) { ${written} record { id } } }`,
  deleteRecord: `mutation ($input: DeleteRecordInput!) { deleteRecord(input: $input) { ${written} } }`,
  changeRecords: `mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { ${written} } }`,
};

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

  const run = async (mutation: keyof typeof documents, input: Json): Promise<Json> =>
    (await service.data(documents[mutation], { input }))[mutation];
  /** Runs a mutation, and expects that its change becomes LIVE at the server. */
  const published = async (mutation: keyof typeof documents, input: Json): Promise<Json> => {
    const payload = await run(mutation, input);
    await following.learn();
    await following.live(payload.change.id);
    return payload;
  };

  describe(server.name, () => {
    test("serves a domain that was there before it came, and its next change", async () => {
      const zone = "before.example.com";
      await published("createRecord", { zone, owner: "a", type: "A", rdata: "192.0.2.1" });
      expect((await following.ask(`a.${zone}`, "A")).answers).toEqual(["192.0.2.1"]);
      await following.servesOurs(zone);
    });

    test("serves a domain that is created over GraphQL", async () => {
      await published("createDomain", { zone: "graphql.example.com", userId });
      expect(await following.ask("www.graphql.example.com", "CNAME")).toEqual({
        status: "NOERROR",
        answers: ["graphql.example.com."],
      });
      await following.servesOurs("graphql.example.com");
    });

    test("serves a domain that is created over REST, and its records", async () => {
      const domain = await service.rest("POST", "/domain/add", {
        form: { zone: "rest.example.com", user_id: userId },
        headers: server.followsCatalog ? { Prefer: "wait=30" } : {},
      });
      expect(domain.status).toBe(201);
      if (server.followsCatalog) expect(domain.headers.get("x-publication")).toBe("LIVE");
      await following.learn();
      await following.live(domain.headers.get("x-change-id") ?? "");
      const form = { zone: "rest.example.com", owner: "a", rtype: "A", rdata: "192.0.2.1", ttl: 300 };
      const record = await service.rest("POST", "/record/add", { form, headers: { Prefer: "wait=30" } });
      expect(record.headers.get("x-publication")).toBe("LIVE");
      expect((await following.ask("a.rest.example.com", "A")).answers).toEqual(["192.0.2.1"]);
      await following.servesOurs("rest.example.com");
    });

    test(`serves records that are added, edited and deleted, each fetched by ${server.transferKind}`, async () => {
      const zone = "records.example.com";
      await published("createDomain", { zone, userId });
      const name = `a.${zone}`;
      const fetched = () =>
        eventually(async () =>
          expect(await following.noted("notifyAnswer transferZone transferKind tsigError")).toEqual({
            notifyAnswer: "NOERROR",
            transferZone: zone,
            transferKind: server.transferKind,
            tsigError: null,
          }),
        );
      const { record } = await published("createRecord", { zone, owner: "a", type: "A", rdata: "192.0.2.1" });
      expect((await following.ask(name, "A")).answers).toEqual(["192.0.2.1"]);
      await fetched();
      const edited = await published("updateRecord", { id: record.id, rdata: "192.0.2.2" });
      expect((await following.ask(name, "A")).answers).toEqual(["192.0.2.2"]);
      await fetched();
      await published("deleteRecord", { id: edited.record.id });
      expect(await following.ask(name, "A")).toEqual({ status: "NXDOMAIN", answers: [] });
      await fetched();
      await following.servesOurs(zone);
    });

    test("serves records of every type as they are in the database", async () => {
      const zone = "types.example.com";
      await published("createDomain", { zone, userId });
      await published("changeRecords", { zone, add: ofEveryType });
      expect(await following.servesOurs(zone)).toBe(ofEveryType.length + 4);
      await published("createRecord", { zone, owner: "z", type: "A", rdata: "192.0.2.1" });
      await following.servesOurs(zone);
    });

    if (large > 0)
      test(`serves a zone of ${large} records, and fetches its next change alone`, async () => {
        const zone = "large.example.com";
        await published("createDomain", { zone, userId });
        const lines = Array.from({ length: large }, (_, at) => `h${at} 300 A 192.0.2.${at % 250}\n`);
        const imported = await service.rest("POST", `/domain/zonefile/${zone}`, {
          body: lines.join(""),
          headers: { "Content-Type": "text/dns" },
        });
        expect([imported.status, imported.body.added]).toEqual([200, large]);
        await following.live(imported.headers.get("x-change-id") ?? "");
        await published("createRecord", { zone, owner: "z", type: "A", rdata: "192.0.2.1" });
        expect((await following.noted("transferKind")).transferKind).toBe(server.transferKind);
        expect(await following.servesOurs(zone)).toBe(large + 5);
      });

    if (many > 0)
      test(`serves ${many} domains that are created at once, by fewer changes of the catalog`, async () => {
        const changes = async () =>
          (await service.sql("select from change where zone = $1", [catalog])).length as number;
        const before = await changes();
        const zones = Array.from({ length: many }, (_, at) => `many${at}.example.com`);
        const created = await Promise.all(zones.map((zone) => run("createDomain", { zone, userId })));
        for (const { change } of created) await following.live(change.id);
        expect((await changes()) - before).toBeLessThan(many);
      });

    test("has what it has by its key: a transfer that is not signed is refused, and the catalog hidden", async () => {
      expect(await transfer(service.dnsPort, "graphql.example.com", following.key)).toContain("graphql.example.com.");
      expect(await transfer(service.dnsPort, "graphql.example.com")).toMatch(/^; Transfer failed\.$/m);
      expect((await askAt(service.dnsPort, catalog, "SOA")).status).toBe("REFUSED");
      expect((await askAt(service.dnsPort, "graphql.example.com", "SOA")).status).toBe("NOERROR");
      if (server.followsCatalog)
        expect(await transfer(service.dnsPort, catalog, following.key)).toMatch(/\sTXT\s|TYPE16/);
    });

    test("that was away catches up when it is back", async () => {
      const zone = "graphql.example.com";
      await following.stop();
      const { change } = await run("createRecord", { zone, owner: "away", type: "A", rdata: "192.0.2.8" });
      await eventually(async () => expect(await stateOf(change)).toMatchObject({ lastError: expect.any(String) }));
      await following.start();
      await following.live(change.id);
      expect((await following.ask(`away.${zone}`, "A")).answers).toEqual(["192.0.2.8"]);
    });

    test("with a wrong secret takes nothing, and we say why; with the right one it catches up", async () => {
      const zone = "graphql.example.com";
      await following.stop();
      await following.startWithSecret(Buffer.from("another secret, of as many octets").toString("base64"));
      const { change } = await run("createRecord", { zone, owner: "late", type: "A", rdata: "192.0.2.9" });
      await eventually(async () => expect((await following.noted("tsigError")).tsigError).toMatch(/secret/));
      expect(await stateOf(change)).toMatchObject({ state: "PENDING" });
      expect((await following.ask(`late.${zone}`, "A")).answers).toEqual([]);
      await following.stop();
      await following.startWithSecret(following.key.secret);
      await following.live(change.id);
      expect((await following.ask(`late.${zone}`, "A")).answers).toEqual(["192.0.2.9"]);
    });

    test("refuses a domain that was deleted", async () => {
      const zone = "rest.example.com";
      const gone = await service.rest("DELETE", "/domain/delete", {
        form: { zone },
        headers: server.followsCatalog ? { Prefer: "wait=30" } : {},
      });
      expect(gone.status).toBe(204);
      if (server.followsCatalog) expect(gone.headers.get("x-publication")).toBe("LIVE");
      await following.learn();
      await eventually(async () => expect((await following.ask(zone, "SOA")).status).toBe("REFUSED"));
      expect((await following.ask("records.example.com", "SOA")).status).toBe("NOERROR");
    });

    test("serves a domain that is created under the name of a deleted one, and nothing of the old one", async () => {
      const zone = "again.example.com";
      await published("createDomain", { zone, userId });
      await published("createRecord", { zone, owner: "old", type: "A", rdata: "192.0.2.1" });
      await run("deleteDomain", { zone });
      await published("createDomain", { zone, userId });
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
