/**
 * Whether a webhook is on, and whether its receiver answers; and where a message is.
 */
import look from "../parts/look.module.css";
import { counted } from "../parts/text/counted.ts";
import { Ago } from "../parts/text/time.tsx";
import type { ListedDelivery, ListedWebhook } from "./queries.ts";

interface WebhookStateProps {
  readonly webhook: Pick<ListedWebhook, "enabled" | "disabledReason" | "failingSince">;
}

export function WebhookState({ webhook: { enabled, disabledReason, failingSince } }: WebhookStateProps) {
  if (!enabled && disabledReason) return <span className={look.warn}>off: {disabledReason}</span>;
  if (!enabled || !failingSince) return <span className={look.soft}>{enabled ? "on" : "off"}</span>;
  return (
    <span className={look.warn}>
      failing since <Ago time={failingSince} />
    </span>
  );
}

/** Where a message is, with the status of the last answer. */
export function DeliveryResult({ delivery }: { readonly delivery: ListedDelivery }) {
  const { state, attempts, lastStatus, lastError, deliveredAt, deadAt } = delivery;
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
