/**
 * Creates the deliveries of each event for every webhook that wants it, exactly once: one transaction stores the deliveries and the fact
 * that they were created.
 *
 * Changes need no outbox, since the journal serves as one. `webhook_position` is the id of the last change whose deliveries were created.
 * It moves only to an id below which no transaction can still commit (zone/journal-tail.ts). The changes of a zone have ascending ids, so
 * their deliveries are in the right order.
 *
 * Other events are rows of the outbox. They are deleted when their deliveries are created. An event whose place is between changes of a
 * domain (domain.transferred) waits for the changes before it. It also names the user who had the domain before.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { EventName } from "../outbox/event-kinds.ts";
import { OutboxEvent, type OutboxRow } from "../outbox/outbox.ts";
import type { Session } from "../session/session.ts";
import { transaction } from "../session/transaction.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Change, type ChangeRow, changeColumns, changesWithUsers, userOfChange } from "../zone/change.ts";
import { journalTail } from "../zone/journal-tail.ts";
import { awaitPublications } from "./awaited-publication.ts";
import { dataOfChange, eventsOfChange, payloadOf } from "./message.ts";
import { type NewDelivery, queueDeliveries } from "./queue.ts";
import { Webhook } from "./webhook.ts";

@Entity({ tableName: "webhook_position" })
export class WebhookPosition {
  @PrimaryKey({ type: "integer", autoincrement: false })
  id!: number;

  @Property({ type: new BigIntType("number") })
  changeId!: number;
}

const p = table(WebhookPosition, "p");
const c = table(Change, "c");
const o = table(OutboxEvent, "o");
const w = table(Webhook, "w");

const batchRows = 500;

/** Creates the deliveries of all waiting events, in batches; returns whether there were any. Without events it begins no transaction. */
export async function fanOut(session: Session, stopped: AbortSignal): Promise<boolean> {
  const query = sql<{ hasWebhooks: boolean; hasEvents: boolean; position: number }>`
    select exists (select from ${w} where ${w.enabled}) as "hasWebhooks", exists (select from ${o}) as "hasEvents",
      (select ${p.changeId} from ${p}) as position`;
  const [work] = await query.run(session);
  const journal = journalTail(session);
  if (work?.hasWebhooks) await journal.read();
  // Every change up to this id is committed, or never will be.
  const settled = work?.hasWebhooks && work.position < journal.settled ? journal.settled : undefined;
  if (settled === undefined && !work?.hasEvents) return false;
  while (!stopped.aborted && (await fanOutBatch(session, settled)));
  return true;
}

interface Subscriber {
  readonly id: number;
  readonly userId: number | null;
  readonly events: readonly string[];
  readonly zones: readonly string[] | null;
  readonly afterChangeId: number;
  readonly afterEventId: number;
}

type OwnedChange = ChangeRow & { readonly userId: number | null };

/** Creates the deliveries of one batch; returns whether there may be more. Without `settled` it takes events of the outbox only. */
function fanOutBatch(session: Session, settled: number | undefined): Promise<boolean> {
  return transaction(session, async (inner) => {
    const stored = sql<{ changeId: number }>`select ${p.changeId} as "changeId" from ${p} for update`;
    const position = (await stored.run(inner))[0]?.changeId ?? 0;
    // Changes before the first webhook are skipped.
    const subscribers = sql<Subscriber>`
      select ${w.columns("id", "userId", "events", "zones", "afterChangeId", "afterEventId")} from ${w} where ${w.enabled} order by ${w.id}`;
    const webhooks = await subscribers.run(inner);
    const from = Math.max(position, Math.min(...webhooks.map(({ afterChangeId }) => afterChangeId)));
    const changes = settled === undefined || from >= settled ? [] : await changesWithin(inner, from, settled);
    const isFull = changes.length === batchRows;
    const upTo = isFull ? (changes.at(-1)?.id ?? position) : Math.max(position, settled ?? position);
    // Read after the changes and their users: an event stored between the two reads must not be delivered before the changes.
    const [events, transfers] = await outboxUpTo(inner, upTo);
    const owned = changes.map((change) => ({ ...change, userId: ownerThen(change, transfers) }));
    const occurrences = inOrder(owned, events);
    const deliveries = occurrences.flatMap((each) => deliveriesOf(each, webhooks));
    await queueDeliveries(inner, deliveries);
    await awaitPublications(inner, wantedPublications(owned, webhooks));
    if (upTo > position) await sql`update ${p} set ${p.names("changeId")} = ${upTo}`.run(inner);
    if (events.length > 0) await sql`delete from ${o} where ${o.id} = any(${events.map(({ id }) => id)})`.run(inner);
    return isFull || events.length === batchRows;
  });
}

async function changesWithin(session: Session, after: number, upTo: number): Promise<OwnedChange[]> {
  const query = sql<OwnedChange>`
    select ${changeColumns}, ${userOfChange} as "userId" from ${changesWithUsers}
    where ${c.id} > ${after} and ${c.id} <= ${upTo} order by ${c.id} limit ${batchRows}`;
  return query.run(session);
}

/** Returns the events to deliver, and all events that transferred a domain. */
async function outboxUpTo(session: Session, changeId: number): Promise<readonly [OutboxRow[], OutboxRow[]]> {
  const columns = o.columns();
  const due = sql<OutboxRow>`
    select ${columns} from ${o} where ${o.afterChangeId} is null or ${o.afterChangeId} <= ${changeId} order by ${o.id} limit ${batchRows}`;
  const transfers = sql<OutboxRow>`select ${columns} from ${o} where ${o.domainId} is not null order by ${o.id}`;
  return [await due.run(session), await transfers.run(session)];
}

/** Returns the user who had the domain at the time of a change: the user before the first transfer after it. */
function ownerThen({ id, domainId, userId }: OwnedChange, transfers: readonly OutboxRow[]): number | null {
  const next = transfers.find((event) => event.domainId === domainId && (event.afterChangeId ?? 0) >= id);
  return next ? (next.formerUserId ?? null) : userId;
}

interface Occurrence {
  readonly event: EventName;
  readonly users: readonly (number | null)[];
  readonly zones: readonly string[] | null;
  /** The queue of its deliveries: the zone, or empty. */
  readonly zone: string;
  /** The id of the change, or of the event in the outbox. */
  readonly id: { readonly change: number } | { readonly event: number };
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

function inOrder(changes: readonly OwnedChange[], events: readonly OutboxRow[]): Occurrence[] {
  const rows = [
    ...changes
      // The catalog zone has no user, and no events.
      .filter(({ userId }) => userId !== null)
      .map((change) => ({ at: change.id, occurrences: ofChange(change) })),
    ...events.map((event) => ({ at: event.afterChangeId ?? Number.POSITIVE_INFINITY, occurrences: [ofOutbox(event)] })),
  ];
  return rows.toSorted((a, b) => (a.at === b.at ? 0 : a.at - b.at)).flatMap(({ occurrences }) => occurrences);
}

function ofChange(change: OwnedChange): Occurrence[] {
  const { id, zone, userId, createdAt } = change;
  const data = dataOfChange(change, userId);
  return eventsOfChange(change).map((event) => ({
    ...{ event, users: [userId], zones: [zone], zone, id: { change: id }, at: createdAt, data },
  }));
}

const ofOutbox = ({ id, event, userId, formerUserId, zones, zone, createdAt, data }: OutboxRow): Occurrence => ({
  event,
  users: [userId, ...(formerUserId === null ? [] : [formerUserId])],
  zones,
  zone: zone ?? "",
  id: { event: id },
  at: createdAt,
  data,
});

function isFor({ events, userId, zones, ...after }: Subscriber, occurrence: Omit<Occurrence, "data" | "at">): boolean {
  if (!events.includes(occurrence.event)) return false;
  if (userId !== null && !occurrence.users.includes(userId)) return false;
  if (zones && !occurrence.zones?.every((zone) => zones.includes(zone))) return false;
  return "change" in occurrence.id
    ? occurrence.id.change > after.afterChangeId
    : occurrence.id.event > after.afterEventId;
}

function deliveriesOf(occurrence: Occurrence, webhooks: readonly Subscriber[]): NewDelivery[] {
  const wanting = webhooks.filter((webhook) => isFor(webhook, occurrence));
  if (wanting.length === 0) return [];
  const { event, zone } = occurrence;
  const payload = payloadOf(event, occurrence.at, occurrence.data);
  return wanting.map(({ id }) => ({ webhookId: id, event, zone, payload }));
}

const ofPublication = ["change.live", "change.late"] as const;

/** Returns the ids of the changes with a publication that a webhook waits for. */
function wantedPublications(changes: readonly OwnedChange[], webhooks: readonly Subscriber[]): number[] {
  const isWanted = ({ id, zone, userId }: OwnedChange) =>
    webhooks.some((webhook) =>
      ofPublication.some((event) =>
        isFor(webhook, { event, users: [userId], zones: [zone], zone, id: { change: id } }),
      ),
    );
  return changes.filter((change) => change.userId !== null && isWanted(change)).map(({ id }) => id);
}
