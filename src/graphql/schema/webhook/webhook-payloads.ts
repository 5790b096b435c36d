/** Inputs and payloads of the mutations of webhooks. */
import { Max, Min, MinLength } from "class-validator";
import { Field, InputType, Int, ObjectType } from "type-graphql";
import type { EventName } from "../../../outbox/event-kinds.ts";
import { maxOverlapHours, maxUrlLength } from "../../../webhook/edit-webhook.ts";
import { maxSentAgain } from "../../../webhook/send-again.ts";
import { Webhook, WebhookEvent, type WebhookRow } from "../../../webhook/webhook.ts";
import { type DeliveryRow, WebhookDelivery } from "../../../webhook/webhook-delivery.ts";
import { AtMost, PlainTextField } from "../../checked-fields.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { NoticesPayload } from "../shared/payloads.ts";
import { NullIsValue } from "../shared/read-argument.ts";

const urlOf = `Where messages are sent: https, at most ${maxUrlLength} characters, without user and password. WEBHOOK_PRIVATE_ADDRESSES allows http and private addresses.`;

@InputType({ description: "A new webhook." })
export class CreateWebhookInput {
  @MinLength(1, { message: "write what it is for" })
  @PlainTextField(100, { description: "What it is for, 1 to 100 characters." })
  name!: string;

  @PlainTextField(maxUrlLength, { description: urlOf })
  url!: string;

  @Field(() => [WebhookEvent], { description: "The events that it receives, at least one." })
  events!: EventName[];

  @Field(() => IdScalar, {
    nullable: true,
    description:
      "The user whose events it receives. Default: all users for an administrator's key, otherwise the key's own.",
  })
  userId?: number;

  @Field(() => [String], {
    nullable: true,
    description: "The zones that it is limited to, at most 100; they need not exist. Default: all.",
  })
  zones?: string[];
}

/** The input that selects a webhook. */
@InputType({ description: "A webhook." })
export class WebhookInput {
  @Field(() => IdScalar, { description: "Id of the webhook." })
  webhookId!: number;
}

@InputType({ description: "New content of a webhook; what is left out does not change." })
export class UpdateWebhookInput extends WebhookInput {
  @MinLength(1, { message: "write what it is for" })
  @PlainTextField(100, { nullable: true, description: "What it is for, 1 to 100 characters." })
  name?: string;

  @PlainTextField(maxUrlLength, { nullable: true, description: urlOf })
  url?: string;

  @Field(() => [WebhookEvent], { nullable: true, description: "The events that it receives, at least one." })
  events?: EventName[];

  @Field(() => [String], {
    nullable: true,
    description: "The zones that it is limited to, at most 100; null removes the limit.",
  })
  @NullIsValue()
  zones?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it is on. Events that happen while it is off are not sent.",
  })
  enabled?: boolean;
}

@InputType({ description: "The webhook that gets a new secret." })
export class RotateWebhookSecretInput extends WebhookInput {
  @Field(() => Int, {
    defaultValue: 24,
    description: `For how many hours messages are also signed with the previous secret, 0 to ${maxOverlapHours}.`,
  })
  @Min(0, { message: `write a number from 0 to ${maxOverlapHours}` })
  @Max(maxOverlapHours, { message: `write a number from 0 to ${maxOverlapHours}` })
  overlapHours!: number;
}

@InputType({ description: "Messages to send again." })
export class ResendWebhookMessagesInput extends WebhookInput {
  @Field(() => [IdScalar], {
    nullable: true,
    description: `Ids of its deliveries, at most ${maxSentAgain}; default: the oldest ${maxSentAgain} that are dead.`,
  })
  @AtMost(maxSentAgain)
  deliveryIds?: number[];
}

@ObjectType({ description: "A webhook with its new secret.", simpleResolvers: true })
export class WebhookSecretPayload extends NoticesPayload {
  @Field(() => Webhook, { description: "The webhook as it is listed." })
  webhook!: WebhookRow;

  @Field(() => String, {
    description: "The secret that signs its messages, `whsec_` and base64. It is shown only here.",
  })
  secret!: string;
}

@ObjectType({ description: "The webhook after the mutation.", simpleResolvers: true })
export class UpdateWebhookPayload extends NoticesPayload {
  @Field(() => Webhook, { description: "The webhook." })
  webhook!: WebhookRow;
}

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
