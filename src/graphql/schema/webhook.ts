/**
 * Webhooks in the schema.
 */
import { ArrayMaxSize, Max, Min, MinLength } from "class-validator";
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { User, type UserRow, usersByIds } from "../../account/user.ts";
import type { EventName } from "../../outbox/event-kinds.ts";
import {
  createWebhook,
  deleteWebhook,
  maxOverlapHours,
  maxUrlLength,
  rotateWebhookSecret,
  updateWebhook,
  type WithSecret,
} from "../../webhook/edit-webhook.ts";
import { keptDays } from "../../webhook/prune.ts";
import { maxSentAgain, sendAgain, testWebhook } from "../../webhook/send-again.ts";
import {
  listWebhooks,
  Webhook,
  WebhookEvent,
  type WebhookRow,
  webhookById,
  webhooksByIds,
} from "../../webhook/webhook.ts";
import {
  type DeliveryRow,
  DeliveryState,
  deliveriesOf,
  stateOf,
  WebhookDelivery,
} from "../../webhook/webhook-delivery.ts";
import { Connection, connectionType } from "../connection.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { PlainText } from "../plain-text.ts";
import { readId, readOptionalId } from "../read-id.ts";
import { withoutNulls } from "../without-nulls.ts";
import { IdInput } from "./input-fields.ts";
import { DeletePayload, KeyPayload, noticesOfZones } from "./payloads.ts";

const WebhookConnection = connectionType("Webhook", Webhook);
const WebhookDeliveryConnection = connectionType("WebhookDelivery", WebhookDelivery);

const urlOf = `Where messages are sent, https, at most ${maxUrlLength} characters, without user and password. An address outside of the public internet is refused, and http, unless WEBHOOK_PRIVATE_ADDRESSES allows it.`;

@InputType({ description: "A new webhook." })
class CreateWebhookInput {
  @Field(() => String, { description: "What it is for, 1 to 100 characters." })
  @MinLength(1, { message: "write what it is for" })
  @PlainText(100)
  name!: string;

  @Field(() => String, { description: urlOf })
  @PlainText(maxUrlLength)
  url!: string;

  @Field(() => [WebhookEvent], { description: "The events that it is told of, one at least." })
  events!: EventName[];

  @Field(() => ID, {
    nullable: true,
    description:
      "The user whose zones and keys it is told of; without one an administrator's is told of everything, a user's of the user's own.",
  })
  userId?: string;

  @Field(() => [String], {
    nullable: true,
    description:
      "The zones that it is limited to, at most 100, which need not exist yet: it is told of what concerns these alone. Without them, of all.",
  })
  zones?: string[];
}

@InputType({ description: "New values of a webhook; what is left out stays." })
class UpdateWebhookInput extends IdInput {
  @Field(() => String, { nullable: true, description: "What it is for, 1 to 100 characters." })
  @MinLength(1, { message: "write what it is for" })
  @PlainText(100)
  name?: string;

  @Field(() => String, { nullable: true, description: urlOf })
  @PlainText(maxUrlLength)
  url?: string;

  @Field(() => [WebhookEvent], { nullable: true, description: "The events that it is told of, one at least." })
  events?: EventName[];

  @Field(() => [String], {
    nullable: true,
    description: "The zones that it is limited to, at most 100; null makes it one for all.",
  })
  zones?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether it is on. What happens while it is off it is never told of; what waited is sent once it is on again.",
  })
  enabled?: boolean;
}

@InputType({ description: "The webhook that gets a new secret." })
class RotateWebhookSecretInput extends IdInput {
  @Field(() => Int, {
    defaultValue: 24,
    description: `For how many hours messages are signed with the secret of before too, 0 to ${maxOverlapHours}.`,
  })
  @Min(0, { message: `write a number from 0 to ${maxOverlapHours}` })
  @Max(maxOverlapHours, { message: `write a number from 0 to ${maxOverlapHours}` })
  overlapHours!: number;
}

@InputType({ description: "The webhook to delete, with its messages." })
class DeleteWebhookInput extends IdInput {}

@InputType({ description: "The webhook to test." })
class TestWebhookInput extends IdInput {}

@InputType({ description: "Messages to send again." })
class SendAgainInput {
  @Field(() => ID, { description: "Id of the webhook." })
  webhookId!: string;

  @Field(() => [ID], {
    nullable: true,
    description: `Ids of its deliveries, at most ${maxSentAgain}; without them the oldest ${maxSentAgain} that are dead.`,
  })
  @ArrayMaxSize(maxSentAgain, { message: `send at most ${maxSentAgain}` })
  ids?: string[];
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
class CreateWebhookPayload extends SecretPayload {}

@ObjectType({ description: "The webhook with its new secret.", simpleResolvers: true })
class RotateWebhookSecretPayload extends SecretPayload {}

@ObjectType({ description: "The changed webhook.", simpleResolvers: true })
class UpdateWebhookPayload extends KeyPayload {
  @Field(() => Webhook, { description: "The webhook." })
  webhook!: WebhookRow;
}

@ObjectType({ description: "The deleted webhook's id.", simpleResolvers: true })
class DeleteWebhookPayload extends DeletePayload {}

@ObjectType({ description: "The message that tests a webhook.", simpleResolvers: true })
class TestWebhookPayload {
  @Field(() => WebhookDelivery, { description: "The message; read it again for what came of it." })
  delivery!: DeliveryRow;
}

@ObjectType({ description: "The webhook whose messages are sent again.", simpleResolvers: true })
class SendAgainPayload {
  @Field(() => Webhook, { description: "The webhook." })
  webhook!: WebhookRow;

  @Field(() => Int, { description: "How many messages wait now." })
  count!: number;
}

@ArgsType()
class DeliveriesArgs extends PageArgs {
  @Field(() => DeliveryState, { nullable: true, description: "Where they are; without it, anywhere." })
  state?: DeliveryState;
}

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => WebhookConnection, {
    description:
      "The webhooks: all of them for an administrator, the user's own for a user; a key that is limited to zones sees those for no others.",
  })
  async webhooks(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context): Promise<Connection<WebhookRow>> {
    return new Connection(await listWebhooks(session, { ...page }));
  }

  @Query(() => Webhook, { nullable: true, description: "The webhook; NOT_FOUND when there is none." })
  webhook(
    @Arg("id", () => ID, { description: "Its id." }) id: string,
    @Ctx() { session }: Context,
  ): Promise<WebhookRow> {
    return webhookById(session, readId(id, "id"));
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose zones and keys it is told of; null of one that is told of everything.",
  })
  async user(@Root() { userId }: WebhookRow, @Ctx() context: Context): Promise<UserRow | null> {
    if (userId === null) return null;
    return context.loadRow("User", userId, (ids) => usersByIds(context.session, ids));
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    description: `Its messages, the newest first: those delivered for ${keptDays.delivered} days, dead ones for ${keptDays.dead}.`,
  })
  async deliveries(
    @Root() { id }: WebhookRow,
    @Args(() => DeliveriesArgs) { state, ...page }: DeliveriesArgs,
    @Ctx() context: Context,
  ): Promise<Connection<DeliveryRow>> {
    const filter = withoutNulls({ state });
    const read = (ids: readonly number[]) => deliveriesOf(context.session, ids, filter, page);
    return new Connection(await context.load("Webhook.deliveries", { ...filter, ...page }, id, read));
  }

  @Mutation(() => CreateWebhookPayload, {
    description:
      "Creates a webhook, which is told of what happens from now on. A user's key creates webhooks of its user, for the zones that it reaches.",
  })
  async createWebhook(
    @Arg("input", () => CreateWebhookInput) { userId, ...fields }: CreateWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<CreateWebhookPayload> {
    const { name, url, events } = fields;
    const rest = withoutNulls({ zones: fields.zones, userId: readOptionalId(userId, "userId") });
    return withNotices(session, await createWebhook(session, { name, url, events, ...rest }));
  }

  @Mutation(() => UpdateWebhookPayload, { description: "Changes a webhook, or switches it on or off." })
  async updateWebhook(
    @Arg("input", () => UpdateWebhookInput) { id, zones, ...fields }: UpdateWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<UpdateWebhookPayload> {
    const webhook = await updateWebhook(session, readId(id, "id"), {
      ...withoutNulls(fields),
      ...(zones !== undefined && { zones }),
    });
    return { webhook, ...(await noticesOfZones(session, webhook.zones)) };
  }

  @Mutation(() => RotateWebhookSecretPayload, {
    description: "Gives a webhook a new secret; messages are signed with both for some hours, so that none is lost.",
  })
  async rotateWebhookSecret(
    @Arg("input", () => RotateWebhookSecretInput) { id, overlapHours }: RotateWebhookSecretInput,
    @Ctx() { session }: Context,
  ): Promise<RotateWebhookSecretPayload> {
    return withNotices(session, await rotateWebhookSecret(session, readId(id, "id"), overlapHours));
  }

  @Mutation(() => DeleteWebhookPayload, { description: "Deletes a webhook, with its messages." })
  async deleteWebhook(
    @Arg("input", () => DeleteWebhookInput) input: DeleteWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteWebhookPayload> {
    const deletedId = readId(input.id, "id");
    await deleteWebhook(session, deletedId);
    return { deletedId };
  }

  @Mutation(() => TestWebhookPayload, {
    description: "Sends a message of the type `webhook.test` to a webhook, which tells of nothing.",
  })
  async testWebhook(
    @Arg("input", () => TestWebhookInput) { id }: TestWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<TestWebhookPayload> {
    return { delivery: await testWebhook(session, readId(id, "id")) };
  }

  @Mutation(() => SendAgainPayload, {
    description:
      "Sends messages again that are dead, or were delivered, with the ids that they had; they wait in the queues of their zones, for a day at most.",
  })
  sendWebhookMessagesAgain(
    @Arg("input", () => SendAgainInput) { webhookId, ids }: SendAgainInput,
    @Ctx() { session }: Context,
  ): Promise<SendAgainPayload> {
    const deliveries = ids?.map((id, at) => readId(id, `ids.${at}`));
    return sendAgain(session, readId(webhookId, "webhookId"), deliveries ?? undefined);
  }
}

const withNotices = async (session: Context["session"], created: WithSecret) => ({
  ...created,
  ...(await noticesOfZones(session, created.webhook.zones)),
});

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => DeliveryState, { description: "Where it is." })
  state(@Root() delivery: DeliveryRow): DeliveryState {
    return stateOf(delivery);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The zone that it tells of; null when it tells of none, or of several.",
  })
  zone(@Root() { zone }: DeliveryRow): string | null {
    return zone === "" ? null : zone;
  }

  @FieldResolver(() => Webhook, { description: "The webhook." })
  webhook(@Root() { webhookId }: DeliveryRow, @Ctx() context: Context): Promise<WebhookRow> {
    return context.loadRow("Webhook", webhookId, (ids) => webhooksByIds(context.session, ids));
  }
}
