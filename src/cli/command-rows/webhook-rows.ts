/** The commands for webhooks. */
import { pageInfo } from "../service/client.ts";
import { userId, webhookId } from "../service/identify.ts";
import { columns } from "../terminal/print.ts";
import { type CommandRow, list, mutation, type OperationRow, operation } from "./command-row.ts";

/** Converts an event such as `domain.created` to its enum value in the schema, DOMAIN_CREATED. */
const eventOf = (text: string) => text.toUpperCase().replaceAll(".", "_");

/**
 * Converts an enum value of the schema to an event as it is in webhook messages: DOMAIN_CREATED to `domain.created`. Of the nouns, only
 * `change_set` has two words.
 */
const eventText = (event: string) => event.toLowerCase().replace(/^(change_set|[a-z]+)_/, "$1.");

const listColumns = columns("name, id, url, on: enabled, failing since: failingSince, user: user.email");
const allColumns = [
  ...listColumns,
  ...columns("switched off: disabledReason, events, zones, old secret until: previousSecretUntil, created: createdAt", {
    events: eventText,
  }),
];
const fields =
  "id name url enabled disabledReason failingSince events zones user { email } previousSecretUntil createdAt";

const deliveryColumns = columns(
  "when: createdAt, event, zone, state, attempts, status: lastStatus, error: lastError, id",
);
const deliveryFields = "id createdAt event zone state attempts lastStatus lastError";

const ofWebhook: NonNullable<OperationRow["variables"]> = async ({ args: [webhook = ""] }, endpoint) => ({
  input: { webhookId: await webhookId(endpoint, webhook) },
});

export const webhookRows: readonly CommandRow[] = [
  {
    words: "webhook list",
    description: "list the webhooks, and which of them fail",
    ...list("webhooks", fields, 1000),
    columns: listColumns,
  },
  {
    words: "webhook show <webhook>",
    description: "show a webhook, which is named by name or id",
    document: `query ($id: ID!) { webhook(id: $id) { ${fields} } }`,
    variables: async ({ args: [webhook = ""] }, endpoint) => ({ id: await webhookId(endpoint, webhook) }),
    result: "webhook",
    columns: allColumns,
  },
  operation({
    words: "webhook add <name> <url>",
    description: "create a webhook and print the secret that its messages are signed with, this once",
    options: [
      ["--events <event...>", "what it receives, such as domain.created change.live; docs/webhooks.md has all"],
      ["--zones <zone...>", "only what concerns these zones"],
      [
        "--user <user>",
        "about whose zones and keys, by e-mail address or id (default: of an administrator, everything)",
      ],
    ],
    ...mutation("createWebhook", `notices { message } secret webhook { ${fields} }`),
    variables: async ({ args: [name, url], options: { user, events, zones } }, endpoint) => {
      if (events === undefined) throw new Error("--events is missing; name one such as change.committed.");
      const owner = user === undefined ? undefined : await userId(endpoint, user);
      return { input: { name, url, events: events.map(eventOf), zones, userId: owner } };
    },
    text: ({ secret }) => String(secret),
  }),
  operation({
    words: "webhook change <webhook>",
    description: "change a webhook, or switch it on or off; what no option names stays",
    options: [
      ["--name <name>", "new name"],
      ["--url <url>", "new URL"],
      ["--events <event...>", "all that it receives"],
      ["--zones <zone...>", "all the zones that it is limited to"],
      ["--no-zones", "limit it to no zones"],
      ["--on", "switch it on, also when the service has switched it off"],
      ["--off", "switch it off"],
    ],
    needsOption: true,
    ...mutation("updateWebhook", `notices { message } webhook { ${fields} }`, "webhook"),
    variables: async ({ args: [webhook = ""], options: { name, url, events, zones, on, off } }, endpoint) => ({
      input: {
        webhookId: await webhookId(endpoint, webhook),
        ...{ name, url, events: events?.map(eventOf), zones: zones === false ? null : zones },
        enabled: on || off ? !off : undefined,
      },
    }),
    columns: allColumns,
  }),
  {
    words: "webhook remove <webhook>",
    description: "delete a webhook, with its messages",
    ...mutation("deleteWebhook", "deletedId"),
    variables: ofWebhook,
    text: (_row, { args: [webhook] }) => `${webhook} is deleted.`,
  },
  operation({
    words: "webhook rotate <webhook>",
    description: "give a webhook a new secret and print it; messages are signed with both for some hours",
    options: [["--hours <hours>", "for how many (default: 24)"]],
    ...mutation("rotateWebhookSecret", `notices { message } secret webhook { ${fields} }`),
    variables: async ({ args: [webhook = ""], options: { hours } }, endpoint) => ({
      input: {
        webhookId: await webhookId(endpoint, webhook),
        overlapHours: hours === undefined ? undefined : Number(hours),
      },
    }),
    text: ({ secret }) => String(secret),
  }),
  {
    words: "webhook test <webhook>",
    description: "send a message that is about nothing; deliveries shows its result",
    ...mutation("testWebhook", `delivery { ${deliveryFields} }`, "delivery"),
    variables: ofWebhook,
    columns: deliveryColumns,
  },
  operation({
    words: "webhook deliveries <webhook>",
    description: "list the messages of a webhook, the newest first",
    options: [["--state <state>", "only those that are waiting, delivered or dead"]],
    document: `query ($after: String, $id: ID!, $state: WebhookDeliveryState) { webhook(id: $id) {
      deliveries(first: 1000, after: $after, state: $state) { nodes { ${deliveryFields} } ${pageInfo} } } }`,
    variables: async ({ args: [webhook = ""], options: { state } }, endpoint) => ({
      id: await webhookId(endpoint, webhook),
      state: state?.toUpperCase(),
    }),
    result: "webhook.deliveries.nodes",
    columns: deliveryColumns,
  }),
  {
    words: "webhook resend <webhook> [delivery...]",
    description: "send messages again, by their ids; without ids the oldest that are dead",
    ...mutation("resendWebhookMessages", "count"),
    variables: async ({ args: [webhook = "", ...ids] }, endpoint) => ({
      input: { webhookId: await webhookId(endpoint, webhook), deliveryIds: ids.length > 0 ? ids : undefined },
    }),
    text: ({ count }) => `${count} messages wait now.`,
  },
];
