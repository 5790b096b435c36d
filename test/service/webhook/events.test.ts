/**
 * Which events a webhook is told of: every kind of them, those of its user alone, and those of its zones alone. And that secrets are encrypted
 * where SECRET_KEY is set.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { eventNames } from "../../../src/outbox/event-kinds.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { UpdateClient } from "../../setup/dns/update-client.ts";
import { FollowingResponder } from "../../setup/service/following-responder.ts";
import { mutation, testService } from "../../setup/service/service.ts";
import { type Received, receiversAllowed, testReceiver } from "../../setup/service/webhook-receiver.ts";

const service = testService({
  ...receiversAllowed,
  ...{ PUBLICATION_LATE_SECONDS: "1", SECRET_KEY: "a secret key of 32 characters or more", LOG_LEVEL: "debug" },
});
const receiver = testReceiver();
let alice: string;
let bob: string;

beforeAll(async () => {
  [alice, bob] = [await service.user("alice@example.com"), await service.user("bob@example.com")];
});

const all = eventNames.map((event) => event.replace(".", "_").toUpperCase());
const typesAt = (path: string) => receiver.at(path).map(({ type }) => type);

/** Waits until a test message that was sent last came: what was told before of no zone came too. */
async function settled(path: string, id: string): Promise<void> {
  await service.mutate("testWebhook", { webhookId: id }, "delivery { id }");
  await eventually(() => typesAt(path).includes("webhook.test"));
}

test("keys of both kinds are told of, once each, never with the key", async () => {
  const id = await receiver.subscribe(service, "/keys", { events: ["KEY_CREATED", "KEY_REVOKED"] });
  const { key, apiKey } = await service.mutate("createApiKey", { name: "laptop", userId: alice }, "key apiKey { id }");
  const input = { name: "acme.example.com", userId: alice };
  const { secret, tsigKey } = await service.mutate("createTsigKey", input, "secret tsigKey { id }");
  for (let times = 0; times < 2; times += 1)
    await service.mutate("revokeApiKey", { apiKeyId: apiKey.id }, "apiKey { id }");
  await service.mutate("revokeTsigKey", { tsigKeyId: tsigKey.id }, "tsigKey { id }");
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
  const key = await service.tsigKey({ name: "updater.example.com", userId: alice, types: ["TXT"] });
  const client = new UpdateClient(() => service.dnsPort);
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
  const make = () => {
    const edits = { edit: { zone, add: [{ owner: "planned", type: "TXT", rdata: "planned" }] } };
    const input = { title: "plan", zones: [edits] };
    return service.mutate("createChangeSet", input, "changeSet { id } preview { fingerprint }");
  };
  const [{ changeSet: one, preview }, { changeSet: two }] = [await make(), await make()];
  const selection = "changeSet { state }";
  await service.mutate("submitChangeSet", { changeSetId: one.id }, selection);
  const application = { changeSetId: one.id, expectedFingerprint: preview.fingerprint };
  await service.mutate("applyChangeSet", application, selection);
  await service.mutate("cancelChangeSet", { changeSetId: two.id }, selection);
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
  // Nothing is late at one that is joining.
  await service.sql("update secondary set joined_at = created_at");
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
  // A change right before the transfer is still told to whose zone it was.
  await Promise.all([
    service.record("alices.example.com", "before", "A", "192.0.2.1"),
    service.record("alices.example.com", "before2", "A", "192.0.2.1"),
  ]);
  await service.mutate("transferDomain", { by: { zone: "alices.example.com" }, userId: bob }, "domain { id }");
  await service.record("alices.example.com", "after", "A", "192.0.2.1");
  const countAt = (path: string) => receiver.at(path).filter(({ data }) => data.zone === "alices.example.com").length;
  await eventually(() => countAt("/alice") + countAt("/bob") === 7);
  const isOfKey = ({ type }: Received) => type.startsWith("key.");
  await eventually(() => receiver.at("/bob").some(isOfKey));
  await eventually(() => receiver.at("/bob").some(({ data }) => data.zone === "bobs.example.com"));
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
  expect(receiver.at("/alice").filter(isOfKey)).toEqual([]);
  const keys = receiver.at("/bob").filter(({ type }) => type === "key.created");
  expect(keys.map(({ data }) => data.name)).toEqual(["another"]);
});

test("a key that is limited to zones has webhooks for these alone, and sees no others", async () => {
  const zones = ["one.example.com", "two.example.com"];
  const { key } = await service.mutate("createApiKey", { name: "ci", userId: alice, zones }, "key");
  const document = mutation("createWebhook", "webhook { id }");
  const input = { name: "ci", url: receiver.url("/ci"), events: ["CHANGE_COMMITTED"] };
  const refusal = (more: object) => service.refusal(document, { input: { ...input, ...more } }, key);
  expect(await refusal({})).toBe("MISSING_FIELD");
  expect(await refusal({ zones: ["three.example.com"] })).toBe("FORBIDDEN");
  const own = { ...input, zones: ["One.Example.com."] };
  const { webhook } = await service.mutate("createWebhook", own, "webhook { id }", key);
  const { webhooks } = await service.data("{ webhooks { nodes { id name zones } } }", {}, key);
  expect(webhooks.nodes).toEqual([{ id: webhook.id, name: "ci", zones: ["one.example.com"] }]);
  const update = mutation("updateWebhook", "webhook { id }");
  expect(await service.refusal(update, { input: { webhookId: webhook.id, zones: null } }, key)).toBe("MISSING_FIELD");
});

test("a secret is encrypted in the database and in no answer, log or message", async () => {
  const id = await receiver.subscribe(service, "/sealed", { events: ["KEY_CREATED"] });
  const first = receiver.secrets.get("/sealed") as string;
  const { secret } = await service.mutate("rotateWebhookSecret", { webhookId: id }, "secret");
  receiver.secrets.set("/sealed", secret);
  receiver.answer = () => 500;
  await service.key({ name: "laptop" });
  await eventually(() => receiver.received.some(({ path }) => path === "/sealed"));
  receiver.answer = () => 204;
  await service.sql("update webhook_queue set next_at = now()");
  await eventually(() => receiver.at("/sealed").length === 1);
  expect(receiver.wrong).toEqual([]);
  const [row] = await service.sql<{ text: string; sealed: boolean }>(
    `select to_jsonb(w)::text || encode(secret, 'base64') || encode(previous_secret, 'base64') as text, is_sealed as sealed
     from webhook w where id = $1`,
    [id],
  );
  expect(row?.sealed).toBe(true);
  const lists = await service.data(
    "{ webhooks { nodes { id name url user { id } deliveries { nodes { payload lastError } } } } }",
  );
  const places = [row?.text, JSON.stringify(lists), service.logged.join("\n"), JSON.stringify(receiver.received)];
  for (const one of [first, secret]) {
    const bare = one.replace("whsec_", "");
    const hex = Buffer.from(bare, "base64").toString("hex");
    expect(places.map((place) => place?.includes(bare) || place?.includes(hex))).toEqual(places.map(() => false));
  }
});
