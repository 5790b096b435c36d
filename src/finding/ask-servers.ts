/** Asks the parents and name servers of zones: those of one zone on demand, those of all once a day by the leader. */
import { Malformed } from "../dns/malformed.ts";
import { rootName } from "../dns/name.ts";
import { Refusal } from "../errors.ts";
import { Secondary } from "../secondary/secondary.ts";
import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { outOfTurn } from "../turns/queues.ts";
import { AllowedAddresses } from "../webhook/address.ts";
import { Change } from "../zone/change.ts";
import { Domain } from "../zone/domain.ts";
import type { CheckedZone } from "./checked-zone.ts";
import { loadNames, zonesOf } from "./find.ts";
import { askOverTcp, codeOf, findingsOutside, hasAnswered, type Outside, unreadable } from "./outside.ts";
import { domainsToAsk, storeServerChecks } from "./server-check.ts";

const s = table(Secondary, "s");
const d = table(Domain, "d");
const h = table(Change, "h");

const zonesAtATime = 20;
const dayMs = 86_400_000;
const portOfServers = 53;

/** Asks about the zones that were not asked about for a day, each once, until it is stopped. */
export async function askServersDaily(session: Session, stopped: AbortSignal): Promise<void> {
  const since = new Date(session.now().getTime() - dayMs);
  const { promise: stop, resolve } = Promise.withResolvers<void>();
  stopped.addEventListener("abort", () => resolve(), { once: true });
  for (let after = 0; session.policy.resolver && !stopped.aborted; ) {
    const ids = await domainsToAsk(session, { since, after, most: zonesAtATime });
    const last = ids.at(-1);
    if (last === undefined) return;
    await Promise.race([askServers(session, ids), stop]);
    after = last;
  }
}

/** Asks about one domain now, as `askServers`. */
export async function askServersOf(session: Session, id: number): Promise<void> {
  mayWrite(session.actor);
  await outOfTurn(() => askServers(session, [id]));
}

/** Asks about these domains now. Throws FORBIDDEN without a resolver, and UNAVAILABLE when it does not answer. */
async function askServers(session: Session, ids: readonly number[]): Promise<void> {
  const { resolver, privateWebhookAddresses } = session.policy;
  if (!resolver)
    throw new Refusal("FORBIDDEN", "Name servers are asked through a resolver; have the operator set RESOLVER.");
  if (!hasAnswered(await askOverTcp(resolver, rootName, codeOf("NS"), true)))
    throw new Refusal("UNAVAILABLE", `The resolver ${resolver.address} (RESOLVER) does not look up names over TCP.`);
  const apexes = await loadNames(
    session,
    ids.map((id) => ({ id, owner: "@" })),
  );
  const zones = zonesOf(apexes);
  const allowed = new AllowedAddresses(privateWebhookAddresses);
  const registered = await sql<{ address: string }>`select ${s.address} from ${s}`.run(session);
  const secondaries = new Set(registered.map(({ address }) => address));
  const mayAsk = (address: string) => allowed.has(address) || secondaries.has(address);
  const changes = await sql<{ zone: string; at: Date }>`
    select ${d.zone}, last.at from ${d} cross join lateral (
      select ${h.createdAt} as at from ${h} where ${h.domainId} = ${d.id} order by ${h.id} desc limit 1
    ) last where ${d.id} = any(${ids}::bigint[])`.run(session);
  const times = new Map(changes.map(({ zone, at }) => [zone, at]));
  const changedAt = ({ zone }: CheckedZone) => times.get(zone);
  const outside: Outside = { changedAt, resolver, ask: askOverTcp, mayAsk, now: session.now(), port: portOfServers };
  const checks = ids
    .flatMap((id) => zones.get(id) ?? [])
    .map(async (zone) => ({
      ...zone.about,
      found: await findingsOutside(zone, outside).catch(onlyUnreadable),
    }));
  await storeServerChecks(session, await Promise.all(checks));
}

function onlyUnreadable(error: unknown) {
  if (error instanceof Malformed || error instanceof RangeError) return unreadable();
  throw error;
}
