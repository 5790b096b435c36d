/** Webhooks from the change to a real receiver: what is told and in which order, attempts that fail, what is dead and is sent again. */
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { patience } from "../../../src/webhook/deliver.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testService } from "../../setup/service/service.ts";
import { receiversAllowed, testReceiver } from "../../setup/service/webhook-receiver.ts";

const service = testService(receiversAllowed);
const receiver = testReceiver();
let userId: string;
let made = 0;

beforeAll(async () => {
  userId = await service.user("alice@example.com");
});
beforeEach(() => {
  receiver.answer = () => 204;
});

/** A path of its own, and a zone name. */
function names(): { path: string; zone: string } {
  made += 1;
  return { path: `/hook${made}`, zone: `zone${made}.example.com` };
}

const ofZones = ["DOMAIN_CREATED", "DOMAIN_DELETED", "DOMAIN_RESTORED", "DOMAIN_TRANSFERRED", "CHANGE_COMMITTED"];
const deliveries = `query ($id: ID!) { webhook(id: $id) { enabled disabledReason failingSince deliveries(first: 100) {
  nodes { id messageId event zone state attempts lastStatus lastError deliveredAt deadAt payload } } } }`;

const webhookOf = async (id: string) => (await service.data(deliveries, { id })).webhook;

/** Makes all that waits due now, as if the time to the next attempt had passed. */
const passPauses = () => service.sql("update webhook_queue set next_at = now()");

test("a zone's events arrive signed, in their order, each once", async () => {
  const { path, zone } = names();
  const other = await service.user("bob@example.com");
  await receiver.subscribe(service, path, { events: ofZones });
  await service.domain(zone, userId);
  await service.record(zone, "www2", "A", "192.0.2.1");
  await service.mutate("transferDomain", { by: { zone }, userId: other }, "domain { id }");
  await service.record(zone, "www3", "A", "192.0.2.1");
  await service.mutate("deleteDomain", { by: { zone } }, "deletedId");
  await service.mutate("restoreDomain", { by: { zone } }, "domain { id }");
  await eventually(() => receiver.at(path).length >= 9);
  const told = receiver.at(path).map(({ type, data }) => `${type} ${data.kind ?? data.formerUserId}`);
  expect(told).toEqual([
    "domain.created CREATE",
    "change.committed CREATE",
    "change.committed EDIT",
    `domain.transferred ${userId}`,
    "change.committed EDIT",
    "domain.deleted DELETE",
    "change.committed DELETE",
    "domain.restored RESTORE",
    "change.committed RESTORE",
  ]);
  const serials = receiver
    .at(path)
    .filter(({ type }) => type === "change.committed")
    .map(({ data }) => data.serial);
  expect(serials).toEqual(serials.toSorted((a, b) => a - b));
  expect(new Set(receiver.at(path).map(({ id }) => id)).size).toBe(9);
  expect(receiver.wrong).toEqual([]);
  const last = `{ domain(by: { zone: "${zone}" }) { changes(first: 1) { nodes { id actor } } } }`;
  const [{ id: changeId, actor }] = (await service.data(last)).domain.changes.nodes;
  expect(receiver.at(path).at(-1)?.data).toMatchObject({ changeId, actor, zone });
});

test("what fails is attempted again, and holds up its own zone alone", async () => {
  const [{ path, zone }, { zone: zone2 }] = [names(), names()];
  const id = await receiver.subscribe(service, path, { events: ["CHANGE_COMMITTED"], zones: [zone, zone2] });
  receiver.answer = ({ path: to, data }) => (to === path && data.zone === zone ? 500 : 200);
  await service.domain(zone, userId);
  await service.record(zone, "a", "A", "192.0.2.1");
  await service.domain(zone2, userId);
  await eventually(() => receiver.at(path).length === 1);
  expect(receiver.at(path)[0]?.data.zone).toBe(zone2);
  await eventually(async () => {
    const { nodes } = (await webhookOf(id)).deliveries;
    const [, edited, created] = nodes;
    expect(created).toMatchObject({ state: "WAITING", lastStatus: 500, lastError: "The receiver answered 500." });
    expect(created.attempts).toBeGreaterThan(0);
    expect(edited).toMatchObject({ state: "WAITING", attempts: 0, zone });
  });
  receiver.answer = () => 200;
  await passPauses();
  await eventually(() => receiver.at(path).length === 3);
  const ofZone = receiver.received.filter((each) => each.path === path && each.data.zone === zone);
  expect(receiver.at(path).map(({ data }) => data.kind)).toEqual(["CREATE", "CREATE", "EDIT"]);
  // The same message each time: the receiver can tell that it is one.
  const first = ofZone.filter(({ data }) => data.kind === "CREATE");
  expect(first.length).toBeGreaterThan(1);
  expect(new Set(first.map((message) => message.id)).size).toBe(1);
});

test("after a day of attempts a message is dead, the next has its turn, and a dead one is sent again when asked", async () => {
  const { path, zone } = names();
  const id = await receiver.subscribe(service, path, { events: ["CHANGE_COMMITTED"], zones: [zone] });
  receiver.answer = () => 503;
  await service.domain(zone, userId);
  const first = async () => (await webhookOf(id)).deliveries.nodes.at(-1);
  await eventually(async () => expect(await first()).toMatchObject({ attempts: 1 }));
  // A day later.
  await service.sql("update webhook_delivery set retry_until = now() where webhook_id = $1", [id]);
  await passPauses();
  await eventually(async () => expect(await first()).toMatchObject({ state: "DEAD", attempts: 2, lastStatus: 503 }));
  receiver.answer = () => 200;
  await service.record(zone, "a", "A", "192.0.2.1");
  await eventually(() => receiver.at(path).length === 1);
  expect(await service.mutate("resendWebhookMessages", { webhookId: id }, "count")).toEqual({ count: 1 });
  await eventually(() => receiver.at(path).length === 2);
  expect(receiver.at(path).map(({ data }) => data.kind)).toEqual(["EDIT", "CREATE"]);
  await eventually(async () => expect(await first()).toMatchObject({ state: "DELIVERED", deadAt: null, attempts: 1 }));
  const dead = receiver.received.find((each) => each.path === path && each.status === 503);
  expect(receiver.at(path)[1]?.id).toBe(dead?.id);
});

test("a redirect is not followed, and 410 switches a webhook off", async () => {
  const [moved, gone] = [names(), names()];
  const movedId = await receiver.subscribe(service, moved.path, { events: ["CHANGE_COMMITTED"], zones: [moved.zone] });
  const goneId = await receiver.subscribe(service, gone.path, { events: ["CHANGE_COMMITTED"], zones: [gone.zone] });
  receiver.answer = ({ path }) => (path === moved.path ? 301 : 410);
  await service.domain(moved.zone, userId);
  await service.domain(gone.zone, userId);
  await eventually(async () => {
    const webhook = await webhookOf(movedId);
    expect(webhook.deliveries.nodes[0].lastError).toContain("answered 301, a redirect, which is not followed");
    expect(webhook.failingSince).not.toBeNull();
  });
  await eventually(async () => {
    const disabledReason = "The receiver answered 410: it wants no more messages.";
    const dead = { nodes: [{ state: "DEAD" }] };
    expect(await webhookOf(goneId)).toMatchObject({ enabled: false, disabledReason, deliveries: dead });
  });
  expect(receiver.received.some(({ path }) => path === "/elsewhere")).toBe(false);
  // On again, it is told of what happens from then on.
  receiver.answer = () => 200;
  await service.record(gone.zone, "a", "A", "192.0.2.1");
  const update = { webhookId: goneId, enabled: true };
  const { webhook } = await service.mutate("updateWebhook", update, "webhook { enabled disabledReason }");
  expect(webhook).toEqual({ enabled: true, disabledReason: null });
  await service.record(gone.zone, "b", "A", "192.0.2.1");
  await eventually(() => receiver.at(gone.path).length === 1);
  const [change] = (await service.data(`{ changes(first: 1) { nodes { id } } }`)).changes.nodes;
  expect(receiver.at(gone.path)[0]?.data.changeId).toBe(change.id);
});

test("a receiver that never answers holds up no other", async () => {
  const [silent, quick] = [names(), names()];
  const zones = [silent, ...Array.from({ length: 40 }, names)].map(({ zone }) => zone);
  await receiver.subscribe(service, silent.path, { events: ["DOMAIN_CREATED"], zones });
  await receiver.subscribe(service, quick.path, { events: ["DOMAIN_CREATED"], zones });
  receiver.answer = ({ path }) => (path === silent.path ? "hang" : 200);
  for (const zone of zones) await service.domain(zone, userId);
  await eventually(() => receiver.at(quick.path).length === zones.length);
  expect(receiver.mostWaiting(silent.path)).toBeLessThanOrEqual(4);
  await service.sql("delete from webhook where name = $1", [silent.path]);
});

test("one user's silent receivers hold up no other user's", async () => {
  const [silent, quick] = [names(), names()];
  const zones = [names(), names()].map(({ zone }) => zone);
  const mallory = await service.user("mallory@example.com");
  receiver.answer = ({ path }) => (path.startsWith(silent.path) ? "hang" : 200);
  for (let n = 0; n < 10; n += 1)
    await receiver.subscribe(service, `${silent.path}-${n}`, { events: ["DOMAIN_CREATED"], userId: mallory });
  await receiver.subscribe(service, quick.path, { events: ["DOMAIN_CREATED"], userId });
  for (const zone of zones) await service.domain(zone, mallory);
  await eventually(() => receiver.mostWaiting(silent.path) > 0);
  await service.domain(quick.zone, userId);
  await eventually(() => receiver.at(quick.path).length === 1);
  const attempted = await service.sql(
    "select id from webhook_delivery where attempts > 0 and webhook_id in (select id from webhook where user_id = $1)",
    [mallory],
  );
  expect(attempted).toEqual([]);
  expect(receiver.mostWaiting(silent.path)).toBeLessThanOrEqual(8);
  await service.sql("delete from webhook where user_id = $1", [mallory]);
});

test("a webhook whose last message failed has one request at a time", async () => {
  const [failing, quick] = [names(), names()];
  const zones = Array.from({ length: 10 }, names).map(({ zone }) => zone);
  const id = await receiver.subscribe(service, failing.path, { events: ["DOMAIN_CREATED"], zones });
  await service.sql("update webhook set failures = 1, failing_since = now() where id = $1", [id]);
  await receiver.subscribe(service, quick.path, { events: ["DOMAIN_CREATED"], zones });
  receiver.answer = ({ path }) => (path === failing.path ? "hang" : 200);
  for (const zone of zones) await service.domain(zone, userId);
  await eventually(() => receiver.at(quick.path).length === zones.length);
  expect(receiver.mostWaiting(failing.path)).toBe(1);
  await service.sql("delete from webhook where id = $1", [id]);
});

test.each([
  ["a webhook that does not fail", 0, 0, 15],
  ["a webhook that fails", 1, 0, 5],
  ["the third attempt", 9, 2, 5],
  ["the fourth attempt", 9, 3, 15],
])("the answer to %s may take so long", (_of, failures, attempts, seconds) => {
  expect(patience({ failures, attempts })).toBe(seconds);
});

test("a message tests a webhook, and a rotated secret is valid beside the one of before", async () => {
  const { path } = names();
  const id = await receiver.subscribe(service, path, { events: ["KEY_CREATED"] });
  const ping = async () =>
    (await service.mutate("testWebhook", { webhookId: id }, "delivery { event state zone }")).delivery;
  expect(await ping()).toEqual({ event: "webhook.test", state: "WAITING", zone: null });
  await eventually(() => receiver.at(path).length === 1);
  const rotate = (more = {}) =>
    service.mutate("rotateWebhookSecret", { webhookId: id, ...more }, "secret webhook { previousSecretUntil }");
  const { secret, webhook } = await rotate();
  expect(webhook.previousSecretUntil).not.toBeNull();
  await ping();
  await eventually(() => receiver.at(path).length === 2);
  receiver.secrets.set(path, secret);
  await ping();
  await eventually(() => receiver.at(path).length === 3);
  await rotate({ overlapHours: 0 });
  await ping();
  await eventually(() => receiver.wrong.length > 0);
  expect(receiver.at(path).at(-1)?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
});
