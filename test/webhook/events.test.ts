/**
 * Which events a webhook is told of: every kind of them, those of its user alone, and those of its zones alone.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventNames } from "../../src/outbox/event-kinds.ts";
import { eventually } from "../setup/eventually.ts";
import { Follower } from "../setup/follower.ts";
import { testService } from "../setup/service.ts";
import { clientKey, UpdateClient } from "../setup/update-client.ts";
import { receiversAllowed, WebhookReceiver } from "../setup/webhook-receiver.ts";

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
  const create = "mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key apiKey { id } } }";
  const { key, apiKey } = (await service.data(create, { input: { name: "laptop", userId: alice } })).createApiKey;
  const createTsig =
    "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { secret tsigKey { id } } }";
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
  const create = "mutation ($input: CreateTsigKeyInput!) { createTsigKey(input: $input) { secret } }";
  const input = { name: "updater.example.com", userId: alice, types: ["TXT"] };
  const { secret } = (await service.data(create, { input })).createTsigKey;
  const client = new UpdateClient(() => service.dnsPort);
  const key = clientKey("updater.example.com", secret);
  await client.update(key, "refused.example.com", { add: ["www2 300 A 192.0.2.1"] });
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
  const apply = `mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }`;
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
  const follower = new Follower(service);
  await follower.register("knot1");
  try {
    await service.domain(zone, alice);
    await eventually(() => typesAt("/live").length === 1);
    expect(receiver.at("/live")[0]).toMatchObject({
      type: "change.late",
      data: { zone, kind: "CREATE", state: "LATE" },
    });
    await follower.start();
    await eventually(() => typesAt("/live").length === 2);
    const [late, live] = receiver.at("/live");
    expect(live).toMatchObject({ type: "change.live", data: { changeId: late?.data.changeId, state: "LIVE" } });
    expect(await service.sql("select from awaited_publication")).toEqual([]);
  } finally {
    await follower.stop();
  }
});
