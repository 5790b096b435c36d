/**
 * The queue of each zone, in which flows take turns. Here the changes of a zone wait for each other without a database connection; at the
 * domain's row they would hold one. Only a change of another instance is waited for at the row, for at most `lock_timeout`.
 */
import type { Session } from "../../session/session.ts";
import { type EndTurn, FairQueue } from "../../turns/fair-queue.ts";
import { currentFlow, outOfTurn, unavailable } from "../../turns/queues.ts";

const patienceMs = 30_000;

/** The queues of each database by zone name. A queue exists while somebody waits in it. */
const queues = new WeakMap<object, Map<string, FairQueue>>();

/** Waits until no other change of the zone runs in this process; throws UNAVAILABLE after `patienceMs`. */
export async function zoneTurn({ em }: Session, zone: string): Promise<EndTurn> {
  const zones = queues.get(em.getDriver()) ?? new Map<string, FairQueue>();
  queues.set(em.getDriver(), zones);
  const queue = zones.get(zone) ?? newQueue(zone);
  zones.set(zone, queue);
  const forget = () => {
    if (queue.isIdle && zones.get(zone) === queue) zones.delete(zone);
  };
  if (queue.isIdle) return endOf(await queue.acquire(currentFlow()), forget);
  return endOf(await outOfTurn(() => queue.acquire(currentFlow())), forget);
}

function endOf(end: EndTurn, forget: () => void): EndTurn {
  return () => {
    end();
    forget();
  };
}

/** Runs a change in the zone's turn; inside a transaction, which already holds a connection, without waiting. */
export async function inZoneTurn<Result>(session: Session, zone: string, run: () => Promise<Result>): Promise<Result> {
  if (session.em.isInTransaction()) return run();
  const end = await zoneTurn(session, zone);
  try {
    return await run();
  } finally {
    end();
  }
}

function newQueue(zone: string): FairQueue {
  const tooLong = () => unavailable(`Other changes of ${zone} are under way`, 2);
  return new FairQueue({ turns: 1, patienceMs, tooLong });
}
