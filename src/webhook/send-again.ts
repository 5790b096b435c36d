/** Messages on request: test messages, and messages that are sent again. */
import { noSuch, Refusal } from "../errors.ts";
import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { payloadOf } from "./message.ts";
import { queueDeliveries, requeue, wakeQueues } from "./queue.ts";
import { type WebhookRow, webhookById } from "./webhook.ts";
import { type DeliveryRow, deliveryById, testMessage, WebhookDelivery } from "./webhook-delivery.ts";

/** Sends a test message to a webhook, and makes its waiting messages due. */
export async function testWebhook(session: Session, id: number): Promise<DeliveryRow> {
  mayWrite(session.actor);
  const sent = await transaction(session, async (inner) => {
    const webhook = await webhookById(inner, id, "webhookId");
    expectEnabled(webhook);
    const payload = payloadOf(testMessage, session.now(), { webhookId: String(id), name: webhook.name });
    const [delivery] = await queueDeliveries(inner, [{ webhookId: id, event: testMessage, zone: "", payload }]);
    return deliveryById(inner, delivery as number);
  });
  await wakeQueues(session, id);
  return sent;
}

export const maxSentAgain = 1000;

const v = table(WebhookDelivery, "v");

/** Sends messages again with their ids, in the order of each zone, and returns them. Without `ids` it takes the oldest dead messages. */
export async function sendAgain(
  session: Session,
  webhookId: number,
  ids: readonly number[] | undefined,
): Promise<{ webhook: WebhookRow; count: number }> {
  mayWrite(session.actor);
  const requeued = await transaction(session, async (inner) => {
    expectEnabled(await webhookById(inner, webhookId, "webhookId"));
    const which = ids ? sql`${v.id} = any(${ids})` : sql`${v.deadAt} is not null`;
    const query = sql<{ id: number }>`
      select ${v.id} from ${v} where ${v.webhookId} = ${webhookId} and ${which} order by ${v.id} limit ${maxSentAgain}`;
    const chosen = (await query.run(inner)).map(({ id }) => id);
    const missing = ids?.find((id) => !chosen.includes(id));
    if (missing !== undefined) throw noSuch("delivery", missing, "deliveryIds");
    if (chosen.length > 0) await requeue(inner, chosen);
    return { webhook: await webhookById(inner, webhookId), count: chosen.length };
  });
  await wakeQueues(session, webhookId);
  return requeued;
}

function expectEnabled({ id, enabled }: WebhookRow): void {
  if (enabled) return;
  throw new Refusal("WRONG_STATE", `Webhook ${id} is switched off; switch it on first.`, { field: "webhookId" });
}
