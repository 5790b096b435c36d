/**
 * What the mutations of webhooks take and return.
 */
import { ArrayMaxSize, Max, Min, MinLength } from "class-validator";
import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { EventName } from "../../outbox/event-kinds.ts";
import { IdScalar } from "../../scalars.ts";
import { maxOverlapHours, maxUrlLength } from "../../webhook/edit-webhook.ts";
import { maxSentAgain } from "../../webhook/send-again.ts";
import { Webhook, WebhookEvent, type WebhookRow } from "../../webhook/webhook.ts";
import { type DeliveryRow, WebhookDelivery } from "../../webhook/webhook-delivery.ts";
import { PlainText } from "../plain-text.ts";
import { IdInput } from "./input-fields.ts";
import { DeletePayload, KeyPayload } from "./payloads.ts";
import { NullIsValue } from "./read-argument.ts";

const urlOf = `Where messages are sent, https, at most ${maxUrlLength} characters, without user and password. An address outside of the public internet is refused, and http, unless WEBHOOK_PRIVATE_ADDRESSES allows it.`;

@InputType({ description: "A new webhook." })
export class CreateWebhookInput {
  @Field(() => String, { description: "What it is for, 1 to 100 characters." })
  @MinLength(1, { message: "write what it is for" })
  @PlainText(100)
  name!: string;

  @Field(() => String, { description: urlOf })
  @PlainText(maxUrlLength)
  url!: string;

  @Field(() => [WebhookEvent], { description: "The events that it receives, one at least." })
  events!: EventName[];

  @Field(() => IdScalar, {
    nullable: true,
    description:
      "The user about whose zones and keys it receives events; without one an administrator's receives everything, a user's what is the user's own.",
  })
  userId?: number;

  @Field(() => [String], {
    nullable: true,
    description:
      "The zones that it is limited to, at most 100, which need not exist yet: it receives what concerns these alone. Without them, everything.",
  })
  zones?: string[];
}

@InputType({ description: "New values of a webhook; what is left out stays." })
export class UpdateWebhookInput extends IdInput {
  @Field(() => String, { nullable: true, description: "What it is for, 1 to 100 characters." })
  @MinLength(1, { message: "write what it is for" })
  @PlainText(100)
  name?: string;

  @Field(() => String, { nullable: true, description: urlOf })
  @PlainText(maxUrlLength)
  url?: string;

  @Field(() => [WebhookEvent], { nullable: true, description: "The events that it receives, one at least." })
  events?: EventName[];

  @Field(() => [String], {
    nullable: true,
    description: "The zones that it is limited to, at most 100; null makes it one for all.",
  })
  @NullIsValue()
  zones?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether it is on. It never receives what happens while it is off; what waited is sent once it is on again.",
  })
  enabled?: boolean;
}

@InputType({ description: "The webhook that gets a new secret." })
export class RotateWebhookSecretInput extends IdInput {
  @Field(() => Int, {
    defaultValue: 24,
    description: `For how many hours messages are signed with the secret of before too, 0 to ${maxOverlapHours}.`,
  })
  @Min(0, { message: `write a number from 0 to ${maxOverlapHours}` })
  @Max(maxOverlapHours, { message: `write a number from 0 to ${maxOverlapHours}` })
  overlapHours!: number;
}

@InputType({ description: "The webhook to delete, with its messages." })
export class DeleteWebhookInput extends IdInput {}

@InputType({ description: "The webhook to test." })
export class TestWebhookInput extends IdInput {}

@InputType({ description: "Messages to send again." })
export class ResendWebhookMessagesInput {
  @Field(() => IdScalar, { description: "Id of the webhook." })
  webhookId!: number;

  @Field(() => [IdScalar], {
    nullable: true,
    description: `Ids of its deliveries, at most ${maxSentAgain}; without them the oldest ${maxSentAgain} that are dead.`,
  })
  @ArrayMaxSize(maxSentAgain, { message: `send at most ${maxSentAgain}` })
  ids?: number[];
}

/** The result of a mutation that shows a secret. */
@ObjectType({ simpleResolvers: true })
class SecretPayload extends KeyPayload {
  @Field(() => Webhook, { description: "The webhook as it is listed." })
  webhook!: WebhookRow;

  @Field(() => String, {
    description: "The secret that its messages are signed with, `whsec_` and base64; it is shown only here.",
  })
  secret!: string;
}

@ObjectType({ description: "The created webhook with its secret.", simpleResolvers: true })
export class CreateWebhookPayload extends SecretPayload {}

@ObjectType({ description: "The webhook with its new secret.", simpleResolvers: true })
export class RotateWebhookSecretPayload extends SecretPayload {}

@ObjectType({ description: "The changed webhook.", simpleResolvers: true })
export class UpdateWebhookPayload extends KeyPayload {
  @Field(() => Webhook, { description: "The webhook." })
  webhook!: WebhookRow;
}

@ObjectType({ description: "The deleted webhook's id.", simpleResolvers: true })
export class DeleteWebhookPayload extends DeletePayload {}

@ObjectType({ description: "The message that tests a webhook.", simpleResolvers: true })
export class TestWebhookPayload {
  @Field(() => WebhookDelivery, { description: "The message; read it again for its result." })
  delivery!: DeliveryRow;
}

@ObjectType({ description: "The webhook whose messages are sent again.", simpleResolvers: true })
export class ResendWebhookMessagesPayload {
  @Field(() => Webhook, { description: "The webhook." })
  webhook!: WebhookRow;

  @Field(() => Int, { description: "How many messages wait now." })
  count!: number;
}
