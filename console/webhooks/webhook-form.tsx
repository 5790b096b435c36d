/**
 * A new webhook, or one that is edited: where it sends what, about which zones. The secret of a new one is shown once.
 */
import { graphql } from "../api/generated/gql.ts";
import type { WebhookEvent } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { messagesOf } from "../parts/control/announce.tsx";
import { Choice } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { CheckField, saved, TextField } from "../parts/page/fields.tsx";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Secret } from "../parts/page/secret.tsx";
import { listedOrNone } from "../parts/text/listed-words.ts";
import { ownerIfAny, UserField } from "../users/user-field.tsx";
import type { ShownWebhook } from "./queries.ts";
import css from "./webhooks.module.css";
import { eventGroups, eventName } from "./words.tsx";

const createWebhook = graphql(`
  mutation CreateWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      webhook { id name }
      secret
      notices { message }
    }
  }
`);

const updateWebhook = graphql(`
  mutation UpdateWebhook($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { id } } }
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
        await run(updateWebhook, { input });
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
