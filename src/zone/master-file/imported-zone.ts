/**
 * A zone as an import would leave it, for the rules: the stored records and the staged difference (staging-sql.ts), in batches of owners.
 */

import type { Session } from "../../session/session.ts";
import type { Carrier } from "../../sql/sql.ts";
import { pause } from "../../turns/queues.ts";
import type { DomainRow } from "../domain.ts";
import { ancestors, type TouchedOwners, targets } from "../edit/rules.ts";
import { isApexSoa } from "../edit/soa-serial.ts";
import { readOwners } from "../edit/stored-zone.ts";
import type { WorkingRecord } from "../edit/working-copy.ts";
import { anyBelow, countOwners, differenceLines, differingOwners, indexBelow, lineOf } from "./staging-sql.ts";

const ownersPerCheck = 500;

/** The apex and the owners of the difference, in batches; `onChecked` receives the numbers of checked and of all owners. */
export async function* touchedOwners(
  session: Session,
  domain: DomainRow,
  soa: WorkingRecord,
  onChecked: ((done: number, of: number) => void) | undefined,
): AsyncGenerator<TouchedOwners> {
  const of = onChecked ? await countOwners(session) : 0;
  let done = 0;
  let last: string | undefined;
  for (;;) {
    const differing = await differingOwners(session, last ?? "", ownersPerCheck);
    const owners = last === undefined ? [...new Set(["@", ...differing])] : differing.filter((owner) => owner !== "@");
    const view = await loadView(session, domain, soa, owners);
    yield { view, owners, written: owners.flatMap(view.at), lineOf: (owner) => lineOf(session, owner) };
    done += differing.length;
    onChecked?.(done, of);
    if (differing.length < ownersPerCheck) return;
    await pause();
    last = differing.at(-1);
  }
}

async function loadView(
  session: Session,
  { id, zone }: DomainRow,
  soa: WorkingRecord,
  owners: readonly string[],
): Promise<TouchedOwners["view"]> {
  const byOwner = new Map<string, readonly WorkingRecord[]>();
  const load = async (wanted: Iterable<string>) => {
    const missing = [...new Set(wanted)].filter((owner) => !byOwner.has(owner));
    if (missing.length === 0) return;
    const records = await recordsAt(session, id, soa, missing);
    for (const owner of missing) byOwner.set(owner, records.get(owner) ?? []);
  };
  await load(owners);
  const records = owners.flatMap((owner) => byOwner.get(owner) ?? []);
  await load([...owners.flatMap(ancestors), ...records.flatMap((record) => targets(record, zone))]);
  const below = new Map<string, WorkingRecord | undefined>();
  const dnames = records.filter(({ type }) => type === "DNAME");
  if (dnames.length > 0) await indexBelow(session);
  for (const { owner } of dnames) below.set(owner, await anyBelow(session, id, owner));
  const { ownerLimits: limits } = session.policy;
  return { zone, limits, at: (owner) => byOwner.get(owner) ?? [], below: (owner) => below.get(owner) };
}

async function recordsAt(
  db: Carrier,
  domainId: number,
  soa: WorkingRecord,
  owners: readonly string[],
): Promise<Map<string, WorkingRecord[]>> {
  const difference = await differenceLines(db, owners);
  const removed = new Set(difference.flatMap((record) => (record.removed ? record.id : [])));
  const kept = (await readOwners(db, domainId, owners)).filter(
    (record) => !removed.has(record.id) && !isApexSoa(record),
  );
  const added = difference.filter((record) => !record.removed);
  return Map.groupBy([...(owners.includes("@") ? [soa] : []), ...kept, ...added], ({ owner }) => owner);
}
