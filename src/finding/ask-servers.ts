/** Asks the parents and name servers of zones: those of one zone on demand, those of all once a day by the leader. */
import { rootName } from "../dns/name.ts";
import { Refusal } from "../errors.ts";
import { mayWrite } from "../session/authorization.ts";
import type { Session } from "../session/session.ts";
import { apexesOf, checkedZones } from "./find.ts";
import { askOverTcp, at, codeOf, findingsOutside } from "./outside.ts";
import { domainsToAsk, storeServerChecks } from "./server-check.ts";

const zonesAtATime = 20;
const dayMs = 86_400_000;
const portOfServers = 53;

/** Asks about the zones that were not asked about for a day. */
export async function askServersDaily(session: Session, stopped: AbortSignal): Promise<void> {
  while (session.policy.resolver && !stopped.aborted) {
    const ids = await domainsToAsk(session, new Date(session.now().getTime() - dayMs), zonesAtATime);
    if (ids.length === 0) return;
    await askServers(session, ids);
  }
}

/** Asks about one domain now, as `askServers`. */
export async function askServersOf(session: Session, id: number): Promise<void> {
  mayWrite(session.actor);
  await askServers(session, [id]);
}

/** Asks about these domains now. Throws FORBIDDEN without a resolver, and UNAVAILABLE when it does not answer. */
async function askServers(session: Session, ids: readonly number[]): Promise<void> {
  const { resolver } = session.policy;
  if (!resolver)
    throw new Refusal("FORBIDDEN", "Name servers are asked through a resolver; have the operator set RESOLVER.");
  if (!(await askOverTcp(resolver, rootName, codeOf("NS"), true)))
    throw new Refusal("UNAVAILABLE", `The resolver ${resolver.address} (RESOLVER) does not answer over TCP; start it.`);
  const outside = { resolver, ask: askOverTcp, now: session.now(), port: portOfServers };
  const zones = await checkedZones(session, await apexesOf(session, ids));
  const checks = zones.map(async ({ row, zone }) => ({
    id: row.id,
    found: await findingsOutside(zone, outside).catch(unreadable),
  }));
  await storeServerChecks(session, await Promise.all(checks));
}

/** Anybody may run a name server, and send anything. */
const unreadable = () => [at("LAME_SERVER", "NS", "A name server sends records that nobody can read; replace it.")];
