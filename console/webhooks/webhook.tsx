/**
 * One webhook: what it is for, what can be done with it, and its last messages.
 */
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import look from "../parts/look.module.css";
import { Question } from "../parts/page/form-dialog.tsx";
import { Read } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Fact, Page } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { Secret } from "../parts/page/secret.tsx";
import { Ago, Exact } from "../parts/text/time.tsx";
import { Deliveries } from "./deliveries.tsx";
import { type ShownWebhook, webhookOptions } from "./queries.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { eventsText, stateOf } from "./words.tsx";

const deleteWebhook = graphql(`
  mutation DeleteWebhook($input: WebhookInput!) { deleteWebhook(input: $input) { deletedId } }
`);

const testWebhook = graphql(`
  mutation TestWebhook($input: WebhookInput!) { testWebhook(input: $input) { delivery { id } } }
`);

const rotateSecret = graphql(`
  mutation RotateWebhookSecret($input: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $input) { secret } }
`);

const route = getRouteApi("/shell/settings/webhooks/$webhook");

export function Webhook() {
  const { webhook: id } = route.useParams();
  return (
    <Read query={useQuery(webhookOptions(id))} title="Webhook">
      {(webhook) => <Shown webhook={webhook} />}
    </Read>
  );
}

function Shown({ webhook }: { readonly webhook: ShownWebhook }) {
  const { id, name, enabled } = webhook;
  const input = { input: { webhookId: id } };
  const { readOnly } = useViewer();
  const navigate = route.useNavigate();
  const [open, setOpen] = useState<"edit" | "rotate" | "delete">();
  const close = () => setOpen(undefined);
  const testing = useMutation({
    mutationFn: () => run(testWebhook, input),
    onSuccess: () => {
      announceResult("A message to test it is on its way.");
      readAgain("webhooks");
    },
  });
  const actions = !readOnly && (
    <>
      {enabled && (
        <Button busy={testing.isPending} onClick={() => testing.mutate()}>
          Send a test
        </Button>
      )}
      <Button onClick={() => setOpen("edit")}>Edit…</Button>
      <Button onClick={() => setOpen("rotate")}>New secret…</Button>
      <Button kind="danger" onClick={() => setOpen("delete")}>
        Delete…
      </Button>
    </>
  );
  return (
    <Page title={name} actions={actions}>
      {testing.error && <Refusal error={testing.error} />}
      {open === "rotate" && <NewSecret webhook={webhook} onClose={close} />}
      <Facts webhook={webhook} />
      <Deliveries webhook={webhook} />
      {open === "edit" && <WebhookForm webhook={webhook} onClose={close} />}
      {open === "delete" && (
        <Question
          title={`Delete ${name}?`}
          action="Delete the webhook"
          send={() => run(deleteWebhook, input)}
          onSent={async () => {
            announceResult(`${name} is deleted.`);
            await navigate({ to: "/settings/webhooks" });
            readAgain("webhooks");
          }}
          onClose={close}
        >
          Its messages go with it, also those that wait.
        </Question>
      )}
    </Page>
  );
}

function Facts({ webhook }: { readonly webhook: ShownWebhook }) {
  const { url, events, zones, user, previousSecretUntil, createdAt } = webhook;
  const hasPrevious = previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now();
  return (
    <dl className={`${look.card} ${page.facts}`}>
      <Fact name="URL">
        <span className={`${look.mono} ${look.anywhere}`}>{url}</span>
      </Fact>
      <Fact name="State">{stateOf(webhook)}</Fact>
      <Fact name="Events">{eventsText(events)}</Fact>
      <Fact name="Of">{user?.email ?? "all users"}</Fact>
      <Fact name="Zones">{zones?.join(" ") ?? "all"}</Fact>
      <Fact name="Created">
        <Ago time={createdAt} />
      </Fact>
      {hasPrevious && (
        <Fact name="Also signed with the previous secret">
          until <Exact time={previousSecretUntil} />
        </Fact>
      )}
    </dl>
  );
}

/** Asks before a new secret is made, and shows it. */
function NewSecret({ webhook, onClose }: { readonly webhook: ShownWebhook; readonly onClose: () => void }) {
  const { id, name } = webhook;
  const [secret, setSecret] = useState<string>();
  if (secret !== undefined)
    return (
      <Secret title={`The new secret of ${name}`} secret={secret} what="the secret" onClose={onClose}>
        Messages are also signed with the previous secret, for 24 hours.
      </Secret>
    );
  return (
    <Question
      title={`A new secret for ${name}?`}
      action="Make a new secret"
      send={async () => {
        const { rotateWebhookSecret } = await run(rotateSecret, { input: { webhookId: id } });
        setSecret(rotateWebhookSecret?.secret);
      }}
      onSent={() => readAgain("webhooks")}
      onClose={onClose}
    >
      For 24 hours messages are signed with the present secret too, so that the receiver has time to change.
    </Question>
  );
}
