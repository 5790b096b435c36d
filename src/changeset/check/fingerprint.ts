/**
 * Fingerprints: what a change set does as one value, by which people say what they have looked at. It is made of each RRset that would
 * become another, as it is and as it would be, and not of serials: what somebody changes elsewhere in the zone does not matter.
 */
import { hash } from "node:crypto";
import type { ChangedRrset } from "../../zone/edit/working-copy.ts";
import { contentOf } from "../../zone/history/return-plan.ts";
import type { ChangeSetZoneRow } from "../contents.ts";
import { makesZone } from "../states.ts";

const contents = (records: ChangedRrset["before"]) => records.map(contentOf).toSorted().join("\n");

/** The fingerprint of what is done to one zone; `serial` counts where it is given. */
export function zoneFingerprint(
  { zone, action, userId }: Pick<ChangeSetZoneRow, "zone" | "action" | "userId">,
  rrsets: readonly ChangedRrset[],
  serial: number | null,
): string {
  const head = [zone, action, makesZone(action) ? userId : null, serial];
  const body = rrsets
    .map(({ owner, type, before, after }) => [owner, type, contents(before), contents(after)])
    .toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1));
  return hash("sha256", JSON.stringify([head, body]), "hex");
}

/** The fingerprint of a set, from those of its zones in the order of their names. */
export function setFingerprint(zones: readonly string[]): string {
  return hash("sha256", zones.join("\n"), "hex");
}
