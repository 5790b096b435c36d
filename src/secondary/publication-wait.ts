/** Waits for publications by polling. All waiting requests share one query for each poll, and hold no connection between polls. */
import { setTimeout as pause } from "node:timers/promises";
import DataLoader from "dataloader";
import { seesZoneOf } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { outOfTurn } from "../turns/queues.ts";
import { domainByZone, noSuchZone } from "../zone/domain.ts";
import { isOver, type PublicationRow, type Published, publications } from "./publication.ts";

/** The longest wait of one request, ms. */
const maxWaitMs = 60_000;

export const pauses = { firstMs: 20, growth: 1.5, maxMs: { waiting: 500, watching: 1000 } };

/** Reads that are due within this time, ms, share one query of at most so many publications. */
export const [batchWindowMs, maxBatchIds] = [5, 1000];

type Reader = DataLoader<number, PublicationRow | undefined>;
const readers = new WeakMap<object, Record<Published, Reader>>();

/** All waiting requests of a database share a reader, which caches nothing. */
function readerOf({ em, policy, now }: Session, of: Published): Reader {
  const create = (each: Published): Reader => {
    const own = { em: em.fork(), policy, now };
    return new DataLoader(
      async (ids) => {
        const rows = await publications(own, each, [...new Set(ids)]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => byId.get(id));
      },
      { cache: false, maxBatchSize: maxBatchIds, batchScheduleFn: (read) => void setTimeout(read, batchWindowMs) },
    );
  };
  const readersOfDatabase = readers.get(em.getDriver()) ?? { domain: create("domain"), change: create("change") };
  readers.set(em.getDriver(), readersOfDatabase);
  return readersOfDatabase[of];
}

/** Returns once the change is LIVE or there is no secondary, after `ms` milliseconds, or once the client has left (`gone`). */
export function waitForChange(
  session: Session,
  id: number,
  ms: number,
  gone: AbortSignal,
): Promise<PublicationRow | undefined> {
  const reader = readerOf(session, "change");
  const end = performance.now() + Math.min(ms, maxWaitMs);
  return outOfTurn(async () => {
    for (let wait = pauses.firstMs; ; wait = Math.min(wait * pauses.growth, pauses.maxMs.waiting)) {
      const row = await reader.load(id);
      const left = end - performance.now();
      if (isOver(row) || left <= 0 || gone.aborted) return row;
      await sleep(Math.min(wait, left), gone);
    }
  });
}

export type Detail = "state" | "sightings";

export function differs(row: PublicationRow, before: PublicationRow | undefined, detail: Detail): boolean {
  if (row.serial !== before?.serial || row.state !== before.state) return true;
  return detail === "sightings" && row.sightings !== before.sightings;
}

/**
 * Yields the publication of a domain, and again when it differs, until `gone` is aborted. Throws NOT_FOUND as soon as the session may not
 * see the zone. `confirm` is called before each poll and throws once the key is revoked.
 */
export async function watchDomain(
  session: Session,
  zone: string,
  gone: AbortSignal,
  confirm: () => Promise<unknown>,
  detail: Detail = "state",
): Promise<AsyncGenerator<PublicationRow>> {
  const { id, zone: name } = await domainByZone(session, zone);
  const reader = readerOf(session, "domain");
  return (async function* watch() {
    let last: PublicationRow | undefined;
    for (let wait = pauses.firstMs; !gone.aborted; wait = Math.min(wait * pauses.growth, pauses.maxMs.watching)) {
      await confirm();
      const row = await reader.load(id);
      if (!row || !seesZoneOf(session.actor, row.userId, name)) throw noSuchZone(name);
      if (differs(row, last, detail)) {
        last = row;
        wait = pauses.firstMs;
        yield row;
      }
      await sleep(wait, gone);
    }
  })();
}

/** Sleeps, or until `gone` is aborted. */
export async function sleep(ms: number, gone: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal: gone }).catch(() => {});
}
