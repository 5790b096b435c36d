/**
 * Name servers follow a zone that goes back: a revert to a moment, a change that is undone, a deleted domain that is restored.
 */
import { beforeAll, expect } from "@jest/globals";
import { testFollowing } from "../setup/following.ts";
import { servers } from "../setup/name-servers.ts";
import { testWith } from "../setup/programs.ts";
import { type Json, testService } from "../setup/service.ts";

const test = testWith("kdig", "dig", ...servers.flatMap(({ programs }) => programs));
const service = testService();
const followers = servers.map((server) => testFollowing(service, server));
const zone = "back.example.com";
const seen = "change { id serial publication(waitFor: LIVE, timeoutMs: 60000) { state } }";
let userId: string;

beforeAll(async () => {
  userId = await service.user("owner@example.com");
});

/** Runs a mutation, and expects that all servers come to serve its result, record for record. */
async function published(mutation: string, input: Json): Promise<{ id: string; serial: number }> {
  const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!`;
  const document = `mutation ($input: ${type}) { ${mutation}(input: $input) { ${seen} } }`;
  const { change } = (await service.data(document, { input }))[mutation];
  expect([mutation, change.publication]).toEqual([mutation, { state: "LIVE" }]);
  for (const follower of followers) await follower.servesOurs(zone);
  return change;
}

async function expectMailAt(answers: readonly string[]): Promise<void> {
  for (const follower of followers) expect((await follower.ask(zone, "MX")).answers).toEqual(answers);
}

const mx = { owner: "@", type: "MX", rdata: "10 mail.example.org." };
const mail = ["10 mail.example.org."];

test("Knot, BIND, NSD and PowerDNS serve what a zone went back to, each time at a later serial", async () => {
  await service.domain(zone, userId);
  for (const follower of followers) await follower.learn();
  const added = await published("changeRecords", { zone, add: [mx] });
  await expectMailAt(mail);
  const { records } = (
    await service.data(`{ domain(by: { zone: "${zone}" }) { records(types: ["MX"]) { nodes { id } } } }`)
  ).domain;
  const removed = await published("changeRecords", { zone, remove: [records.nodes[0].id] });
  await expectMailAt([]);
  const undone = await published("revertChange", { id: removed.id });
  await expectMailAt(mail);
  const back = await published("revertDomain", { zone, to: { changeId: removed.id } });
  await expectMailAt([]);
  const again = await published("revertDomain", { zone, to: { serial: added.serial } });
  await expectMailAt(mail);
  const serials = [added, removed, undone, back, again].map(({ serial }) => serial);
  expect(serials).toEqual(serials.toSorted((a, b) => a - b));
});

test.each([
  ["while they still have it", ""],
  ["after they have removed it", "publication(waitFor: LIVE, timeoutMs: 60000) { state }"],
])(
  "Knot, BIND, NSD and PowerDNS serve a domain that is restored %s, at a serial after its last one",
  async (_when, awaited) => {
    const last = await service.serial(zone);
    const remove = `mutation ($input: DeleteDomainInput!) { deleteDomain(input: $input) { change { kind ${awaited} } } }`;
    await service.data(remove, { input: { zone } });
    const restore = `mutation ($input: RestoreDomainInput!) { restoreDomain(input: $input) { ${seen} } }`;
    const { change } = (await service.data(restore, { input: { by: { zone } } })).restoreDomain;
    expect([change.publication.state, change.serial > last]).toEqual(["LIVE", true]);
    for (const follower of followers) await follower.servesOurs(zone);
    await expectMailAt(mail);
    await published("changeRecords", { zone, add: [{ owner: `after${last}`, type: "A", rdata: "192.0.2.1" }] });
  },
);
