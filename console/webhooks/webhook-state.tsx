/**
 * Whether a webhook is on, and whether its receiver answers; and where a message is.
 */

import look from "../parts/look.module.css";
import { Ago } from "../parts/text/time.tsx";
import type { ListedDelivery, ListedWebhook } from "./queries.ts";

export function WebhookState({
  webhook: { enabled, disabledReason, failingSince },
}: {
  readonly webhook: Pick<ListedWebhook, "enabled" | "disabledReason" | "failingSince">;
}) {
  if (!enabled)
    return disabledReason ? (
      <span className={look.warn}>off: {disabledReason}</span>
    ) : (
      <span className={look.soft}>off</span>
    );
  if (failingSince)
    return (
      <span className={look.warn}>
        failing since <Ago time={failingSince} />
      </span>
    );
  return <span className={look.soft}>on</span>;
}

/** Where a message is, with the status of the last answer. */
export function DeliveryResult({ delivery }: { readonly delivery: ListedDelivery }) {
  const { state, attempts, lastStatus, lastError, deliveredAt, deadAt } = delivery;
  const status = lastStatus === null ? "" : ` ${lastStatus}`;
  if (state === "DELIVERED")
    return (
      <>
        <span className={look.soft}>delivered{status}</span> {deliveredAt && <Soft time={deliveredAt} />}
      </>
    );
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return (
    <>
      <span className={state === "DEAD" ? look.warn : look.accent}>{state === "DEAD" ? "dead" : "waiting"}</span>{" "}
      <span className={look.soft}>
        {attempts > 0 && times} {deadAt && <Ago time={deadAt} />}
      </span>{" "}
      {lastError && <span className={look.warn}>{lastError}</span>}
    </>
  );
}

const Soft = ({ time }: { readonly time: string }) => (
  <span className={look.soft}>
    <Ago time={time} />
  </span>
);
