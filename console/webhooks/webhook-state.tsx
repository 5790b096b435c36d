/**
 * Whether a webhook is on, and whether its receiver answers; and where a message is.
 */
import table from "../parts/page/table.module.css";
import { Ago } from "../parts/text/time.tsx";
import type { ListedDelivery, ListedWebhook } from "./queries.ts";
import css from "./webhooks.module.css";

export function WebhookState({
  webhook: { enabled, disabledReason, failingSince },
}: {
  readonly webhook: Pick<ListedWebhook, "enabled" | "disabledReason" | "failingSince">;
}) {
  if (!enabled)
    return disabledReason ? (
      <span className={table.trouble}>off: {disabledReason}</span>
    ) : (
      <span className={table.soft}>off</span>
    );
  if (failingSince)
    return (
      <span className={table.trouble}>
        failing since <Ago time={failingSince} />
      </span>
    );
  return <span className={table.soft}>on</span>;
}

/** Where a message is, with the status of the last answer. */
export function DeliveryResult({ delivery }: { readonly delivery: ListedDelivery }) {
  const { state, attempts, lastStatus, lastError, deliveredAt, deadAt } = delivery;
  const status = lastStatus === null ? "" : ` ${lastStatus}`;
  if (state === "DELIVERED")
    return (
      <>
        <span className={table.soft}>delivered{status}</span> {deliveredAt && <Soft time={deliveredAt} />}
      </>
    );
  const times = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  return (
    <>
      <span className={state === "DEAD" ? table.trouble : css.waiting}>{state === "DEAD" ? "dead" : "waiting"}</span>{" "}
      <span className={table.soft}>
        {attempts > 0 && times} {deadAt && <Ago time={deadAt} />}
      </span>{" "}
      {lastError && <span className={table.trouble}>{lastError}</span>}
    </>
  );
}

const Soft = ({ time }: { readonly time: string }) => (
  <span className={table.soft}>
    <Ago time={time} />
  </span>
);
