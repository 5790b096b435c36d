/**
 * The queues of deliveries: a webhook has one for each zone. The process that has claimed a queue sends only the first message in it.
 * Whoever adds messages to a queue or removes the last one locks the queue's row, so that no message waits without a queue. To avoid
 * deadlocks, one statement locks several queues, in the order of webhooks and zones, and before any delivery or webhook is locked. Only the
 * deletion of a webhook may run into a deadlock, and it is repeated. Times are those of the database.
 */
import type { EventName } from "../outbox/event-kinds.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { newMessageId } from "./secret.ts";
import { Webhook } from "./webhook.ts";
import { isWaiting, type testMessage, WebhookDelivery, WebhookQueue } from "./webhook-delivery.ts";

const v = table(WebhookDelivery, "v");
const deliveries = table(WebhookDelivery);
const q = table(WebhookQueue, "q");
const queues = table(WebhookQueue);
const w = table(Webhook, "w");

const retryFor = sql`interval '1 day'`;

export interface NewDelivery {
  readonly webhookId: number;
  readonly event: EventName | typeof testMessage;
  readonly zone: string;
  readonly payload: string;
}

/** Adds messages to their queues, in the session's transaction; returns their ids in the same order. */
export async function queueDeliveries(session: Session, added: readonly NewDelivery[]): Promise<number[]> {
  if (added.length === 0) return [];
  await openQueues(session, added);
  const rows = added.map(({ webhookId, event, zone, payload }, n) => ({
    ...{ n, webhook: webhookId, message: newMessageId(), event, zone, payload },
  }));
  const insert = sql<{ id: number }>`
    insert into ${deliveries} (${v.names("webhookId", "messageId", "event", "zone", "payload", "createdAt", "retryUntil")})
    select webhook, message, event, zone, payload, clock_timestamp(), clock_timestamp() + ${retryFor}
    from json_to_recordset(${JSON.stringify(rows)}::json) as (n int, webhook bigint, message text, event text, zone text, payload text)
    order by n returning ${deliveries.id}`;
  return (await insert.run(session)).map(({ id }) => id);
}

async function openQueues(session: Session, of: readonly Pick<NewDelivery, "webhookId" | "zone">[]): Promise<void> {
  const names = new Map(of.map(({ webhookId, zone }) => [`${webhookId} ${zone}`, { webhook: webhookId, zone }]));
  const rows = sql`json_to_recordset(${JSON.stringify([...names.values()])}::json) as (webhook bigint, zone text)`;
  const open = sql`
    insert into ${queues} (${q.names("webhookId", "zone", "nextAt")})
    select webhook, zone, clock_timestamp() from ${rows} order by webhook, zone collate "C"
    on conflict (${q.names("webhookId", "zone")}) do update set ${q.names("zone")} = excluded.zone`;
  await open.run(session);
}

export interface ClaimedQueue {
  readonly webhookId: number;
  readonly zone: string;
  /** When the claim ends, as PostgreSQL writes it. It also identifies the claim. */
  readonly until: string;
  /** Whether the webhook's last message had failed when the queue was claimed. */
  readonly isFailing: boolean;
}

/** The numbers of queues in work at a time: in all, of one user (all administrators count as one), and of one webhook. */
interface Shares {
  readonly all: number;
  readonly user: number;
  readonly webhook: number;
}

/** The shares of webhooks with a last message that was delivered, and the separate shares of those with a last message that failed. */
const shares: Shares = { all: 24, user: 8, webhook: 4 };
const failingShares: Shares = { all: 8, user: 2, webhook: 1 };

/** How long a claim lasts without renewal; longer than an attempt. */
const claimFor = sql`interval '30 seconds'`;

const until = sql`${q.claimedUntil}::text as until`;

/** The SQL condition that queue q is this one and that no other process has claimed it since. */
const isHeld = ({ webhookId, zone, until }: ClaimedQueue) =>
  sql`${q.webhookId} = ${webhookId} and ${q.zone} = ${zone} and ${q.claimedUntil} = ${until}::timestamptz`;

/** Claims queues with a first message that is due, as far as the shares have room beside the `busy` queues; users take turns. */
export async function claimQueues(session: Session, busy: readonly ClaimedQueue[]): Promise<ClaimedQueue[]> {
  const isDue = sql`${q.nextAt} <= clock_timestamp() and (${q.claimedUntil} is null or ${q.claimedUntil} <= clock_timestamp())`;
  const owner = sql`coalesce(${w.userId}, 0)`;
  const room = (share: keyof Shares, isFailing = sql`failing`) =>
    sql`case when ${isFailing} then ${failingShares[share]}::int else ${shares[share]}::int end`;
  const query = sql<ClaimedQueue>`
    with busy as materialized (
      select b.webhook, b.failing, ${owner} as owner
      from json_to_recordset(${JSON.stringify(busy.map(({ webhookId, isFailing }) => ({ webhook: webhookId, failing: isFailing })))}::json)
        as b (webhook bigint, failing boolean) join ${w} on ${w.id} = b.webhook
    ),
    due as (
      select ${w.id} as webhook, ${owner} as owner, ${w.failures} > 0 as failing, f.zone, f.next
      from ${w} cross join lateral (
        select ${q.zone} as zone, ${q.nextAt} as next from ${q} where ${q.webhookId} = ${w.id} and ${isDue} order by ${q.nextAt}
        limit greatest(${room("webhook", sql`${w.failures} > 0`)} - (select count(*) from busy where busy.webhook = ${w.id}), 0)
      ) f where ${w.enabled}
    ),
    of_users as (
      select *, (select count(*) from busy where busy.owner = due.owner and busy.failing = due.failing)
        + row_number() over (partition by owner, failing order by next) as of_user from due
    ),
    of_all as (
      select *, (select count(*) from busy where busy.failing = of_users.failing)
        + row_number() over (partition by failing order by of_user, next) as of_all
      from of_users where of_user <= ${room("user")}
    ),
    chosen as materialized (
      select webhook, ${q.zone} as zone, failing from of_all join ${q} on ${q.webhookId} = webhook and ${q.zone} = of_all.zone
      where of_all <= ${room("all")} order by ${q.webhookId}, ${q.zone} for update of q
    )
    update ${q} set ${q.names("claimedUntil")} = clock_timestamp() + ${claimFor} from chosen
    where ${q.webhookId} = chosen.webhook and ${q.zone} = chosen.zone and ${isDue}
    returning ${q.webhookId} as "webhookId", ${q.zone} as zone, ${until}, chosen.failing as "isFailing"`;
  return query.run(session);
}

/** Renews a claim and locks the queue; returns undefined when another process has claimed it since, or its webhook was deleted. */
export async function renewClaim(session: Session, queue: ClaimedQueue): Promise<ClaimedQueue | undefined> {
  const query = sql<Pick<ClaimedQueue, "until">>`
    update ${q} set ${q.names("claimedUntil")} = clock_timestamp() + ${claimFor} where ${isHeld(queue)} returning ${until}`;
  const [row] = await query.run(session);
  return row && { ...queue, ...row };
}

/**
 * Releases a claimed queue unless another process has claimed it since: it is deleted when no message waits, otherwise due in `seconds`.
 * Needs a transaction, which holds the row's lock between the two statements.
 */
export async function releaseQueue(session: Session, queue: ClaimedQueue, seconds: number): Promise<void> {
  const { webhookId, zone } = queue;
  const release = sql`update ${q} set ${q.names("claimedUntil")} = null,
    ${q.names("nextAt")} = clock_timestamp() + make_interval(secs => ${seconds}) where ${isHeld(queue)} returning 1`;
  if ((await release.run(session)).length === 0) return;
  await sql`delete from ${q} where ${q.webhookId} = ${webhookId} and ${q.zone} = ${zone} and not exists (
    select from ${v} where ${v.webhookId} = ${webhookId} and ${v.zone} = ${zone} and ${isWaiting})`.run(session);
}

/** Makes all queues of a webhook due, in a transaction of its own. */
export async function wakeQueues(session: Session, webhookId: number): Promise<void> {
  const wake = sql`
    with waiting as materialized (
      select ${q.zone} as zone from ${q} where ${q.webhookId} = ${webhookId} and ${q.nextAt} > clock_timestamp()
      order by ${q.zone} for update
    )
    update ${q} set ${q.names("nextAt")} = clock_timestamp() from waiting where ${q.webhookId} = ${webhookId} and ${q.zone} = waiting.zone`;
  await transaction(session, (inner) => wake.run(inner));
}

export async function requeue(session: Session, ids: readonly number[]): Promise<void> {
  const chosen = sql<{ webhookId: number; zone: string }>`
    select ${v.columns("webhookId", "zone")} from ${v} where ${v.id} = any(${ids})`;
  await openQueues(session, await chosen.run(session));
  await sql`update ${v} set ${v.names("deliveredAt")} = null, ${v.names("deadAt")} = null, ${v.names("attempts")} = 0,
    ${v.names("lastError")} = null, ${v.names("retryUntil")} = clock_timestamp() + ${retryFor} where ${v.id} = any(${ids})`.run(
    session,
  );
  await sql`update ${q} set ${q.names("nextAt")} = clock_timestamp() from ${v}
    where ${v.id} = any(${ids}) and ${q.webhookId} = ${v.webhookId} and ${q.zone} = ${v.zone}`.run(session);
}
