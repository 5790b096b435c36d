/** How long messages are kept, and that a webhook is switched off for which too many wait. */
import { expect, test } from "@jest/globals";
import { createWebhook } from "../../../src/webhook/edit-webhook.ts";
import { maxWaiting, pruneDeliveries } from "../../../src/webhook/prune.ts";
import { webhookById } from "../../../src/webhook/webhook.ts";
import { testZones } from "../../setup/zones/session.ts";

const zones = testZones();
const prune = () => pruneDeliveries(zones.session(), new AbortController().signal);

async function webhook(): Promise<number> {
  const fields = { name: "hook", url: "https://example.com/", events: ["key.created"] as const };
  return (await createWebhook(zones.session(), fields)).webhook.id;
}

/** Stores messages of a webhook whose ends are so many days ago. */
const store = (id: number, event: string, delivered: number | null, dead: number | null, count = 1) =>
  zones.sql(
    `insert into webhook_delivery (webhook_id, message_id, event, zone, payload, created_at, retry_until, delivered_at, dead_at)
    select $1, 'msg_' || n, $2, '', '{}', now() - interval '60 days', now(), now() - make_interval(days => $3), now() - make_interval(days => $4)
    from generate_series(1, $5::int) n`,
    [id, event, delivered, dead, count],
  );

test("delivered messages are kept for a week, dead ones for a month, and those that wait stay", async () => {
  const id = await webhook();
  await store(id, "delivered yesterday", 1, null);
  await store(id, "delivered long ago", 8, null);
  await store(id, "dead for a week", null, 8);
  await store(id, "dead for long", null, 31);
  await store(id, "waiting", null, null);
  await prune();
  const left = await zones.sql("select event from webhook_delivery where webhook_id = $1 order by id", [id]);
  expect(left).toEqual(["delivered yesterday", "dead for a week", "waiting"].map((event) => ({ event })));
});

test("a webhook that fails is switched off once too many messages wait, and one that is merely busy is not", async () => {
  const [failing, busy] = [await webhook(), await webhook()];
  for (const id of [failing, busy]) await store(id, "waiting", null, null, maxWaiting + 1);
  await zones.sql("update webhook set failures = 1 where id = $1", [failing]);
  await prune();
  const session = zones.session();
  expect(await webhookById(session, failing)).toMatchObject({
    enabled: false,
    disabledReason: "More than 100000 messages wait for it.",
  });
  expect(await webhookById(session, busy)).toMatchObject({ enabled: true, disabledReason: null });
});
