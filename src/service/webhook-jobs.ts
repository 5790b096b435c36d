/**
 * What the leader does for webhooks: makes deliveries of events, delivers them, looks whether changes are live, and throws away what is over.
 */
import type { Logger } from "pino";
import type { Metrics } from "../metrics/metrics.ts";
import type { Session } from "../session/session.ts";
import { lookAtPublications } from "../webhook/awaited-publication.ts";
import { deliver } from "../webhook/deliver.ts";
import { fanOut } from "../webhook/fan-out.ts";
import { pruneDeliveries } from "../webhook/prune.ts";

/** The pauses of the jobs, milliseconds. */
const fanOutMs = 200;
const deliverMs = 200;
const publicationsMs = 500;
const idleMs = 2000;
const pruneMs = 60_000;

/** The jobs, as the leader runs them. */
export function webhookJobs(log: Logger, metrics: Metrics) {
  const onOutcome = (outcome: string) => metrics.count("zonesmith_webhook_attempts_total", { outcome });
  return [
    {
      name: "events for webhooks",
      everyMs: fanOutMs,
      idleMs,
      run: fanOut,
    },
    {
      name: "deliveries to webhooks",
      everyMs: deliverMs,
      idleMs,
      // What became of an attempt is stored by who has claimed its queue, whoever leads by then.
      run: (leader: Session, stopped: AbortSignal) =>
        deliver({ session: () => ({ ...leader, em: leader.em.fork(), fence: undefined }), log, onOutcome }, stopped),
    },
    {
      name: "publications for webhooks",
      everyMs: publicationsMs,
      idleMs,
      run: lookAtPublications,
    },
    {
      name: "messages to throw away",
      everyMs: pruneMs,
      run: pruneDeliveries,
    },
  ];
}
