/**
 * Makes deliveries of events, for each webhook that wants them, exactly once: the deliveries, and the note that they were made, are one
 * transaction.
 *
 * The journal of changes is an outbox itself: a position in it says up to where deliveries were made. It moves only to an id below which
 * nobody can commit any more (zone/journal-tail.ts). The changes of a zone have ids in their order, so that they are delivered in it.
 *
 * The other events are rows of the outbox, which are deleted with it, whichever is seen first. One that has its place between changes of
 * its domain (domain.transferred) waits for those before it; it also says whose domain it was until then.
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

/** Up to which change deliveries were made: one row. */
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

/** Changes, and other events, that one transaction makes deliveries of. */
const batchRows = 500;

/** Makes deliveries of all that there is, in batches; without anything, no transaction is begun. Returns whether there was anything. */
export async function fanOut(session: Session, stopped: AbortSignal): Promise<boolean> {
  const query = sql<{ hasWebhooks: boolean; hasEvents: boolean; position: number }>`
    select exists (select from ${w} where ${w.enabled}) as "hasWebhooks", exists (select from ${o}) as "hasEvents",
      (select ${p.changeId} from ${p}) as position`;
  const [work] = await query.run(session);
  const journal = journalTail(session);
  if (work?.hasWebhooks) await journal.read();
  // Up to it, every change is committed, or never will be.
  const settled = work?.hasWebhooks && work.position < journal.settled ? journal.settled : undefined;
  if (settled === undefined && !work?.hasEvents) return false;
  while (!stopped.aborted && (await fanOutBatch(session, settled)));
  return true;
}

/** A webhook as far as it decides which events it receives. */
interface Subscriber {
  readonly id: number;
  readonly userId: number | null;
  readonly events: readonly string[];
  readonly zones: readonly string[] | null;
  readonly afterChangeId: number;
  readonly afterEventId: number;
}

type OwnedChange = ChangeRow & { readonly userId: number | null };

/** Makes deliveries of one batch; returns whether there may be more. Without `settled`, only of the outbox. */
function fanOutBatch(session: Session, settled: number | undefined): Promise<boolean> {
  return transaction(session, async (inner) => {
    const stored = sql<{ changeId: number }>`select ${p.changeId} as "changeId" from ${p} for update`;
    const position = (await stored.run(inner))[0]?.changeId ?? 0;
    // What is before all webhooks is passed over.
    const subscribers = sql<Subscriber>`
      select ${w.columns("id", "userId", "events", "zones", "afterChangeId", "afterEventId")} from ${w} where ${w.enabled} order by ${w.id}`;
    const webhooks = await subscribers.run(inner);
    const from = Math.max(position, Math.min(...webhooks.map(({ afterChangeId }) => afterChangeId)));
    const changes = settled === undefined || from >= settled ? [] : await changesWithin(inner, from, settled);
    const isFull = changes.length === batchRows;
    const upTo = isFull ? (changes.at(-1)?.id ?? position) : Math.max(position, settled ?? position);
    // Read after the changes and their users: an event that came between is not to be delivered before them.
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

/** The events to deliver, and all that gave domains to other users. */
async function outboxUpTo(session: Session, changeId: number): Promise<readonly [OutboxRow[], OutboxRow[]]> {
  const columns = o.columns();
  const due = sql<OutboxRow>`
    select ${columns} from ${o} where ${o.afterChangeId} is null or ${o.afterChangeId} <= ${changeId} order by ${o.id} limit ${batchRows}`;
  const transfers = sql<OutboxRow>`select ${columns} from ${o} where ${o.domainId} is not null order by ${o.id}`;
  return [await due.run(session), await transfers.run(session)];
}

/** The user of a domain when a change was made: who had it before the first transfer after it. */
function ownerThen({ id, domainId, userId }: OwnedChange, transfers: readonly OutboxRow[]): number | null {
  const next = transfers.find((event) => event.domainId === domainId && (event.afterChangeId ?? 0) >= id);
  return next ? (next.formerUserId ?? null) : userId;
}

/** An event with whom it concerns. */
interface Occurrence {
  readonly event: EventName;
  readonly users: readonly (number | null)[];
  readonly zones: readonly string[] | null;
  /** The queue that it goes through. */
  readonly zone: string;
  /** The change that it is of, or the event of the outbox. */
  readonly id: { readonly change: number } | { readonly event: number };
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The changes and the other events in the order in which they are delivered. */
function inOrder(changes: readonly OwnedChange[], events: readonly OutboxRow[]): Occurrence[] {
  const rows = [
    ...changes
      // Of no user is the catalog.
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

/** The ids of the changes whose publication some webhook wants to know. */
function wantedPublications(changes: readonly OwnedChange[], webhooks: readonly Subscriber[]): number[] {
  const isWanted = ({ id, zone, userId }: OwnedChange) =>
    webhooks.some((webhook) =>
      ofPublication.some((event) =>
        isFor(webhook, { event, users: [userId], zones: [zone], zone, id: { change: id } }),
      ),
    );
  return changes.filter((change) => change.userId !== null && isWanted(change)).map(({ id }) => id);
}
