/**
 * Name servers follow zones that go back, and change sets: a revert to a moment, a change that is undone, a deleted domain that is restored,
 * a set of ten zones.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { servers } from "../../setup/servers/name-servers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...servers.flatMap(({ programs }) => programs));
const service = testService({ LOG_LEVEL: "info" });
const followers = servers.map((server) => testFollowing(service, server));
const zone = "back.example.com";
const seen = "change { id serial publication(waitMs: 60000) { state } }";
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

/** Runs a mutation, and expects that all servers come to serve its result, record for record. */
async function published(mutation: string, input: Json, name = zone): Promise<{ id: string; serial: number }> {
  const { change } = await service.mutate(mutation, input, seen);
  expect([mutation, change.publication]).toEqual([mutation, { state: "LIVE" }]);
  for (const follower of followers) await follower.servesOurs(name);
  return change;
}

async function expectMailAt(answers: readonly string[]): Promise<void> {
  for (const follower of followers) expect((await follower.ask(zone, "MX")).answers).toEqual(answers);
}

/** Expects that each server has fetched what a zone was after this serial, and only as a whole or, where it asks for that, by its changes. */
async function expectFetched(name: string, after: number, isWhole = false): Promise<void> {
  // A transfer is logged when the server may have all of it already.
  await eventually(() => {
    const lines: Json[] = service.logged.map((line) => JSON.parse(line));
    const transfers = lines.filter(({ msg, zone, serial }) => msg === "transferred" && zone === name && serial > after);
    for (const { key, server } of followers) {
      const kinds = new Set(transfers.filter((line) => line.key === key.name).map(({ kind }) => kind));
      expect([server.name, [...kinds]]).toEqual([server.name, [isWhole ? "AXFR" : server.transferKind]]);
    }
  });
}

const mx = { owner: "@", type: "MX", rdata: "10 mail.example.org." };
const mail = ["10 mail.example.org."];

test("Knot, BIND, NSD and PowerDNS serve what a zone went back to, each time at a later serial", async () => {
  await service.domain(zone, userId);
  for (const follower of followers) await follower.learn();
  const added = await published("changeRecords", { zone, add: [mx] });
  await expectMailAt(mail);
  const { records } = await service.data(`{ records(filter: { zone: "${zone}", types: ["MX"] }) { nodes { id } } }`);
  const removed = await published("changeRecords", { zone, remove: [records.nodes[0].id] });
  await expectMailAt([]);
  const undone = await published("revertChange", { changeId: removed.id });
  await expectMailAt(mail);
  const back = await published("revertDomain", { by: { zone }, to: { changeId: removed.id } });
  await expectMailAt([]);
  const again = await published("revertDomain", { by: { zone }, to: { serial: added.serial } });
  await expectMailAt(mail);
  await expectFetched(zone, added.serial);
  const serials = [added, removed, undone, back, again].map(({ serial }) => serial);
  expect(serials).toEqual(serials.toSorted((a, b) => a - b));
});

test.each([
  ["while they still have it", ""],
  ["after they have removed it", "publication(waitMs: 60000) { state }"],
])(
  "Knot, BIND, NSD and PowerDNS serve a domain that is restored %s, at a serial after its last one",
  async (_when, awaited) => {
    const last = await service.serial(zone);
    await service.mutate("deleteDomain", { by: { zone } }, `change { kind ${awaited} }`);
    expect((await published("restoreDomain", { by: { zone } })).serial).toBeGreaterThan(last);
    await expectMailAt(mail);
    await expectFetched(zone, last, true);
    await published("changeRecords", { zone, add: [{ owner: `after${last}`, type: "A", rdata: "192.0.2.1" }] });
  },
);

test("Knot, BIND, NSD and PowerDNS serve ten zones as a change set left them, each fetched by IXFR where the server asks for it", async () => {
  const zones = Array.from({ length: 10 }, (_, at) => `set${at}.example.com`);
  for (const name of zones) await service.domain(name, userId);
  for (const follower of followers) await follower.learn();
  // A server that has a zone is one whose next transfer may be a difference.
  await Promise.all(zones.map((name) => published("changeRecords", { zone: name, add: [mx] }, name)));
  const parts = zones.map((name, at) => ({
    edit: { zone: name, add: [{ owner: "set", type: "A", rdata: `192.0.2.${at}` }] },
  }));
  const created = "changeSet { id } preview { fingerprint }";
  const { changeSet, preview } = await service.mutate("createChangeSet", { title: "ten", zones: parts }, created);
  const before = await Promise.all(zones.map((name) => service.serial(name)));
  const input = { changeSetId: changeSet.id, expectedFingerprint: preview.fingerprint };
  const applied = await service.mutate("applyChangeSet", input, `changeSet { zones { nodes { ${seen} } } }`);
  expect(applied.changeSet.zones.nodes.map(({ change }: Json) => change.publication.state)).toEqual(
    zones.map(() => "LIVE"),
  );
  for (const follower of followers)
    for (const [at, name] of zones.entries()) {
      await follower.servesOurs(name);
      expect((await follower.ask(`set.${name}`, "A")).answers).toEqual([`192.0.2.${at}`]);
    }
  for (const [at, name] of zones.entries()) await expectFetched(name, before[at] as number);
});

test("a domain that one of them does not know is not LIVE, and the publication says at which", async () => {
  const name = "unlisted.example.com";
  await service.domain(name, userId);
  const document = `{ domain(by: { zone: "${name}" }) {
    publication { state secondaries { name state lastError } } } }`;
  const known = (of: string) => ({ name: of, state: "LIVE", lastError: null });
  const lastError = "It does not have the zone (REFUSED).";
  await eventually(async () => {
    const { publication } = (await service.data(document)).domain;
    expect(publication).toEqual({
      state: "PENDING",
      secondaries: expect.arrayContaining([
        ...["Knot", "BIND", "PowerDNS"].map(known),
        { name: "NSD", state: "PENDING", lastError },
      ]),
    });
  });
});
