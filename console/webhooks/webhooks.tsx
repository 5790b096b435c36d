/** The webhooks that the viewer sees: where each sends what, and whether its receiver answers; and the form of one. */
import { useInfiniteQuery } from "@tanstack/react-query";
import type {
  WebhookDeliveriesQuery,
  WebhookDeliveryState,
  WebhookEvent,
  WebhookListQuery,
  WebhookQuery,
} from "../api/generated/graphql.ts";
import { listOptions, readAgain, readOptions } from "../api/queries.ts";
import { act, graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { messagesOf } from "../parts/control/announce.tsx";
import { Choice } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { Secret } from "../parts/page/copied.tsx";
import { CheckField, FormDialog, saved, TextField, useForm } from "../parts/page/form.tsx";
import { SettingsList } from "../parts/page/settings-list.tsx";
import { listedOrNone } from "../parts/text/listed-words.ts";
import { Ago } from "../parts/text/time.tsx";
import { ownerIfAny, UserField } from "../users/user-field.tsx";
import css from "./webhooks.module.css";

export function Webhooks() {
  return (
    <SettingsList
      title="Webhooks"
      noun="webhook"
      none="There are no webhooks"
      about="A webhook is an address on the web that is sent a signed message when something happens: a change of a zone, a refused update, a new key."
      form={(close) => <WebhookForm onClose={close} />}
      query={useInfiniteQuery(webhooksOptions)}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      columns={[
        [
          "Name",
          ({ name }) => name,
          { link: ({ id }) => ({ to: "/settings/webhooks/$webhook", params: { webhook: id } }) },
        ],
        ["URL", ({ url }) => url, { className: look.mono, isCut: true }],
        ["State", stateOf, { className: look.anywhere, label: "state" }],
        ["Events", ({ events }) => eventsText(events), { isCut: true }],
        [
          "Of",
          ({ user, zones }) => [user?.email ?? "all users", ...(zones ?? [])].join(" "),
          { isCut: true, label: "of" },
        ],
      ]}
    />
  );
}

const webhookList = graphql(`
  query WebhookList($after: String) {
    webhooks(first: 100, after: $after) {
      nodes { id name url events zones enabled disabledReason failingSince user { id email } }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type ListedWebhook = NonNullable<WebhookListQuery["webhooks"]>["nodes"][number];

/** How often the results of messages are read again while they are shown, ms. */
const observedMs = 3000;

const webhooksOptions = listOptions(["webhooks"], webhookList, {}, ({ webhooks }) => webhooks);

const webhookQuery = graphql(`
  query Webhook($id: ID!) {
    webhook(id: $id) {
      id name url events zones enabled disabledReason failingSince previousSecretUntil createdAt
      user { id email }
    }
  }
`);

export type ShownWebhook = NonNullable<WebhookQuery["webhook"]>;

export const webhookOptions = (id: string) => ({
  ...readOptions(["webhooks", id], webhookQuery, { id }, ({ webhook }) => webhook),
  refetchInterval: observedMs,
});

const deliveriesQuery = graphql(`
  query WebhookDeliveries($id: ID!, $state: WebhookDeliveryState, $after: String) {
    webhook(id: $id) {
      deliveries(first: 50, after: $after, state: $state) {
        nodes {
          id messageId event zone state createdAt attempts attemptedAt lastStatus lastError deliveredAt deadAt payload
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

type Deliveries = NonNullable<NonNullable<WebhookDeliveriesQuery["webhook"]>["deliveries"]>;
export type ListedDelivery = Deliveries["nodes"][number];

export const deliveriesOptions = (id: string, state: WebhookDeliveryState | undefined) => ({
  ...listOptions(
    ["webhooks", id, "deliveries", state ?? ""],
    deliveriesQuery,
    { id, state: state ?? null },
    ({ webhook }) => webhook?.deliveries ?? null,
  ),
  refetchInterval: observedMs,
});

/** The events by what they are about, in the order of the form. */
const eventGroups: Readonly<Record<string, readonly WebhookEvent[]>> = {
  Domains: ["DOMAIN_CREATED", "DOMAIN_DELETED", "DOMAIN_RESTORED", "DOMAIN_TRANSFERRED"],
  Changes: ["CHANGE_COMMITTED", "CHANGE_LIVE", "CHANGE_LATE"],
  "Updates and keys": ["UPDATE_REFUSED", "KEY_CREATED", "KEY_REVOKED"],
  "Change sets": [
    "CHANGE_SET_CREATED",
    "CHANGE_SET_SUBMITTED",
    "CHANGE_SET_APPROVED",
    "CHANGE_SET_CHANGES_REQUESTED",
    "CHANGE_SET_SCHEDULED",
    "CHANGE_SET_APPLIED",
    "CHANGE_SET_PARTIAL",
    "CHANGE_SET_FAILED",
    "CHANGE_SET_MISSED",
    "CHANGE_SET_CANCELLED",
    "CHANGE_SET_EXPIRED",
  ],
};

/** The name of an event, as its messages have it. */
const eventName = (event: WebhookEvent) => event.replace(/^(CHANGE_SET|[A-Z]+)_/, "$1.").toLowerCase();

/** Events as a list of names: a whole group by its own. */
export function eventsText(events: readonly WebhookEvent[]): string {
  const groups = Object.entries(eventGroups);
  if (groups.every(([, group]) => group.every((event) => events.includes(event)))) return "everything";
  return groups
    .flatMap(([name, group]) => {
      const chosen = group.filter((event) => events.includes(event));
      return chosen.length === group.length ? [name.toLowerCase()] : chosen.map(eventName);
    })
    .join(", ");
}

/** Whether it is on, and whether its receiver answers. */
export function stateOf({ enabled, disabledReason, failingSince }: Omit<ListedWebhook, "id">) {
  if (!enabled && disabledReason) return <span className={look.warn}>off: {disabledReason}</span>;
  if (!enabled || !failingSince) return <span className={look.soft}>{enabled ? "on" : "off"}</span>;
  return (
    <span className={look.warn}>
      failing since <Ago time={failingSince} />
    </span>
  );
}

const createWebhook = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) { webhook { id name } secret notices { message } }
  }
`);

interface WebhookFormProps {
  readonly webhook?: ShownWebhook;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  const viewer = useViewer();
  const save = useForm({
    values: {
      name: webhook?.name ?? "",
      url: webhook?.url ?? "",
      events: webhook?.events ?? (["CHANGE_COMMITTED"] as WebhookEvent[]),
      userId: "",
      zones: webhook?.zones?.join(" ") ?? "",
      enabled: webhook?.enabled ?? true,
    },
    fields: ["events.*"],
    gcTime: 0,
    mutationFn: async ({ userId: email, zones: limits, enabled, ...fields }) => {
      const zones = listedOrNone(limits);
      if (webhook) {
        const input = { webhookId: webhook.id, ...fields, zones: zones ?? null, enabled };
        await act("updateWebhook", input);
        return undefined;
      }
      const userId = await ownerIfAny(viewer, email);
      return (await run(createWebhook, { input: { ...fields, userId, zones } })).createWebhook;
    },
    onSuccess: (_, { name }) => {
      if (webhook) saved(`${name} is saved.`, onClose, "webhooks");
      else readAgain("webhooks");
    },
  });
  const created = save.data;
  if (created)
    return (
      <Secret title={`Webhook ${created.webhook.name}`} secret={created.secret} what="the secret" onClose={onClose}>
        With this secret the receiver verifies that a message is from here. {messagesOf(created.notices).join(" ")}
      </Secret>
    );
  const { events } = save.values;
  const toggle = (event: WebhookEvent) =>
    save.set({ events: events.includes(event) ? events.filter((each) => each !== event) : [...events, event] });
  return (
    <FormDialog
      title={webhook ? `Edit ${webhook.name}` : "New webhook"}
      action={webhook ? "Save" : "Create"}
      isReady={events.length > 0}
      form={save}
      onClose={onClose}
    >
      <TextField
        name="name"
        label="Name"
        hint="What it is for, such as chat of the team."
        required
        spellCheck
        maxLength={100}
      />
      <TextField
        name="url"
        label="URL"
        hint="Where messages are sent, by POST: https, and an address of the public internet unless the operator allows others."
        required
        type="url"
        maxLength={2000}
        placeholder="https://example.com/hooks/zonesmith"
      />
      {viewer.isAdministrator && !webhook && (
        <UserField hint="The e-mail address of the user whose zones and keys it is about; empty for those of all users." />
      )}
      <TextField name="zones" label="Zones" hint="Names that it is limited to, separated by blanks; empty for all." />
      {Object.entries(eventGroups).map(([group, members]) => (
        <fieldset key={group}>
          <legend className={look.strong}>{group}</legend>
          <div className={css.events}>
            {members.map((event) => (
              <Choice
                key={event}
                label={<code className={look.anywhere}>{eventName(event)}</code>}
                checked={events.includes(event)}
                onChange={() => toggle(event)}
              />
            ))}
          </div>
        </fieldset>
      ))}
      {events.length === 0 && <p className={look.warn}>Choose one event at least.</p>}
      {save.errorOf("events.*") && <p className={look.warn}>{save.errorOf("events.*")}</p>}
      {webhook && <CheckField name="enabled" label="It is on" hint="What happens while it is off is never sent." />}
    </FormDialog>
  );
}
