/**
 * Queues. Claims: what became of an attempt is noted by whoever holds the claim, also where an attempt outlasts it. Locks: all take those of
 * queues in one order, and before those of deliveries and webhooks, so that deliveries, the fan-out and requests cannot wait for each other.
 */
import { beforeEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import type { Session } from "../../../src/session/session.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { deliver } from "../../../src/webhook/deliver.ts";
import { createWebhook, deleteWebhook } from "../../../src/webhook/edit-webhook.ts";
import { claimQueues, queueDeliveries, releaseQueue, renewClaim } from "../../../src/webhook/queue.ts";
import { sendAgain, testWebhook } from "../../../src/webhook/send-again.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { openPool, waitsForLock } from "../../setup/database/database.ts";
import { testReceiver } from "../../setup/service/webhook-receiver.ts";
import { quiet } from "../../setup/zones/change-sets.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const database = testPublication();
const receiver = testReceiver();
let made = 0;

const session = (): Session => {
  const opened = database.session();
  return { ...opened, policy: { ...opened.policy, privateWebhookAddresses: ["127.0.0.0/8"] } };
};

beforeEach(() => {
  receiver.answer = () => 204;
});

/** A webhook with a message that waits in the queue of each zone; returns its id. */
async function webhookWith(path: string, zones: readonly string[]): Promise<number> {
  const fields = { name: path, url: receiver.url(path), events: ["domain.created"] } as const;
  const { webhook, secret } = await createWebhook(session(), fields);
  receiver.secrets.set(path, secret);
  const payload = JSON.stringify({ type: "domain.created", timestamp: "2026-11-25T00:00:00Z", data: {} });
  for (const zone of zones)
    await transaction(session(), (inner) =>
      queueDeliveries(inner, [{ webhookId: webhook.id, event: "domain.created", zone, payload }]),
    );
  return webhook.id;
}

/** A webhook with a message that waits; returns its path and its id. */
async function waiting(): Promise<{ path: string; id: number }> {
  made += 1;
  const path = `/claim${made}`;
  return { path, id: await webhookWith(path, ["a.example.com"]) };
}

/** Lets the claims of all queues run out, as if their time had passed. */
const runOut = () => database.sql("update webhook_queue set claimed_until = now() - interval '1 second'");
const ofPath = (path: string) => receiver.received.filter((each) => each.path === path);
const queues = () => database.sql("select zone from webhook_queue");

test("an attempt that outlasts its claim stores nothing over what another has noted", async () => {
  const { path } = await waiting();
  const outcomes: string[] = [];
  receiver.answer = () => (ofPath(path).length === 0 ? "hang" : 204);
  const options = { session, log: quiet, onOutcome: (outcome: string) => void outcomes.push(outcome) };
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

/** The queues of each webhook; their rows are in another order than their zones. */
const zones = ["m.example", "c.example", "b.example", ""];

/** A webhook whose messages have failed; in each queue one waits for its next attempt, and that of c.example is due. */
async function failingWebhook(path: string): Promise<number> {
  await database.sql("delete from webhook");
  const id = await webhookWith(path, zones);
  await database.sql("update webhook set failures = 5");
  await database.sql("update webhook_queue set next_at = now() + interval '1 hour' where zone <> 'c.example'");
  return id;
}

const makeAllDue = async () => {
  await database.sql("update webhook set failures = 0");
  await database.sql("update webhook_queue set next_at = now()");
};
const deliverAll = () => deliver({ session, log: quiet }, new AbortController().signal);

const sendZoneAgain = async (id: number, zone: string) => {
  const found = await database.sql<{ id: string }>("select id from webhook_delivery where zone = $1", [zone]);
  return sendAgain(session(), id, [Number(found[0]?.id)]);
};

interface Case {
  /** What waits. */
  readonly name: string;
  readonly prepare?: () => Promise<void>;
  readonly begin: (webhookId: number) => Promise<unknown>;
  /** The zone of the queue that it waits for. */
  readonly held: string;
}

const cases: readonly Case[] = [
  { name: "the first message that is delivered after an outage", begin: deliverAll, held: "b.example" },
  {
    name: "a claim of several queues",
    prepare: makeAllDue,
    begin: () => claimQueues(session(), []),
    held: "b.example",
  },
  { name: "a message that is sent again", begin: (id) => sendZoneAgain(id, "b.example"), held: "b.example" },
  { name: "what else becomes due then", begin: (id) => sendZoneAgain(id, "m.example"), held: "b.example" },
  { name: "a message that tests the webhook", begin: (id) => testWebhook(session(), id), held: "" },
];

test.each(cases)(
  "$name holds nothing that comes after the queue that it waits for",
  async ({ name, prepare, begin, held }) => {
    const path = `/${cases.findIndex((each) => each.name === name)}`;
    const id = await failingWebhook(path);
    await prepare?.();
    const pool = openPool(database.url);
    const other = await pool.connect();
    await other.query("begin");
    await other.query("select from webhook_queue where zone = $1 for update", [held]);
    const waiting = begin(id);
    await waitsForLock(database);
    await other.query("select from webhook_queue where zone > $1 for update nowait", [held]);
    await other.query("select from webhook_delivery for update nowait");
    await other.query("select from webhook for key share nowait");
    await other.query("commit");
    other.release();
    await pool.end();
    await waiting;
    await database.sql("update webhook_queue set claimed_until = null");
    await deliverAll();
    expect(new Set(receiver.at(path).map((message) => message.id)).size).toBeGreaterThanOrEqual(zones.length);
  },
);
