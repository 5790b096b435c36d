/**
 * Which zones of a change set would exceed the quotas of their users. In mode ALL the zones count together. In mode EACH_ZONE they count
 * one after the other by name, and a refused zone does not count. This is a forecast: the application is checked against the stored figures
 * (zone/quota/quota.ts).
 */
import type { Reason } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { type Charge, excessesOf, reasonOf, usageOfMetered, withCharge } from "../../zone/quota/quota.ts";
import { ChangeSetMode } from "../states.ts";
import { type CheckedZone, isApplicable } from "./check-zone.ts";

/** The zones, with a refusal for each exceeded quota. */
export async function withinQuotas(
  session: Session,
  zones: readonly CheckedZone[],
  mode: ChangeSetMode,
): Promise<readonly CheckedZone[]> {
  const charges = zones.flatMap((zone) => (zone.charge && isApplicable(zone) ? zone.charge : []));
  const byUser = Map.groupBy(charges, ({ userId }) => userId);
  const usages = await usageOfMetered(session, [...byUser.keys()]);
  const reasons = new Map<string, Reason[]>();
  for (const [id, usage] of usages) {
    let now = usage;
    for (const together of inSteps(byUser.get(id) ?? [], mode)) {
      const excesses = excessesOf(session, now, together);
      for (const excess of excesses)
        reasons.set(excess.zone, [...(reasons.get(excess.zone) ?? []), reasonOf(now.email, excess)]);
      if (excesses.length === 0) now = withCharge(now, together);
    }
  }
  if (reasons.size === 0) return zones;
  return zones.map((zone) => {
    const more = reasons.get(zone.staged.zone);
    return more ? { ...zone, refusals: [...zone.refusals, ...more] } : zone;
  });
}

const inSteps = (charges: readonly Charge[], mode: ChangeSetMode): readonly (readonly Charge[])[] =>
  mode === ChangeSetMode.EACH_ZONE ? charges.map((charge) => [charge]) : [charges];
