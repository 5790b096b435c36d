/**
 * Waiting for a publication: the database is asked again and again until it says LIVE, by all who wait in one query, and nobody
 * holds a connection or a transaction meanwhile. Level-triggered: what was missed while nobody looked is seen at the next look.
 */
import { setTimeout as pause } from "node:timers/promises";
import DataLoader from "dataloader";
import { seesRow } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { domainByZone, noSuchZone } from "../zone/domain.ts";
import { type PublicationRow, PublicationState, type Published, publications } from "./publication.ts";

/** The longest that one request may wait, ms. */
export const maxWaitMs = 60_000;

/** Between two looks, ms: at first, and at most. */
const pollIntervalMs = { first: 20, longest: 500, watching: 1000 };
/** Those who look within so many ms of each other look together. */
const batchWindowMs = 5;

type Reader = DataLoader<number, PublicationRow | undefined>;
const readers = new WeakMap<object, Record<Published, Reader>>();

/** The reader that all who wait on a database share; it remembers nothing. */
function readerOf({ em, policy, now }: Session, of: Published): Reader {
  const make = (each: Published): Reader =>
    new DataLoader(
      async (ids) => {
        const rows = await publications({ em, policy, now }, each, [...new Set(ids)]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => byId.get(id));
      },
      { cache: false, maxBatchSize: 1000, batchScheduleFn: (look) => void setTimeout(look, batchWindowMs) },
    );
  const readersOfDatabase = readers.get(em.getDriver()) ?? { domain: make("domain"), change: make("change") };
  readers.set(em.getDriver(), readersOfDatabase);
  return readersOfDatabase[of];
}

/**
 * The publication of a change once it is LIVE, or as it is after `ms`, or when `gone` says that nobody listens any more. Without a
 * secondary there is nothing to wait for.
 */
export async function waitForChange(
  session: Session,
  id: number,
  ms: number,
  gone: AbortSignal,
): Promise<PublicationRow | undefined> {
  const reader = readerOf(session, "change");
  const end = performance.now() + Math.min(ms, maxWaitMs);
  for (let wait = pollIntervalMs.first; ; wait = Math.min(wait * 1.5, pollIntervalMs.longest)) {
    const row = await reader.load(id);
    const left = end - performance.now();
    const isOver = !row || row.state === PublicationState.LIVE || row.state === PublicationState.UNSERVED;
    if (isOver || left <= 0 || gone.aborted) return row;
    await sleep(Math.min(wait, left), gone);
  }
}

/**
 * The publication of a domain as it is, then each time its serial or its state is another one, until `gone`. Throws NOT_FOUND when
 * the session does not see the zone, also later, and what `confirm` throws when the key has ended.
 */
export async function watchDomain(
  session: Session,
  zone: string,
  gone: AbortSignal,
  confirm: () => Promise<unknown>,
): Promise<AsyncGenerator<PublicationRow>> {
  const { id, zone: name } = await domainByZone(session, zone);
  const reader = readerOf(session, "domain");
  return (async function* watch() {
    let last: PublicationRow | undefined;
    for (let wait = pollIntervalMs.first; !gone.aborted; wait = Math.min(wait * 1.5, pollIntervalMs.watching)) {
      await confirm();
      const row = await reader.load(id);
      if (!row || !seesRow(session.actor, row.userId)) throw noSuchZone(name);
      if (row.serial !== last?.serial || row.state !== last.state) {
        last = row;
        wait = pollIntervalMs.first;
        yield row;
      }
      await sleep(wait, gone);
    }
  })();
}

/** Sleeps, until it is woken by `gone`. */
async function sleep(ms: number, gone: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: gone }).catch(() => {});
}
