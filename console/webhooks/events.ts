/**
 * The events of webhooks, as the console groups and names them.
 */
import type { WebhookEvent } from "../api/generated/graphql.ts";

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
