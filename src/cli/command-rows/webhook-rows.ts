/**
 * The commands for webhooks.
 */
import { type Endpoint, pagesOf } from "../service/client.ts";
import { userId } from "../service/identify.ts";
import type { Column } from "../terminal/print.ts";
import type { CommandRow, Given } from "./command-row.ts";

/** An event as the messages have it, `domain.created`, or as the schema has it. */
const eventOf = (text: string) => text.toUpperCase().replaceAll(".", "_");

/** The events, as messages have them: `change_set` is the one noun of two words. */
const eventText = (event: unknown) =>
  String(event)
    .toLowerCase()
    .replace(/^(change_set|[a-z]+)_/, "$1.");

const listColumns: readonly Column[] = [
  ["name", "name"],
  ["id", "id"],
  ["url", "url"],
  ["on", "enabled"],
  ["failing since", "failingSince"],
  ["user", "user.email"],
];
const columns: readonly Column[] = [
  ...listColumns,
  ["switched off", "disabledReason"],
  ["events", "events", eventText],
  ["zones", "zones"],
  ["old secret until", "previousSecretUntil"],
  ["created", "createdAt"],
];
const fields =
  "id name url enabled disabledReason failingSince events zones user { email } previousSecretUntil createdAt";

const deliveryColumns: readonly Column[] = [
  ["when", "createdAt"],
  ["event", "event"],
  ["zone", "zone"],
  ["state", "state"],
  ["attempts", "attempts"],
  ["status", "lastStatus"],
  ["error", "lastError"],
  ["id", "id"],
];
const deliveryFields = "id createdAt event zone state attempts lastStatus lastError";

export const webhooksDocument = `query ($after: String) { webhooks(first: 1000, after: $after) {
  nodes { id name } pageInfo { hasNextPage endCursor } } }`;

/** The id of a webhook, which its id or its name says; throws when none or several have that name. */
async function webhookId(endpoint: Endpoint, webhook: string): Promise<string> {
  if (/^\d{16}$/.test(webhook)) return webhook;
  const ids: string[] = [];
  for await (const { nodes } of pagesOf<{ id: string; name: string }>(endpoint, webhooksDocument, "webhooks"))
    ids.push(...nodes.filter(({ name }) => name === webhook).map(({ id }) => id));
  const [id, second] = ids;
  if (id !== undefined && second === undefined) return id;
  const how = second === undefined ? "No webhook is" : "Several webhooks are";
  throw new Error(`${how} called ${webhook}; "zonesmith webhook list" shows the ids.`);
}

const listOf = (value: unknown) => value as readonly string[] | undefined;

/** What the options say of a webhook. */
const inputOf = ({ name, url, events, zones }: Given["options"]) => ({
  ...(name !== undefined && { name }),
  ...(url !== undefined && { url }),
  ...(events !== undefined && { events: listOf(events)?.map(eventOf) }),
  ...(zones !== undefined && { zones: (zones as unknown) === false ? null : listOf(zones) }),
});

/** A mutation of a webhook that is named, with more input. */
const ofWebhook =
  (more: (options: Given["options"]) => object = () => ({})): CommandRow["variables"] =>
  async ({ args: [webhook = ""], options }, endpoint) => ({
    input: { webhookId: await webhookId(endpoint, webhook), ...more(options) },
  });

const secretText: CommandRow["text"] = ({ secret }) => String(secret);

export const webhookRows: readonly CommandRow[] = [
  {
    words: "webhook list",
    description: "list the webhooks, and which of them fail",
    document: `query ($after: String) { webhooks(first: 1000, after: $after) {
      nodes { ${fields} } pageInfo { hasNextPage endCursor } } }`,
    result: "webhooks.nodes",
    columns: listColumns,
  },
  {
    words: "webhook show <webhook>",
    description: "show a webhook, which is named by name or id",
    document: `query ($id: ID!) { webhook(id: $id) { ${fields} } }`,
    variables: async ({ args: [webhook = ""] }, endpoint) => ({ id: await webhookId(endpoint, webhook) }),
    result: "webhook",
    columns,
  },
  {
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
    document: `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { notices { message } secret webhook { ${fields} } } }`,
    variables: async ({ args: [name, url], options: { user, ...options } }, endpoint) => {
      if (options.events === undefined) throw new Error("--events is missing; name one such as change.committed.");
      const owner = user === undefined ? {} : { userId: await userId(endpoint, String(user)) };
      return { input: { ...inputOf({ ...options, name, url }), ...owner } };
    },
    result: "createWebhook",
    columns: [],
    text: secretText,
  },
  {
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
    document: `mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { notices { message } webhook { ${fields} } } }`,
    variables: ofWebhook((options) => ({
      ...inputOf(options),
      ...((options.on || options.off) && { enabled: !options.off }),
    })),
    result: "updateWebhook.webhook",
    columns,
  },
  {
    words: "webhook remove <webhook>",
    description: "delete a webhook, with its messages",
    document: "mutation ($input: WebhookInput!) { deleteWebhook(input: $input) { deletedId } }",
    variables: ofWebhook(),
    result: "deleteWebhook",
    columns: [],
    text: (_row, { args: [webhook] }) => `${webhook} is deleted.`,
  },
  {
    words: "webhook rotate <webhook>",
    description: "give a webhook a new secret and print it; messages are signed with both for some hours",
    options: [["--hours <hours>", "for how many (default: 24)"]],
    document: `mutation ($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { notices { message } secret webhook { ${fields} } } }`,
    variables: ofWebhook(({ hours }) => ({ ...(hours !== undefined && { overlapHours: Number(hours) }) })),
    result: "rotateWebhookSecret",
    columns: [],
    text: secretText,
  },
  {
    words: "webhook test <webhook>",
    description: "send a message that is about nothing; deliveries shows its result",
    document: `mutation ($input: WebhookInput!) { testWebhook(input: $input) { delivery { ${deliveryFields} } } }`,
    variables: ofWebhook(),
    result: "testWebhook.delivery",
    columns: deliveryColumns,
  },
  {
    words: "webhook deliveries <webhook>",
    description: "list the messages of a webhook, the newest first",
    options: [["--state <state>", "only those that are waiting, delivered or dead"]],
    document: `query ($after: String, $id: ID!, $state: WebhookDeliveryState) { webhook(id: $id) {
      deliveries(first: 1000, after: $after, state: $state) { nodes { ${deliveryFields} } pageInfo { hasNextPage endCursor } } } }`,
    variables: async ({ args: [webhook = ""], options: { state } }, endpoint) => ({
      id: await webhookId(endpoint, webhook),
      ...(state !== undefined && { state: String(state).toUpperCase() }),
    }),
    result: "webhook.deliveries.nodes",
    columns: deliveryColumns,
  },
  {
    words: "webhook resend <webhook> [delivery...]",
    description: "send messages again, by their ids; without ids the oldest that are dead",
    document: "mutation ($input: ResendWebhookMessagesInput!) { resendWebhookMessages(input: $input) { count } }",
    variables: async ({ args: [webhook = "", ...ids] }, endpoint) => ({
      input: { webhookId: await webhookId(endpoint, webhook), ...(ids.length > 0 && { deliveryIds: ids }) },
    }),
    result: "resendWebhookMessages",
    columns: [],
    text: ({ count }) => `${count} messages wait now.`,
  },
];
