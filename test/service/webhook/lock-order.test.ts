/**
 * Locks of queues: all take them in one order, and before those of deliveries and webhooks, so that deliveries, the fan-out and requests
 * cannot wait for each other. Whoever waits for a queue here must hold nothing that comes after it.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import type { Session } from "../../../src/session/session.ts";
import { transaction } from "../../../src/session/transaction.ts";
import { deliver } from "../../../src/webhook/deliver.ts";
import { createWebhook } from "../../../src/webhook/edit-webhook.ts";
import { claimQueues, queueDeliveries } from "../../../src/webhook/queue.ts";
import { sendAgain, testWebhook } from "../../../src/webhook/send-again.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { openPool } from "../../setup/database/database.ts";
import { WebhookReceiver } from "../../setup/service/webhook-receiver.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const database = testPublication();
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
});
afterAll(() => receiver.stop());

const session = (): Session => {
  const opened = database.session();
  return { ...opened, policy: { ...opened.policy, privateWebhookAddresses: ["127.0.0.0/8"] } };
};

/** The queues of each webhook; their rows are in another order than their zones. */
const zones = ["m.example", "c.example", "b.example", ""];

/** A webhook whose messages have failed; in each queue one waits for its next attempt, and that of c.example is due. */
async function failingWebhook(path: string): Promise<number> {
  await database.sql("delete from webhook");
  const fields = { name: "failing", url: receiver.url(path), events: ["domain.created"] } as const;
  const { webhook, secret } = await createWebhook(session(), fields);
  receiver.secrets.set(path, secret);
  const payload = JSON.stringify({ type: "domain.created", timestamp: "2026-11-25T00:00:00Z", data: {} });
  for (const zone of zones)
    await transaction(session(), (inner) =>
      queueDeliveries(inner, [{ webhookId: webhook.id, event: "domain.created", zone, payload }]),
    );
  await database.sql("update webhook set failures = 5");
  await database.sql("update webhook_queue set next_at = now() + interval '1 hour' where zone <> 'c.example'");
  return webhook.id;
}

const makeAllDue = async () => {
  await database.sql("update webhook set failures = 0");
  await database.sql("update webhook_queue set next_at = now()");
};
const deliverAll = () => deliver({ session, log: pino({ level: "silent" }) }, new AbortController().signal);

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
    const waiters = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await eventually(async () => (await database.sql(waiters)).length === 1);
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
