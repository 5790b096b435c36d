import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WithSecret,
} from "../../../webhook/edit-webhook.ts";
import { keptDays } from "../../../webhook/prune.ts";
import { sendAgain, testWebhook } from "../../../webhook/send-again.ts";
import { listWebhooks, Webhook, type WebhookRow, webhookById, webhooksByIds } from "../../../webhook/webhook.ts";
import {
  type DeliveryRow,
  DeliveryState,
  deliveriesOf,
  stateOf,
  WebhookDelivery,
} from "../../../webhook/webhook-delivery.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { DeletePayload, noticesOfZones } from "../shared/payloads.ts";
import { ownerOf } from "../shared/rows.ts";
import {
  CreateWebhookInput,
  ResendWebhookMessagesInput,
  ResendWebhookMessagesPayload,
  RotateWebhookSecretInput,
  TestWebhookPayload,
  UpdateWebhookInput,
  UpdateWebhookPayload,
  WebhookInput,
  WebhookSecretPayload,
} from "./webhook-payloads.ts";

const WebhookConnection = connectionType("Webhook", Webhook);
const WebhookDeliveryConnection = connectionType("WebhookDelivery", WebhookDelivery);

@ArgsType()
class DeliveriesArgs extends PageArgs {
  @Field(() => DeliveryState, { nullable: true, description: "Only deliveries in this state." })
  state?: DeliveryState;
}

@Resolver(() => Webhook)
export class WebhookResolver {
  @Query(() => WebhookConnection, { description: "The webhooks: all for an administrator, the user's own for a user." })
  async webhooks(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context): Promise<Connection<WebhookRow>> {
    return new Connection(await listWebhooks(session, { ...page }));
  }

  @Query(() => Webhook, { nullable: true, description: "The webhook; NOT_FOUND when there is none." })
  webhook(
    @Arg("id", () => IdScalar, { description: "Its id." }) id: number,
    @Ctx() { session }: Context,
  ): Promise<WebhookRow> {
    return webhookById(session, id);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose events it receives; null when it receives all.",
  })
  user(@Root() { userId }: WebhookRow, @Ctx() context: Context): Promise<UserRow | null> {
    return ownerOf(userId, context);
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    nullable: true,
    description: `Its messages, newest first. Delivered ones are kept for ${keptDays.delivered} days, dead ones for ${keptDays.dead}.`,
  })
  async deliveries(
    @Root() { id }: WebhookRow,
    @Args(() => DeliveriesArgs) { state, ...page }: DeliveriesArgs,
    @Ctx() context: Context,
  ): Promise<Connection<DeliveryRow>> {
    const read = (ids: readonly number[]) => deliveriesOf(context.session, ids, { state }, page);
    return new Connection(await context.load("Webhook.deliveries", { state, ...page }, id, read));
  }

  @Mutation(() => WebhookSecretPayload, {
    description:
      "Creates a webhook for events from now on. A user's key creates webhooks of its user, for the zones that it reaches.",
  })
  async createWebhook(
    @Arg("input", () => CreateWebhookInput) input: CreateWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<WebhookSecretPayload> {
    return withNotices(session, await createWebhook(session, input));
  }

  @Mutation(() => UpdateWebhookPayload, { description: "Updates a webhook, or switches it on or off." })
  async updateWebhook(
    @Arg("input", () => UpdateWebhookInput) { webhookId, zones, ...fields }: UpdateWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<UpdateWebhookPayload> {
    const webhook = await updateWebhook(session, webhookId, { ...fields, ...(zones !== undefined && { zones }) });
    return { webhook, ...(await noticesOfZones(session, webhook.zones)) };
  }

  @Mutation(() => WebhookSecretPayload, {
    description: "Gives a webhook a new secret. For some hours messages are signed with both.",
  })
  async rotateWebhookSecret(
    @Arg("input", () => RotateWebhookSecretInput) { webhookId, overlapHours }: RotateWebhookSecretInput,
    @Ctx() { session }: Context,
  ): Promise<WebhookSecretPayload> {
    return withNotices(session, await rotateWebhookSecret(session, webhookId, overlapHours));
  }

  @Mutation(() => DeletePayload, { description: "Deletes a webhook with its messages." })
  async deleteWebhook(
    @Arg("input", () => WebhookInput) { webhookId: deletedId }: WebhookInput,
    @Ctx() { session }: Context,
  ): Promise<DeletePayload> {
    await deleteWebhook(session, deletedId);
    return { deletedId };
  }

  @Mutation(() => TestWebhookPayload, { description: "Sends a message of the type `webhook.test` to a webhook." })
  async testWebhook(
    @Arg("input", () => WebhookInput) { webhookId }: WebhookInput,
    @Ctx() { session }: Context,
  ): Promise<TestWebhookPayload> {
    return { delivery: await testWebhook(session, webhookId) };
  }

  @Mutation(() => ResendWebhookMessagesPayload, {
    description: "Sends dead or delivered messages again, with the same message ids.",
  })
  resendWebhookMessages(
    @Arg("input", () => ResendWebhookMessagesInput) { webhookId, deliveryIds }: ResendWebhookMessagesInput,
    @Ctx() { session }: Context,
  ): Promise<ResendWebhookMessagesPayload> {
    return sendAgain(session, webhookId, deliveryIds);
  }
}

const withNotices = async (session: Context["session"], created: WithSecret) => ({
  ...created,
  ...(await noticesOfZones(session, created.webhook.zones)),
});

@Resolver(() => WebhookDelivery)
export class WebhookDeliveryResolver {
  @FieldResolver(() => DeliveryState, { description: "Its state." })
  state(@Root() delivery: DeliveryRow): DeliveryState {
    return stateOf(delivery);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The zone that it is about; null without one, or with several.",
  })
  zone(@Root() { zone }: DeliveryRow): string | null {
    return zone === "" ? null : zone;
  }

  @FieldResolver(() => Webhook, { nullable: true, description: "The webhook." })
  webhook(@Root() { webhookId }: DeliveryRow, @Ctx() context: Context): Promise<WebhookRow> {
    return context.loadRow("Webhook", webhookId, (ids) => webhooksByIds(context.session, ids));
  }
}
