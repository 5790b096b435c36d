/**
 * The webhooks that the viewer sees: where each sends what, and whether its receiver answers.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import look from "../parts/look.module.css";
import { SettingsList } from "../parts/page/settings-list.tsx";
import { webhooksOptions } from "./queries.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { eventsText, stateOf } from "./words.tsx";

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
        {
          heading: "Name",
          cell: ({ name }) => name,
          link: ({ id }) => ({ to: "/settings/webhooks/$webhook", params: { webhook: id } }),
        },
        { heading: "URL", cell: ({ url }) => url, className: look.mono, isCut: true },
        { heading: "State", cell: stateOf, className: look.anywhere, label: "state" },
        { heading: "Events", cell: ({ events }) => eventsText(events), isCut: true },
        {
          heading: "Of",
          cell: ({ user, zones }) => [user?.email ?? "all users", ...(zones ?? [])].join(" "),
          isCut: true,
          label: "of",
        },
      ]}
    />
  );
}
