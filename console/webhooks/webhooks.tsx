/**
 * The webhooks that the viewer sees: where each sends what, and whether its receiver answers.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import look from "../parts/look.module.css";
import { SettingsList } from "../parts/page/settings-list.tsx";
import table from "../parts/page/table.module.css";
import { eventsText } from "./events.ts";
import { type ListedWebhook, webhooksOptions } from "./queries.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookState } from "./webhook-state.tsx";

const route = getRouteApi("/shell/settings/webhooks");

export function Webhooks() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <SettingsList
      title="Webhooks"
      none="There are no webhooks"
      about="A webhook is an address on the web that is sent a signed message when something happens: a change of a zone, a refused update, a new key."
      add="New webhook"
      onAdd={() => void navigate({ search: { new: "webhook" } })}
      form={search.new && <WebhookForm onClose={() => void navigate({ search: {}, replace: true })} />}
      query={useInfiniteQuery(webhooksOptions)}
      what="webhooks"
      headings={["Name", "URL", "State", "Events", "Of"]}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      cells={(webhook) => <Cells webhook={webhook} />}
    />
  );
}

function Cells({ webhook }: { readonly webhook: ListedWebhook }) {
  const { id, name, url, events, zones, user } = webhook;
  const of = [user?.email ?? "all users", ...(zones ?? [])].join(" ");
  return (
    <>
      <td className={table.name}>
        <Link to="/settings/webhooks/$webhook" params={{ webhook: id }}>
          {name}
        </Link>
      </td>
      <td className={`${table.line} ${look.mono}`} title={url}>
        {url}
      </td>
      <td data-label="state" className={look.anywhere}>
        <WebhookState webhook={webhook} />
      </td>
      <td className={`${look.cut} ${table.line}`} title={eventsText(events)}>
        {eventsText(events)}
      </td>
      <td className={`${look.cut} ${table.line}`} title={of} data-label="of">
        {of}
      </td>
    </>
  );
}
