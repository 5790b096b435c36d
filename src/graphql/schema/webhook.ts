/**
 * Webhooks in the schema.
 */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { User, type UserRow, usersByIds } from "../../account/user.ts";
import { IdScalar } from "../../scalars.ts";
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WithSecret,
} from "../../webhook/edit-webhook.ts";
import { keptDays } from "../../webhook/prune.ts";
import { sendAgain, testWebhook } from "../../webhook/send-again.ts";
import { listWebhooks, Webhook, type WebhookRow, webhookById, webhooksByIds } from "../../webhook/webhook.ts";
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
import { noticesOfZones } from "./payloads.ts";
import {
  CreateWebhookInput,
  CreateWebhookPayload,
  DeleteWebhookInput,
  DeleteWebhookPayload,
  ResendWebhookMessagesInput,
  ResendWebhookMessagesPayload,
  RotateWebhookSecretInput,
  RotateWebhookSecretPayload,
  TestWebhookInput,
  TestWebhookPayload,
  UpdateWebhookInput,
  UpdateWebhookPayload,
} from "./webhook-payloads.ts";

const WebhookConnection = connectionType("Webhook", Webhook);
const WebhookDeliveryConnection = connectionType("WebhookDelivery", WebhookDelivery);

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
    @Arg("id", () => IdScalar, { description: "Its id." }) id: number,
    @Ctx() { session }: Context,
  ): Promise<WebhookRow> {
    return webhookById(session, id);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user about whose zones and keys it receives events; null of one that receives everything.",
  })
  async user(@Root() { userId }: WebhookRow, @Ctx() context: Context): Promise<UserRow | null> {
    if (userId === null) return null;
    return context.loadRow("User", userId, (ids) => usersByIds(context.session, ids));
  }

  @FieldResolver(() => WebhookDeliveryConnection, {
    nullable: true,
    description: `Its messages, the newest first: those delivered for ${keptDays.delivered} days, dead ones for ${keptDays.dead}.`,
  })
  async deliveries(
    @Root() { id }: WebhookRow,
    @Args(() => DeliveriesArgs) { state, ...page }: DeliveriesArgs,
    @Ctx() context: Context,
  ): Promise<Connection<DeliveryRow>> {
    const filter = { state };
    const read = (ids: readonly number[]) => deliveriesOf(context.session, ids, filter, page);
    return new Connection(await context.load("Webhook.deliveries", { ...filter, ...page }, id, read));
  }

  @Mutation(() => CreateWebhookPayload, {
    description:
      "Creates a webhook, which receives what happens from now on. A user's key creates webhooks of its user, for the zones that it reaches.",
  })
  async createWebhook(
    @Arg("input", () => CreateWebhookInput) { userId, ...fields }: CreateWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<CreateWebhookPayload> {
    const { name, url, events } = fields;
    const rest = { zones: fields.zones, userId };
    return withNotices(session, await createWebhook(session, { name, url, events, ...rest }));
  }

  @Mutation(() => UpdateWebhookPayload, { description: "Changes a webhook, or switches it on or off." })
  async updateWebhook(
    @Arg("input", () => UpdateWebhookInput) { id, zones, ...fields }: UpdateWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<UpdateWebhookPayload> {
    const webhook = await updateWebhook(session, id, {
      ...fields,
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
    return withNotices(session, await rotateWebhookSecret(session, id, overlapHours));
  }

  @Mutation(() => DeleteWebhookPayload, { description: "Deletes a webhook, with its messages." })
  async deleteWebhook(
    @Arg("input", () => DeleteWebhookInput) input: DeleteWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteWebhookPayload> {
    const deletedId = input.id;
    await deleteWebhook(session, deletedId);
    return { deletedId };
  }

  @Mutation(() => TestWebhookPayload, {
    description: "Sends a message of the type `webhook.test` to a webhook, which is about nothing.",
  })
  async testWebhook(
    @Arg("input", () => TestWebhookInput) { id }: TestWebhookInput,
    @Ctx() { session }: Context,
  ): Promise<TestWebhookPayload> {
    return { delivery: await testWebhook(session, id) };
  }

  @Mutation(() => ResendWebhookMessagesPayload, {
    description:
      "Sends messages again that are dead, or were delivered, with the ids that they had; they wait in the queues of their zones, for a day at most.",
  })
  resendWebhookMessages(
    @Arg("input", () => ResendWebhookMessagesInput) { webhookId, ids }: ResendWebhookMessagesInput,
    @Ctx() { session }: Context,
  ): Promise<ResendWebhookMessagesPayload> {
    const deliveries = ids;
    return sendAgain(session, webhookId, deliveries ?? undefined);
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
    description: "The zone that it is about; null when it is about none, or several.",
  })
  zone(@Root() { zone }: DeliveryRow): string | null {
    return zone === "" ? null : zone;
  }

  @FieldResolver(() => Webhook, { nullable: true, description: "The webhook." })
  webhook(@Root() { webhookId }: DeliveryRow, @Ctx() context: Context): Promise<WebhookRow> {
    return context.loadRow("Webhook", webhookId, (ids) => webhooksByIds(context.session, ids));
  }
}
