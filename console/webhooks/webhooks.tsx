/**
 * The webhooks that the viewer sees: where each sends what, and whether its receiver answers.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useViewer } from "../api/viewer.ts";
import { Button } from "../parts/control/button.tsx";
import { List } from "../parts/page/list.tsx";
import { Empty, Page } from "../parts/page/page.tsx";
import table from "../parts/page/table.module.css";
import { eventsText } from "./events.ts";
import { type ListedWebhook, webhooksOptions } from "./queries.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";
import css from "./webhooks.module.css";

const route = getRouteApi("/shell/settings/webhooks");

export function Webhooks() {
  const { readOnly } = useViewer();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const webhooks = useInfiniteQuery(webhooksOptions);
  const add = !readOnly && (
    <Button
      kind="primary"
      icon="plus"
      aria-label="New webhook"
      onClick={() => void navigate({ search: { new: "webhook" } })}
    >
      Webhook
    </Button>
  );
  return (
    <Page title="Webhooks" actions={add}>
      <List
        query={webhooks}
        what="webhooks"
        label="Webhooks"
        headings={["Name", "URL", "Events", "Of", "State"]}
        empty={
          <Empty title="There are no webhooks" action={add}>
            A webhook is an address on the web that is sent a signed message when something happens: a change of a zone,
            a refused update, a new key.
          </Empty>
        }
        row={(webhook) => <Row key={webhook.id} webhook={webhook} />}
      />
      {search.new && !readOnly && <WebhookForm onClose={() => void navigate({ search: {}, replace: true })} />}
    </Page>
  );
}

function Row({ webhook }: { readonly webhook: ListedWebhook }) {
  const { id, name, url, events, zones, user } = webhook;
  const of = [user?.email ?? "all users", ...(zones ?? [])].join(" ");
  return (
    <tr>
      <td className={table.name}>
        <Link to="/settings/webhooks/$webhook" params={{ webhook: id }}>
          {name}
        </Link>
      </td>
      <td className={`${table.line} ${css.url}`} title={url}>
        {url}
      </td>
      <td className={table.line} title={eventsText(events)}>
        {eventsText(events)}
      </td>
      <td className={table.line} title={of} data-label="of">
        {of}
      </td>
      <td data-label="state" className={table.wide}>
        <WebhookState webhook={webhook} />
      </td>
    </tr>
  );
}
