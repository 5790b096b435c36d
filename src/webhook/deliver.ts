/**
 * Delivers messages while this process leads, from several queues at a time, each in its order. Each user has a share of them, and failing
 * webhooks have shares of their own (queue.ts), so that receivers that are down or slow do not delay other users' messages. Only the
 * message that is being sent is in memory. A message is sent a second time when its result was not stored: the process was killed, or was
 * so slow that another process claimed the queue.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { AllowedAddresses } from "./address.ts";
import { type ClaimedQueue, claimQueues, releaseQueue, renewClaim, wakeQueues } from "./queue.ts";
import { readSecret } from "./secret.ts";
import { type Attempt, send } from "./send.ts";
import { Webhook } from "./webhook.ts";
import { isWaiting, WebhookDelivery } from "./webhook-delivery.ts";

const pollMs = 200;

/** The pauses after failed attempts, seconds; the last one is repeated. */
const pauses = [5, 15, 60, 300, 900, 1800, 3600, 7200] as const;

/** When a message is delivered after this many failures in a row, all waiting messages of its webhook become due. */
const failuresOfOutage = 5;

export type Outcome = "delivered" | "failed" | "dead";

interface DelivererOptions {
  readonly session: () => Session;
  readonly log: Logger;
  readonly onOutcome?: (outcome: Outcome) => void;
}

/** Delivers due messages; returns whether there were any. When `stopped` is aborted, it aborts the requests and waits for their end. */
export async function deliver(options: DelivererOptions, stopped: AbortSignal): Promise<boolean> {
  let hasWork = false;
  const busy = new Map<ClaimedQueue, Promise<void>>();
  const begin = (queue: ClaimedQueue) => {
    const work = deliverQueue(options, queue, stopped)
      .catch((error: unknown) => {
        if (!stopped.aborted)
          options.log.warn({ err: error, webhook: queue.webhookId }, "a delivery failed; it is repeated");
      })
      .finally(() => void busy.delete(queue));
    busy.set(queue, work);
  };
  try {
    while (!stopped.aborted) {
      const claimed = await claimQueues(options.session(), [...busy.keys()]);
      claimed.forEach(begin);
      hasWork ||= claimed.length > 0;
      if (busy.size === 0) break;
      if (claimed.length === 0) await sleep(pollMs, undefined, { signal: stopped }).catch(() => {});
    }
  } finally {
    await Promise.all(busy.values());
  }
  return hasWork;
}

const v = table(WebhookDelivery, "v");
const w = table(Webhook, "w");

const due = v
  .columns("id", "messageId", "event", "payload", "attempts", "retryUntil")
  .and(w.columns("url", "secret", "previousSecret", "previousSecretUntil", "isSealed", "failures"));
type DueRow = RowOf<typeof due>;

/** The number of messages that one queue sends before the next queue has its turn. */
const messagesOfTurn = 20;

/** Delivers messages of a claimed queue, and releases it. */
async function deliverQueue(options: DelivererOptions, claimed: ClaimedQueue, stopped: AbortSignal): Promise<void> {
  let queue = claimed;
  const addresses = new AllowedAddresses(options.session().policy.privateWebhookAddresses);
  for (let sent = 0; sent < messagesOfTurn; sent += 1) {
    const session = options.session();
    const message = stopped.aborted ? undefined : await firstOf(session, queue);
    if (!message) break;
    const { url, messageId: id, payload } = message;
    const timestamp = Math.floor(session.now().getTime() / 1000);
    const secrets = secretsOf(session, queue.webhookId, message);
    const how = { addresses, stopped, seconds: patience(message) };
    const attempt =
      typeof secrets === "string"
        ? { status: null, error: secrets }
        : await send(url, { id, timestamp, payload }, { ...how, secrets });
    // An interrupted attempt has not failed; the next deliverer sends the message again.
    if (stopped.aborted && attempt.error !== null) break;
    // Before the delivery is stored, so that a failure here repeats both.
    if (attempt.error === null && message.failures >= failuresOfOutage) await wakeQueues(session, queue.webhookId);
    const kept = await record(options, queue, message, attempt);
    if (!kept) return;
    queue = kept;
  }
  await transaction(options.session(), (inner) => releaseQueue(inner, queue, 0));
}

/** How long an attempt may take, seconds: normally, and for the first `failingAttempts` attempts of a message while its webhook fails. */
const patienceSeconds = 15;
const failingPatienceSeconds = 5;
const failingAttempts = 3;

/** Returns the time limit of the next attempt, seconds. Later attempts have the full time, so that a slow receiver can recover. */
export function patience({ failures, attempts }: Pick<DueRow, "failures" | "attempts">): number {
  return failures > 0 && attempts < failingAttempts ? failingPatienceSeconds : patienceSeconds;
}

/** Returns the first waiting message of a queue; undefined without one, or when the webhook was switched off. */
async function firstOf(session: Session, { webhookId, zone }: ClaimedQueue): Promise<DueRow | undefined> {
  const query = sql<DueRow>`
    select ${due} from ${v} join ${w} on ${w.id} = ${v.webhookId} and ${w.enabled}
    where ${v.webhookId} = ${webhookId} and ${v.zone} = ${zone} and ${isWaiting} order by ${v.id} limit 1`;
  return (await query.run(session))[0];
}

/** Returns the secrets that sign a message, the present one and the previous one while it is valid; a sentence when they are unreadable. */
function secretsOf({ policy, now }: Session, webhookId: number, row: DueRow): Buffer[] | string {
  const read = (stored: Buffer) => readSecret(stored, row.isSealed, webhookId, policy.secretKey);
  const hasPrevious =
    row.previousSecret !== null && row.previousSecretUntil !== null && row.previousSecretUntil > now();
  try {
    return [row.secret, ...(hasPrevious ? [row.previousSecret as Buffer] : [])].map(read);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Stores a result unless another process has claimed the queue. Returns the queue if it may go on at once; otherwise it was released. */
async function record(
  { session, log, onOutcome }: DelivererOptions,
  queue: ClaimedQueue,
  message: DueRow,
  { status, error, cause }: Attempt,
): Promise<ClaimedQueue | undefined> {
  const isGone = status === 410;
  const isDelivered = error === null;
  let kept: ClaimedQueue | undefined;
  const outcome = await transaction(session(), async (inner): Promise<Outcome | undefined> => {
    kept = await renewClaim(inner, queue);
    if (!kept) return undefined;
    const query = sql<{ isDead: boolean }>`
      update ${v} set ${v.names("attempts")} = ${v.attempts} + 1, ${v.names("attemptedAt")} = clock_timestamp(),
        ${v.names("lastStatus")} = ${status}::int, ${v.names("lastError")} = ${error}::text,
        ${v.names("deliveredAt")} = case when ${isDelivered} then clock_timestamp() end,
        ${v.names("deadAt")} = case
          when not ${isDelivered} and (${isGone} or ${v.retryUntil} <= clock_timestamp()) then clock_timestamp() end
      where ${v.id} = ${message.id} returning ${v.deadAt} is not null as "isDead"`;
    const isDead = (await query.run(inner))[0]?.isDead ?? false;
    if (isDelivered) await noteSuccess(inner, queue.webhookId);
    else await noteFailure(inner, queue.webhookId, isGone);
    if (!isDelivered) await releaseQueue(inner, kept, isDead ? 0 : pauseAfter(message.attempts));
    return isDelivered ? "delivered" : isDead ? "dead" : "failed";
  });
  if (outcome) onOutcome?.(outcome);
  if (outcome !== "delivered")
    log.info(
      { webhook: queue.webhookId, message: message.messageId, outcome, problem: error, ...(cause && { cause }) },
      outcome
        ? "a message to a webhook was not delivered"
        : "the result of a delivery was not stored: another process has claimed the queue, or the webhook was deleted",
    );
  return isDelivered ? kept : undefined;
}

function pauseAfter(attempts: number): number {
  const pause = pauses[Math.min(attempts, pauses.length - 1)] as number;
  return pause * (0.9 + Math.random() * 0.2);
}

async function noteSuccess(session: Session, id: number): Promise<void> {
  await sql`update ${w} set ${w.names("failures")} = 0, ${w.names("failingSince")} = null
    where ${w.id} = ${id} and ${w.failures} > 0`.run(session);
}

/** Counts a failure. A receiver that is gone (410) is switched off, as the specification requires. */
async function noteFailure(session: Session, id: number, isGone: boolean): Promise<void> {
  const reason = "The receiver answered 410: it wants no more messages.";
  await sql`update ${w} set ${w.names("failures")} = ${w.failures} + 1,
    ${w.names("failingSince")} = coalesce(${w.failingSince}, clock_timestamp()),
    ${w.names("enabled")} = ${w.enabled} and not ${isGone},
    ${w.names("disabledReason")} = case when ${isGone} then ${reason} else ${w.disabledReason} end
    where ${w.id} = ${id}`.run(session);
}
