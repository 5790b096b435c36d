/** One webhook: what it is for, what can be done with it, and its last messages. */
import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { WebhookDeliveryState } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { readAgain } from "../api/queries.ts";
import { act, graphql, run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions, Dialog } from "../parts/control/dialog.tsx";
import look from "../parts/look.module.css";
import { CopiedLines, Secret } from "../parts/page/copied.tsx";
import { DialogButton, Question } from "../parts/page/form.tsx";
import { List, Read } from "../parts/page/list.tsx";
import page from "../parts/page/page.module.css";
import { Empty, Facts, Page, Refusal, Segments } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago, Exact } from "../parts/text/time.tsx";
import {
  deliveriesOptions,
  eventsText,
  type ListedDelivery,
  type ShownWebhook,
  stateOf,
  WebhookForm,
  webhookOptions,
} from "./webhooks.tsx";

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
  const { readOnly } = useViewer();
  const navigate = route.useNavigate();
  const [isRotating, setRotating] = useState(false);
  const testing = useMutation({
    mutationFn: () => act("testWebhook", { webhookId: id }),
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
      <DialogButton dialog={(close) => <WebhookForm webhook={webhook} onClose={close} />}>Edit…</DialogButton>
      <Button onClick={() => setRotating(true)}>New secret…</Button>
      <DialogButton
        kind="danger"
        dialog={(close) => (
          <Question
            title={`Delete ${name}?`}
            action="Delete the webhook"
            send={() => act("deleteWebhook", { webhookId: id })}
            onSuccess={async () => {
              announceResult(`${name} is deleted.`);
              await navigate({ to: "/settings/webhooks" });
              readAgain("webhooks");
            }}
            onClose={close}
          >
            Its messages go with it, also those that wait.
          </Question>
        )}
      >
        Delete…
      </DialogButton>
    </>
  );
  return (
    <Page title={name} actions={actions}>
      {testing.error && <Refusal error={testing.error} />}
      {isRotating && <NewSecret webhook={webhook} onClose={() => setRotating(false)} />}
      <WebhookFacts webhook={webhook} />
      <Deliveries webhook={webhook} />
    </Page>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: ShownWebhook }) {
  const { url, events, zones, user, previousSecretUntil, createdAt } = webhook;
  const hasPrevious = previousSecretUntil !== null && Date.parse(previousSecretUntil) > Date.now();
  return (
    <Facts
      className={`${look.card} ${page.facts}`}
      of={{
        URL: <span className={look.mono}>{url}</span>,
        State: stateOf(webhook),
        Events: eventsText(events),
        Of: user?.email ?? "all users",
        Zones: zones?.join(" ") ?? "all",
        Created: <Ago time={createdAt} />,
        "Also signed with the previous secret": hasPrevious && (
          <>
            until <Exact time={previousSecretUntil} />
          </>
        ),
      }}
    />
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
      onSuccess={() => readAgain("webhooks")}
      onClose={onClose}
    >
      For 24 hours messages are signed with the present secret too, so that the receiver has time to change.
    </Question>
  );
}

const resend = graphql(`
  mutation ResendWebhookMessages($input: ResendWebhookMessagesInput!) {
    resendWebhookMessages(input: $input) { count }
  }
`);

type Choice = WebhookDeliveryState | "ALL";

const states: readonly { readonly value: Choice; readonly label: string }[] = [
  { value: "ALL", label: "All" },
  { value: "WAITING", label: "Waiting" },
  { value: "DEAD", label: "Dead" },
  { value: "DELIVERED", label: "Delivered" },
];

/** The last messages: where each is, what was answered, and the way to send it again. */
function Deliveries({ webhook: { id, enabled } }: { readonly webhook: ShownWebhook }) {
  const { readOnly } = useViewer();
  const { state } = route.useSearch();
  const navigate = route.useNavigate();
  const [opened, setOpened] = useState<ListedDelivery>();
  const close = () => setOpened(undefined);
  const deliveries = useInfiniteQuery(deliveriesOptions(id, state));
  const mayResend = !readOnly && enabled;
  const sending = useMutation({
    // Without ids, those that are dead.
    mutationFn: (deliveryIds: string[] | undefined) => run(resend, { input: { webhookId: id, deliveryIds } }),
    onSuccess: ({ resendWebhookMessages }) => {
      const count = resendWebhookMessages?.count ?? 0;
      announceResult(`${counted(count, "message")} ${count === 1 ? "is" : "are"} sent again.`);
      readAgain("webhooks");
    },
  });
  const show = (value: Choice) =>
    void navigate({ search: value === "ALL" ? {} : { state: value }, replace: true, resetScroll: false });
  return (
    <>
      <div className={look.line}>
        <h2>Messages</h2>
        <Segments label="State" value={state ?? "ALL"} options={states} onChange={show} />
        {mayResend && nodesOf(deliveries).some((row) => row.state === "DEAD") && (
          <Button busy={sending.isPending} onClick={() => sending.mutate(undefined)}>
            Send all dead ones again
          </Button>
        )}
      </div>
      {sending.error && <Refusal error={sending.error} />}
      <List
        query={deliveries}
        what="messages"
        label="Messages"
        empty={<Empty title={state ? "There is no such message" : "There are no messages yet"} />}
        keyOf={({ id: key }) => key}
        columns={[
          ["Event", ({ event }) => event, { className: look.mono }],
          ["Zone", ({ zone }) => zone ?? <span className={look.soft}>none</span>, { className: look.anywhere }],
          ["When", ({ createdAt }) => <Ago time={createdAt} />, { className: look.nowrap, label: "when" }],
          ["Result", resultOf, { className: look.anywhere, label: "result" }],
        ]}
        actions={(row) => (
          <>
            {mayResend && row.state !== "WAITING" && (
              <Button
                kind="quiet"
                aria-label={`Send again ${row.event} ${row.messageId}`}
                onClick={() => sending.mutate([row.id])}
              >
                Send again
              </Button>
            )}
            <Button kind="quiet" aria-label={`Show ${row.event} ${row.messageId}`} onClick={() => setOpened(row)}>
              Show
            </Button>
          </>
        )}
      />
      {opened && (
        <Dialog title={opened.event} onClose={close} width="wide">
          <p className={`${look.mono} ${look.anywhere}`}>{opened.messageId}</p>
          <CopiedLines label="Message" text={JSON.stringify(JSON.parse(opened.payload), null, 2)} what="the message" />
          <Actions>
            <Button kind="primary" onClick={close}>
              Close
            </Button>
          </Actions>
        </Dialog>
      )}
    </>
  );
}

/** Where a message is, with the status of the last answer. */
function resultOf({ state, attempts, lastStatus, lastError, deliveredAt, deadAt }: ListedDelivery) {
  if (state === "DELIVERED")
    return (
      <span className={look.soft}>
        delivered {lastStatus} {deliveredAt && <Ago time={deliveredAt} />}
      </span>
    );
  return (
    <>
      <span className={state === "DEAD" ? look.warn : look.accent}>{state === "DEAD" ? "dead" : "waiting"}</span>{" "}
      <span className={look.soft}>
        {attempts > 0 && counted(attempts, "attempt")} {deadAt && <Ago time={deadAt} />}
      </span>{" "}
      {lastError && <span className={look.warn}>{lastError}</span>}
    </>
  );
}
