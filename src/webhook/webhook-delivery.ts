/**
 * Deliveries: one message to one webhook, until it is delivered, or dead after a day of attempts. The deliveries of a webhook about one
 * zone form a queue; only the first one is attempted. Delivered ones are kept for a week, dead ones for a month (prune.ts).
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, Int, ObjectType } from "type-graphql";
import { noSuch } from "../errors.ts";
import { enumType } from "../graphql/scalars/enum-type.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar } from "../graphql/scalars/scalars.ts";
import { byId, type Page, type PageRequest, pagesOf } from "../lists/pagination.ts";
import type { EventName } from "../outbox/event-kinds.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { seesWebhook, Webhook } from "./webhook.ts";

export const DeliveryState = enumType("WebhookDeliveryState", "State of a message to a webhook.", {
  WAITING: "It is attempted until it is delivered or a day has passed.",
  DELIVERED: "The receiver answered with a status from 200 to 299.",
  DEAD: "It is attempted no more: a day has passed, or the receiver answered 410.",
});
export type DeliveryState = keyof typeof DeliveryState;

/** The type of a message that only tests a webhook; it is no event. */
export const testMessage = "webhook.test";

@ObjectType({ description: "A message to a webhook.", implements: Node, simpleResolvers: true })
@Entity({ tableName: "webhook_delivery" })
@Index({ name: "webhook_delivery_webhook_id_index", properties: ["webhook", "id"] })
@Index({
  name: "webhook_delivery_waiting_index",
  expression:
    'create index "webhook_delivery_waiting_index" on "webhook_delivery" ("webhook_id", "zone", "id") where "delivered_at" is null and "dead_at" is null',
})
@Index({
  name: "webhook_delivery_dead_index",
  expression:
    'create index "webhook_delivery_dead_index" on "webhook_delivery" ("webhook_id", "id") where "dead_at" is not null',
})
@Index({
  name: "webhook_delivery_ended_index",
  expression:
    'create index "webhook_delivery_ended_index" on "webhook_delivery" ((coalesce("delivered_at", "dead_at"))) where "delivered_at" is not null or "dead_at" is not null',
})
export class WebhookDelivery {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @ManyToOne(() => Webhook, { fieldName: "webhook_id", deleteRule: "cascade", index: false })
  webhook!: Webhook;

  @Field(() => String, {
    description: "Id of the message in the header webhook-id, the same at every attempt.",
  })
  @Property({ type: "text" })
  messageId!: string;

  @Field(() => String, { description: `Type of the message, such as \`domain.created\`, or \`${testMessage}\`.` })
  @Property({ type: "text" })
  event!: EventName | typeof testMessage;

  /** The queue: the zone, or empty for an event about no zone or about several. */
  @Property({ type: "text", collation: "C" })
  zone!: string;

  @Field(() => String, { description: "The body, JSON." })
  @Property({ type: "text" })
  payload!: string;

  @Field(() => DateTimeScalar, { description: "When the event became a message." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Until when it is attempted." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  retryUntil!: Date;

  @Field(() => Int, { description: "How often it was attempted." })
  @Property({ type: "integer", default: 0 })
  attempts!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it was last attempted; null before the first attempt.",
  })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  attemptedAt?: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: "HTTP status of the last answer; null without one.",
  })
  @Property({ type: "integer", nullable: true })
  lastStatus?: number | null;

  @Field(() => String, { nullable: true, description: "Why the last attempt failed; null when it did not." })
  @Property({ type: "text", nullable: true })
  lastError?: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was delivered; null before." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  deliveredAt?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was given up; null when it was not." })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  deadAt?: Date | null;
}

/** A queue: the waiting messages of a webhook about one zone. It exists while at least one waits. */
@Entity({ tableName: "webhook_queue" })
@Index({ name: "webhook_queue_next_at_index", properties: ["webhook", "nextAt"] })
export class WebhookQueue {
  @ManyToOne(() => Webhook, { primary: true, fieldName: "webhook_id", deleteRule: "cascade", index: false })
  webhook!: Webhook;

  @PrimaryKey({ type: "text", collation: "C", autoincrement: false })
  zone!: string;

  @Property({ type: "datetime", columnType: "timestamptz" })
  nextAt!: Date;

  /** Until when a process has claimed the queue; null when none has. */
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  claimedUntil?: Date | null;
}

const v = table(WebhookDelivery, "v");
const w = table(Webhook, "w");

const columns = v.columns();

export type DeliveryRow = RowOf<typeof columns>;

export const stateOf = ({ deliveredAt, deadAt }: Pick<DeliveryRow, "deliveredAt" | "deadAt">): DeliveryState =>
  deliveredAt ? DeliveryState.DELIVERED : deadAt ? DeliveryState.DEAD : DeliveryState.WAITING;

export const isWaiting = sql<boolean>`(${v.deliveredAt} is null and ${v.deadAt} is null)`;

const inState: Readonly<Record<DeliveryState, Sql<boolean>>> = {
  WAITING: isWaiting,
  DELIVERED: sql<boolean>`${v.deliveredAt} is not null`,
  DEAD: sql<boolean>`${v.deadAt} is not null`,
};

const newest = byId<DeliveryRow>("webhookDelivery.NEWEST", v.id, true);

/** Returns one page of the deliveries of each webhook, the newest first. The caller checks that the session sees the webhooks. */
export function deliveriesOf(
  session: Session,
  webhookIds: readonly number[],
  filter: { readonly state?: DeliveryState | undefined },
  request: PageRequest,
): Promise<Page<DeliveryRow>[]> {
  const conditions = filter.state === undefined ? [] : [inState[filter.state]];
  const list = { columns, from: v, conditions, order: newest };
  return pagesOf(session, list, v.webhookId, webhookIds, request);
}

/** Returns those of these deliveries that belong to webhooks that the session sees, in any order. */
async function deliveriesByIds(session: Session, ids: readonly number[]): Promise<DeliveryRow[]> {
  const query = sql<DeliveryRow>`
    select ${columns} from ${v} join ${w} on ${w.id} = ${v.webhookId} where ${v.id} = any(${ids}) and ${seesWebhook(session.actor)}`;
  return query.run(session);
}

/** Returns the delivery of this id; throws NOT_FOUND when the session sees no such delivery. */
export async function deliveryById(session: Session, id: number, field = "id"): Promise<DeliveryRow> {
  const [row] = await deliveriesByIds(session, [id]);
  if (!row) throw noSuch("delivery", id, field);
  return row;
}
