/**
 * Deletes messages a week after their delivery, and dead ones after a month. Switches a webhook off when too many of its messages wait, so
 * that a receiver that never answers does not fill the disk.
 */
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Webhook } from "./webhook.ts";
import { isWaiting, WebhookDelivery } from "./webhook-delivery.ts";

const v = table(WebhookDelivery, "v");
const w = table(Webhook, "w");

export const keptDays = { delivered: 7, dead: 30 };

/** The largest number of waiting messages of one webhook. */
export const maxWaiting = 100_000;

const batchRows = 5000;

const ended = sql`coalesce(${v.deliveredAt}, ${v.deadAt})`;
const isOver = sql`(${v.deliveredAt} is not null or ${v.deadAt} is not null)
  and ${ended} < clock_timestamp() - make_interval(days => ${keptDays.delivered})
  and (${v.deliveredAt} is not null or ${v.deadAt} < clock_timestamp() - make_interval(days => ${keptDays.dead}))`;

export async function pruneDeliveries(session: Session, stopped: AbortSignal): Promise<void> {
  const run = (query: Sql) => transaction(session, async (inner) => (await query.run(inner)).length);
  const remove = sql`
    delete from ${v} where ${v.id} in (select ${v.id} from ${v} where ${isOver} limit ${batchRows}) returning ${v.id}`;
  while (!stopped.aborted && (await run(remove)) === batchRows);
  const reason = `More than ${maxWaiting} messages wait for it.`;
  await run(sql`
    update ${w} set ${w.names("enabled")} = false, ${w.names("disabledReason")} = ${reason}
    where ${w.enabled} and ${w.failures} > 0 and (
      select count(*) from (select from ${v} where ${v.webhookId} = ${w.id} and ${isWaiting} limit ${maxWaiting + 1}) waiting
    ) > ${maxWaiting}`);
}
