/**
 * The words for webhooks: their events as the console groups and names them, and whether one is on.
 */
import type { WebhookEvent } from "../api/generated/graphql.ts";
import look from "../parts/look.module.css";
import { Ago } from "../parts/text/time.tsx";
import type { ListedWebhook } from "./queries.ts";

/** The events by what they are about, in the order of the form. */
export const eventGroups: Readonly<Record<string, readonly WebhookEvent[]>> = {
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
export const eventName = (event: WebhookEvent) => event.replace(/^(CHANGE_SET|[A-Z]+)_/, "$1.").toLowerCase();

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
