/**
 * Claims of queues: what became of an attempt is noted by whoever holds the claim, also where an attempt outlasts it.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import type { Session } from "../../../src/session/session.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { deliver } from "../../../src/webhook/deliver.ts";
import { createWebhook, deleteWebhook } from "../../../src/webhook/edit-webhook.ts";
import { claimQueues, queueDeliveries, releaseQueue, renewClaim } from "../../../src/webhook/queue.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { WebhookReceiver } from "../../setup/service/webhook-receiver.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const database = testPublication();
let receiver: WebhookReceiver;
let made = 0;

const session = (): Session => {
  const opened = database.session();
  return { ...opened, policy: { ...opened.policy, privateWebhookAddresses: ["127.0.0.0/8"] } };
};

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.stop());

/** A webhook with a message that waits; answers its path and its id. */
async function waiting(): Promise<{ path: string; id: number }> {
  made += 1;
  const path = `/claim${made}`;
  const { webhook, secret } = await createWebhook(session(), {
    ...{ name: path, url: receiver.url(path), events: ["domain.created"] },
  });
  receiver.secrets.set(path, secret);
  const payload = JSON.stringify({ type: "domain.created", timestamp: "2026-11-25T00:00:00Z", data: {} });
  const delivery = { webhookId: webhook.id, event: "domain.created", zone: "a.example.com", payload } as const;
  await transaction(session(), (inner) => queueDeliveries(inner, [delivery]));
  return { path, id: webhook.id };
}

/** Lets the claims of all queues run out, as if their time had passed. */
const runOut = () => database.sql("update webhook_queue set claimed_until = now() - interval '1 second'");
const ofPath = (path: string) => receiver.received.filter((each) => each.path === path);
const queues = () => database.sql("select zone from webhook_queue");

test("an attempt that outlasts its claim stores nothing over what another has noted", async () => {
  const { path } = await waiting();
  const outcomes: string[] = [];
  receiver.answer = () => (ofPath(path).length === 0 ? "hang" : 204);
  const log = pino({ level: "silent" });
  const options = { session, log, onOutcome: (outcome: string) => void outcomes.push(outcome) };
  const delivered = deliver(options, new AbortController().signal);
  await eventually(() => ofPath(path).length === 1);
  await runOut();
  await eventually(() => outcomes.length === 1);
  receiver.hangUp();
  await delivered;
  expect(ofPath(path).map(({ status }) => status)).toEqual([504, 204]);
  const stored =
    "select attempts, last_status, last_error, delivered_at is not null as is_delivered from webhook_delivery";
  expect(await database.sql(stored)).toEqual([{ attempts: 1, last_status: 204, last_error: null, is_delivered: true }]);
  expect(outcomes).toEqual(["delivered"]);
  expect(await queues()).toEqual([]);
});

test("of an attempt whose webhook is deleted meanwhile nothing is noted, which the log says", async () => {
  const { path, id } = await waiting();
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  receiver.answer = () => "hang";
  const delivered = deliver({ session, log }, new AbortController().signal);
  await eventually(() => ofPath(path).length === 1);
  await deleteWebhook(session(), id);
  receiver.hangUp();
  await delivered;
  expect(lines.join()).toMatch(/was not stored: .* the webhook was deleted/);
  expect(await queues()).toEqual([]);
});

test("who has lost a claim neither renews that of another nor gives the queue back", async () => {
  await waiting();
  const [first] = await claimQueues(session(), []);
  expect(await claimQueues(session(), [])).toEqual([]);
  await runOut();
  const [second] = await claimQueues(session(), []);
  if (!first || !second) throw new Error("the queue was not claimed");
  expect(await renewClaim(session(), first)).toBeUndefined();
  await releaseQueue(session(), first, 0);
  expect(await claimQueues(session(), [])).toEqual([]);
  const renewed = await renewClaim(session(), second);
  expect(renewed).toMatchObject({ zone: "a.example.com" });
  if (renewed) await releaseQueue(session(), renewed, 0);
  expect(await claimQueues(session(), [])).toHaveLength(1);
});
