/**
 * A webhook: a URL that receives events by the Standard Webhooks specification (1.0.0). A user's webhook receives events of the user's
 * zones, an administrator's those of all users. Its secret is shown once, and is stored encrypted when SECRET_KEY is set.
 */
import { BigIntType } from "@mikro-orm/core";
import { Entity, Index, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { Field, ObjectType, registerEnumType } from "type-graphql";
import { seesLimited } from "../account/api-key.ts";
import { User } from "../account/user.ts";
import { noSuch } from "../errors.ts";
import { Node } from "../graphql/scalars/node-interface.ts";
import { DateTimeScalar, IdScalar } from "../graphql/scalars/scalars.ts";
import { byId, type Page, type PageRequest, page } from "../lists/pagination.ts";
import { type EventName, eventKinds, eventNames } from "../outbox/event-kinds.ts";
import type { Actor } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { TextArrayType } from "../sql/text-array.ts";

const enumName = (event: string) => event.replace(".", "_").toUpperCase();

export const WebhookEvent: Readonly<Record<string, EventName>> = Object.fromEntries(
  eventNames.map((event) => [enumName(event), event]),
);
registerEnumType(WebhookEvent, {
  name: "WebhookEvent",
  description: "An event that webhooks receive. The `type` of its message is written like `domain.created`.",
  valuesConfig: Object.fromEntries(
    eventNames.map((event) => [enumName(event), { description: eventKinds[event].description }]),
  ),
});

@ObjectType({
  description: "A URL that receives events, by the Standard Webhooks specification.",
  implements: Node,
  simpleResolvers: true,
})
@Entity({ tableName: "webhook" })
@Index({ name: "webhook_user_id_index", properties: ["user"] })
export class Webhook {
  @Field(() => IdScalar, { description: "Its id." })
  @PrimaryKey({ type: new BigIntType("number") })
  id!: number;

  @ManyToOne(() => User, { fieldName: "user_id", nullable: true, deleteRule: "cascade", index: false })
  user?: User | null;

  @Field(() => String, { description: "What it is for." })
  @Property({ type: "text" })
  name!: string;

  @Field(() => String, { description: "Where messages are sent, by POST." })
  @Property({ type: "text" })
  url!: string;

  @Field(() => [WebhookEvent], { description: "The events that it receives." })
  @Property({ type: new TextArrayType() })
  events!: EventName[];

  @Field(() => [String], {
    nullable: true,
    description: "The zones that it is limited to; null without a limit.",
  })
  @Property({ type: new TextArrayType(), nullable: true })
  zones?: string[] | null;

  @Field(() => Boolean, { description: "Whether it is on." })
  @Property({ type: "boolean" })
  enabled!: boolean;

  @Field(() => String, { nullable: true, description: "Why the service has switched it off; null when it has not." })
  @Property({ type: "text", nullable: true })
  disabledReason?: string | null;

  @Property({ type: "blob", hidden: true })
  secret!: Buffer;

  /** The secret before the last rotation, which also signs messages until `previousSecretUntil`. */
  @Property({ type: "blob", nullable: true, hidden: true })
  previousSecret?: Buffer | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Until when messages are also signed with the previous secret; null without one.",
  })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true, fieldName: "previous_until" })
  previousSecretUntil?: Date | null;

  @Property({ type: "boolean", hidden: true })
  isSealed!: boolean;

  /** The last ids of changes and of events in the outbox when it was switched on; it receives those after them. */
  @Property({ type: new BigIntType("number") })
  afterChangeId!: number;

  @Property({ type: new BigIntType("number") })
  afterEventId!: number;

  @Property({ type: "integer", default: 0 })
  failures!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When attempts began to fail; null when the last message was delivered.",
  })
  @Property({ type: "datetime", columnType: "timestamptz", nullable: true })
  failingSince?: Date | null;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  @Property({ type: "datetime", columnType: "timestamptz" })
  createdAt!: Date;
}

const w = table(Webhook, "w");

export const webhookColumns = w.columns(
  ...(["id", "userId", "name", "url", "events", "zones", "enabled", "disabledReason"] as const),
  ...(["previousSecretUntil", "failures", "failingSince", "createdAt"] as const),
);

export type WebhookRow = RowOf<typeof webhookColumns>;

export const seesWebhook = (actor: Actor) => seesLimited(actor, w);

const byCreation = byId<WebhookRow>("webhook.CREATED", w.id, false);

export function listWebhooks(session: Session, request: PageRequest): Promise<Page<WebhookRow>> {
  const list = { columns: webhookColumns, from: w, conditions: [seesWebhook(session.actor)], order: byCreation };
  return page(session, list, request);
}

export async function webhooksByIds(session: Session, ids: readonly number[]): Promise<WebhookRow[]> {
  const query = sql<WebhookRow>`
    select ${webhookColumns} from ${w} where ${w.id} = any(${ids}) and ${seesWebhook(session.actor)}`;
  return query.run(session);
}

/** Returns the webhook of this id; throws NOT_FOUND when the session sees no such webhook. */
export async function webhookById(session: Session, id: number, field = "id"): Promise<WebhookRow> {
  const [row] = await webhooksByIds(session, [id]);
  if (!row) throw noSuch("webhook", id, field);
  return row;
}
