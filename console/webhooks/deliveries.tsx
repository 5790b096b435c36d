/**
 * The last messages of a webhook: where each is, what was answered, and the way to send it again.
 */
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { graphql } from "../api/generated/gql.ts";
import type { WebhookDeliveryState } from "../api/generated/graphql.ts";
import { nodesOf } from "../api/pages.ts";
import { readAgain } from "../api/queries.ts";
import { run } from "../api/run.ts";
import { useViewer } from "../api/viewer.ts";
import { announceResult } from "../parts/control/announce.tsx";
import { Button } from "../parts/control/button.tsx";
import { Actions, Dialog } from "../parts/control/dialog.tsx";
import look from "../parts/look.module.css";
import { CopiedLines } from "../parts/page/lines.tsx";
import { List } from "../parts/page/list.tsx";
import { Empty, Segments } from "../parts/page/page.tsx";
import { Refusal } from "../parts/page/refusal.tsx";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import { deliveriesOptions, type ListedDelivery, type ShownWebhook } from "./queries.ts";

const resend = graphql(`
  mutation ResendWebhookMessages($input: ResendWebhookMessagesInput!) {
    resendWebhookMessages(input: $input) { count }
  }
`);

const route = getRouteApi("/shell/settings/webhooks/$webhook");

type Shown = WebhookDeliveryState | "ALL";

const states: readonly { readonly value: Shown; readonly label: string }[] = [
  { value: "ALL", label: "All" },
  { value: "WAITING", label: "Waiting" },
  { value: "DEAD", label: "Dead" },
  { value: "DELIVERED", label: "Delivered" },
];

export function Deliveries({ webhook: { id, enabled } }: { readonly webhook: ShownWebhook }) {
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
  const show = (value: Shown) =>
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
          { heading: "Event", cell: ({ event }) => event, className: look.mono },
          {
            heading: "Zone",
            cell: ({ zone }) => zone ?? <span className={look.soft}>none</span>,
            className: look.anywhere,
          },
          {
            heading: "When",
            cell: ({ createdAt }) => <Ago time={createdAt} />,
            className: look.nowrap,
            label: "when",
          },
          { heading: "Result", cell: resultOf, className: look.anywhere, label: "result" },
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
