/**
 * Which events a webhook is told of: every kind of them, those of its user alone, and those of its zones alone.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventNames } from "../../../src/outbox/event-kinds.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { clientKey, UpdateClient } from "../../setup/dns/update-client.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { mutation, testService } from "../../setup/service/service.ts";
import { receiversAllowed, WebhookReceiver } from "../../setup/service/webhook-receiver.ts";

const service = testService({ ...receiversAllowed, PUBLICATION_LATE_SECONDS: "1" });
let receiver: WebhookReceiver;
let alice: string;
let bob: string;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  [alice, bob] = [await service.user("alice@example.com"), await service.user("bob@example.com")];
});
afterAll(() => receiver.stop());

const all = eventNames.map((event) => event.replace(".", "_").toUpperCase());
const typesAt = (path: string) => receiver.at(path).map(({ type }) => type);

/** Waits until a test message that was sent last came: what was told before of no zone came too. */
async function settled(path: string, id: string): Promise<void> {
  await service.data("mutation ($id: ID!) { testWebhook(input: { id: $id }) { delivery { id } } }", { id });
  await eventually(() => typesAt(path).includes("webhook.test"));
}

test("keys of both kinds are told of, once each, never with the key", async () => {
  const id = await receiver.subscribe(service, "/keys", { events: ["KEY_CREATED", "KEY_REVOKED"] });
  const create = mutation("createApiKey", "key apiKey { id }");
  const { key, apiKey } = (await service.data(create, { input: { name: "laptop", userId: alice } })).createApiKey;
  const createTsig = mutation("createTsigKey", "secret tsigKey { id }");
  const { secret, tsigKey } = (await service.data(createTsig, { input: { name: "acme.example.com", userId: alice } }))
    .createTsigKey;
  const revoke = "mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }";
  await service.data(revoke, { id: apiKey.id });
  await service.data(revoke, { id: apiKey.id });
  await service.data("mutation ($id: ID!) { revokeTsigKey(input: { id: $id }) { tsigKey { id } } }", {
    id: tsigKey.id,
  });
  await eventually(() => receiver.at("/keys").length === 4);
  await settled("/keys", id);
  const told = receiver.at("/keys").slice(0, 4);
  expect(told.map(({ type, data }) => [type, data.keyKind, data.keyId, data.name])).toEqual([
    ["key.created", "API", apiKey.id, "laptop"],
    ["key.created", "TSIG", tsigKey.id, "acme.example.com"],
    ["key.revoked", "API", apiKey.id, "laptop"],
    ["key.revoked", "TSIG", tsigKey.id, "acme.example.com"],
  ]);
  expect(JSON.stringify(receiver.received)).not.toContain(key);
  expect(JSON.stringify(receiver.received)).not.toContain(secret);
});

test("a dynamic update that is refused is told of", async () => {
  await service.domain("refused.example.com", alice);
  await receiver.subscribe(service, "/refused", { events: ["UPDATE_REFUSED"], userId: alice });
  const create = mutation("createTsigKey", "secret");
  const input = { name: "updater.example.com", userId: alice, types: ["TXT"] };
  const { secret } = (await service.data(create, { input })).createTsigKey;
  const client = new UpdateClient(() => service.dnsPort);
  const key = clientKey("updater.example.com", secret);
  await client.update("refused.example.com", ["add www2 300 A 192.0.2.1"], { key });
  await eventually(() => receiver.at("/refused").length === 1);
  expect(receiver.at("/refused")[0]).toMatchObject({
    type: "update.refused",
    data: { zone: "refused.example.com", userId: alice, rcode: "REFUSED", keyName: "updater.example.com" },
  });
});

test("what happens to a change set is told of", async () => {
  const zone = "planned.example.com";
  await service.domain(zone, alice);
  const sets = all.filter((event) => event.startsWith("CHANGE_SET"));
  await receiver.subscribe(service, "/sets", { events: sets });
  await receiver.subscribe(service, "/sets-elsewhere", { events: sets, zones: ["elsewhere.example.com"] });
  const create = `mutation ($input: CreateChangeSetInput!) {
    createChangeSet(input: $input) { changeSet { id } preview { fingerprint } } }`;
  const make = async () => {
    const edits = { zone, add: [{ owner: "planned", type: "TXT", rdata: "planned" }] };
    const { changeSet, preview } = (await service.data(create, { input: { title: "plan", zones: [edits] } }))
      .createChangeSet;
    return { id: changeSet.id, fingerprint: preview.fingerprint };
  };
  const [one, two] = [await make(), await make()];
  await service.data("mutation ($id: ID!) { submitChangeSet(input: { id: $id }) { changeSet { id } } }", {
    id: one.id,
  });
  const apply = mutation("applyChangeSet", "changeSet { state }");
  await service.data(apply, { input: { id: one.id, expectedFingerprint: one.fingerprint } });
  await service.data("mutation ($id: ID!) { cancelChangeSet(input: { id: $id }) { changeSet { id } } }", {
    id: two.id,
  });
  await eventually(() => receiver.at("/sets").length === 5);
  const of = (id: string) =>
    receiver
      .at("/sets")
      .filter(({ data }) => data.changeSetId === id)
      .map(({ type }) => type);
  expect(of(one.id)).toEqual(["change_set.created", "change_set.submitted", "change_set.applied"]);
  expect(of(two.id)).toEqual(["change_set.created", "change_set.cancelled"]);
  const applied = receiver.at("/sets").find(({ type }) => type === "change_set.applied");
  expect(applied?.data).toMatchObject({ title: "plan", zones: [zone], zoneCount: 1 });
  expect(receiver.at("/sets-elsewhere")).toEqual([]);
});

test("a change is told of as late when a secondary does not serve it in time, and as live once it does", async () => {
  const zone = "published.example.com";
  await receiver.subscribe(service, "/live", { events: ["CHANGE_LIVE", "CHANGE_LATE"], zones: [zone] });
  const secondary = await new FollowingResponder(service).register("knot1");
  secondary.mute = true;
  try {
    await service.domain(zone, alice);
    await eventually(() => typesAt("/live").length === 1);
    expect(receiver.at("/live")[0]).toMatchObject({
      type: "change.late",
      data: { zone, kind: "CREATE", state: "LATE" },
    });
    secondary.mute = false;
    await eventually(() => typesAt("/live").length === 2);
    const [late, live] = receiver.at("/live");
    expect(live).toMatchObject({ type: "change.live", data: { changeId: late?.data.changeId, state: "LIVE" } });
    expect(await service.sql("select from awaited_publication")).toEqual([]);
  } finally {
    await secondary.close();
  }
});

test("a user is told of the user's own zones and keys alone, also after a transfer", async () => {
  const key = await service.key({ name: "alice", userId: alice });
  const bobsKey = await service.key({ name: "bob", userId: bob });
  // When something is live or late is another matter.
  const events = all.filter((event) => !["CHANGE_LIVE", "CHANGE_LATE"].includes(event));
  await receiver.subscribe(service, "/alice", { events }, key);
  await receiver.subscribe(service, "/bob", { events }, bobsKey);
  await service.domain("alices.example.com", alice);
  await service.domain("bobs.example.com", bob);
  await service.key({ name: "another", userId: bob });
  const transfer = mutation("transferDomain", "domain { id }");
  // A change right before the transfer is still told to whose zone it was.
  await Promise.all([
    service.record("alices.example.com", "before", "A", "192.0.2.1"),
    service.record("alices.example.com", "before2", "A", "192.0.2.1"),
  ]);
  await service.data(transfer, { input: { zone: "alices.example.com", userId: bob } });
  await service.record("alices.example.com", "after", "A", "192.0.2.1");
  const countAt = (path: string) => receiver.at(path).filter(({ data }) => data.zone === "alices.example.com").length;
  await eventually(() => countAt("/alice") + countAt("/bob") === 7);
  const told = (path: string, zone: string) =>
    receiver
      .at(path)
      .filter(({ data }) => data.zone === zone)
      .map(({ type, data }) => `${type} ${data.userId === bob ? "bob" : "alice"}`);
  expect(told("/alice", "alices.example.com")).toEqual([
    "domain.created alice",
    "change.committed alice",
    "change.committed alice",
    "change.committed alice",
    "domain.transferred bob",
  ]);
  expect(told("/bob", "alices.example.com")).toEqual(["domain.transferred bob", "change.committed bob"]);
  expect(told("/alice", "bobs.example.com")).toEqual([]);
  expect(told("/bob", "bobs.example.com")).toEqual(["domain.created bob", "change.committed bob"]);
  expect(receiver.at("/alice").filter(({ type }) => type.startsWith("key."))).toEqual([]);
  expect(
    receiver
      .at("/bob")
      .filter(({ type }) => type === "key.created")
      .map(({ data }) => data.name),
  ).toEqual(["another"]);
});

test("a key that is limited to zones has webhooks for these alone, and sees no others", async () => {
  const create = mutation("createApiKey", "key");
  const zones = ["one.example.com", "two.example.com"];
  const { key } = (await service.data(create, { input: { name: "ci", userId: alice, zones } })).createApiKey;
  const document = mutation("createWebhook", "webhook { id }");
  const input = { name: "ci", url: receiver.url("/ci"), events: ["CHANGE_COMMITTED"] };
  expect(await service.refusal(document, { input }, key)).toBe("MISSING_FIELD");
  expect(await service.refusal(document, { input: { ...input, zones: ["three.example.com"] } }, key)).toBe("FORBIDDEN");
  const { webhook } = (await service.data(document, { input: { ...input, zones: ["One.Example.com."] } }, key))
    .createWebhook;
  const list = "{ webhooks { nodes { id name zones } } }";
  expect((await service.data(list, {}, key)).webhooks.nodes).toEqual([
    { id: webhook.id, name: "ci", zones: ["one.example.com"] },
  ]);
  const update = mutation("updateWebhook", "webhook { id }");
  expect(await service.refusal(update, { input: { id: webhook.id, zones: null } }, key)).toBe("MISSING_FIELD");
});
