/**
 * A new webhook, or one that is edited: where it sends what, about which zones. The secret of a new one is shown once.
 */
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { WebhookEvent } from "../api/generated/graphql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult, messagesOf } from "../parts/control/announce.tsx";
import { Choice, Field, TextInput } from "../parts/control/field.tsx";
import look from "../parts/look.module.css";
import { FormDialog, useForm } from "../parts/page/form-dialog.tsx";
import { Secret } from "../parts/page/secret.tsx";
import { listedWords } from "../parts/text/listed-words.ts";
import { namedUser, UserField } from "../users/user-field.tsx";
import { eventGroups, eventName } from "./events.ts";
import type { ShownWebhook } from "./queries.ts";
import css from "./webhooks.module.css";

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
  mutation UpdateWebhook($input: UpdateWebhookInput!) {
    updateWebhook(input: $input) { webhook { id } }
  }
`);

interface WebhookFormProps {
  /** The webhook to edit; undefined for a new one. */
  readonly webhook?: ShownWebhook;
  readonly onClose: () => void;
}

export function WebhookForm({ webhook, onClose }: WebhookFormProps) {
  const viewer = useViewer();
  const [name, setName] = useState(webhook?.name ?? "");
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook?.events ?? ["CHANGE_COMMITTED"]);
  const [email, setEmail] = useState("");
  const [zones, setZones] = useState(webhook?.zones?.join(" ") ?? "");
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const limited = listedWords(zones);
  const save = useForm({
    fields: ["name", "url", "events", "userId", "zones"],
    gcTime: 0,
    mutationFn: async () => {
      const fields = { name: name.trim(), url: url.trim(), events: [...events] };
      if (webhook) {
        await run(updateWebhook, {
          input: { webhookId: webhook.id, ...fields, zones: limited.length > 0 ? limited : null, enabled },
        });
        return undefined;
      }
      const userId = viewer.user?.id ?? (email.trim() ? await namedUser(email.trim()) : undefined);
      const input = { ...fields, ...(userId && { userId }), ...(limited.length > 0 && { zones: limited }) };
      return (await run(createWebhook, { input })).createWebhook;
    },
    onSuccess: () => {
      readAgain("webhooks");
      if (!webhook) return;
      announceResult(`${name.trim()} is saved.`);
      onClose();
    },
  });
  const created = save.data;
  if (created)
    return (
      <Secret title={`Webhook ${created.webhook.name}`} secret={created.secret} what="the secret" onClose={onClose}>
        With this secret the receiver verifies that a message is from here. {messagesOf(created.notices).join(" ")}
      </Secret>
    );
  const toggle = (event: WebhookEvent) =>
    setEvents(events.includes(event) ? events.filter((each) => each !== event) : [...events, event]);
  return (
    <FormDialog
      title={webhook ? `Edit ${webhook.name}` : "New webhook"}
      action={webhook ? "Save" : "Create"}
      isReady={events.length > 0}
      form={save}
      onClose={onClose}
    >
      <Field label="Name" error={save.errorOf("name")} hint="What it is for, such as chat of the team.">
        <TextInput required spellCheck maxLength={100} value={name} onChange={setName} />
      </Field>
      <Field
        label="URL"
        error={save.errorOf("url")}
        hint="Where messages are sent, by POST: https, and an address of the public internet unless the operator allows others."
      >
        <TextInput
          required
          type="url"
          maxLength={2000}
          placeholder="https://example.com/hooks/zonesmith"
          value={url}
          onChange={setUrl}
        />
      </Field>
      {viewer.isAdministrator && !webhook && (
        <UserField
          error={save.errorOf("userId")}
          hint="The e-mail address of the user whose zones and keys it is about; empty for those of all users."
          value={email}
          onChange={setEmail}
        />
      )}
      <Field
        label="Zones"
        error={save.errorOf("zones")}
        hint="Names that it is limited to, separated by blanks; empty for all."
      >
        <TextInput value={zones} onChange={setZones} />
      </Field>
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
      {save.errorOf("events") && <p className={look.warn}>{save.errorOf("events")}</p>}
      {webhook && (
        <Choice
          label="It is on"
          hint="What happens while it is off is never sent."
          checked={enabled}
          onChange={setEnabled}
        />
      )}
    </FormDialog>
  );
}
