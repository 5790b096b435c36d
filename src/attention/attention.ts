/** What needs somebody now, as far as the session sees it. A cause goes when what caused it is over; there is nothing to dismiss. */
import { type ApiKeyRow, endingKeys } from "../account/api-key.ts";
import type { ChangeSetRow } from "../changeset/change-set.ts";
import { listChangeSets } from "../changeset/change-set-list.ts";
import { enumType } from "../graphql/scalars/enum-type.ts";
import { catalogHold } from "../secondary/catalog-zone.ts";
import { lateZones } from "../secondary/publication.ts";
import { listSecondaries, type SecondaryRow } from "../secondary/registry.ts";
import type { Session } from "../session/session.ts";
import { repeatedRefusals, type UpdateRefusalRow } from "../zone/dynamic-update/refusal-audit.ts";

/** The most urgent first. */
export const CauseKind = enumType("AttentionKind", "Why something needs somebody.", {
  LATE_SECONDARY: "Zones are LATE at a secondary. Administrators only.",
  LATE_ZONES: "Zones of the user are LATE.",
  HELD_CATALOG: "The catalog is held back: see pendingCatalogRemoval. Administrators only.",
  REVIEW: "A change set waits for a review that the key may give.",
  REFUSALS: "At least three updates of one TSIG key were refused for one reason in the last hour.",
  EXPIRING_KEY: "An API key of the viewer expires within 14 days.",
  NO_SECONDARY: "No secondary is registered. Administrators only.",
});

export interface Cause {
  readonly kind: keyof typeof CauseKind;
  readonly count: number;
  readonly at: Date | null;
  readonly secondary?: SecondaryRow | undefined;
  readonly changeSet?: ChangeSetRow;
  readonly refusal?: UpdateRefusalRow;
  readonly apiKey?: ApiKeyRow;
}

/** The most causes of one kind. */
const mostOfKind = 20;

const hour = 3600_000;
const fewestRefusals = 3;
const keyDays = 14;

/** The causes for a session, the most urgent first. */
export async function causesOf(session: Session): Promise<Cause[]> {
  const ofServers = session.actor.role === "user" ? lateOfUser(session) : causesOfServers(session);
  const others = await Promise.all([ofServers, reviews(session), refusals(session), expiringKeys(session)]);
  const urgency = Object.keys(CauseKind);
  return others.flat().sort((one, other) => urgency.indexOf(one.kind) - urgency.indexOf(other.kind));
}

async function lateOfUser(session: Session): Promise<Cause[]> {
  const late = await lateZones(session);
  return late.map(({ count, since }) => ({ kind: "LATE_ZONES", count, at: since }));
}

async function causesOfServers(session: Session): Promise<Cause[]> {
  const [{ rows: secondaries }, late, hold] = await Promise.all([
    listSecondaries(session, { first: 1000 }),
    lateZones(session),
    catalogHold(session),
  ]);
  const causes = late.slice(0, mostOfKind).map(({ secondaryId, count, since }): Cause => {
    const secondary = secondaries.find(({ id }) => id === secondaryId);
    return { kind: "LATE_SECONDARY", count, at: since, secondary };
  });
  if (hold) causes.push({ kind: "HELD_CATALOG", count: hold.removals, at: hold.heldSince });
  if (secondaries.length === 0) causes.push({ kind: "NO_SECONDARY", count: 0, at: null });
  return causes;
}

/** The oldest sets first. */
async function reviews(session: Session): Promise<Cause[]> {
  const { rows } = await listChangeSets(session, { awaitingMe: true }, { last: mostOfKind });
  return rows.toReversed().map((changeSet) => ({ kind: "REVIEW", count: 1, at: changeSet.updatedAt, changeSet }));
}

async function refusals(session: Session): Promise<Cause[]> {
  const since = new Date(session.now().getTime() - hour);
  const repeated = await repeatedRefusals(session, { since, fewest: fewestRefusals, limit: mostOfKind });
  return repeated.map(({ count, first, ...refusal }) => ({ kind: "REFUSALS", count, at: first, refusal }));
}

async function expiringKeys(session: Session): Promise<Cause[]> {
  const before = new Date(session.now().getTime() + keyDays * 24 * hour);
  const keys = await endingKeys(session, before, mostOfKind);
  return keys.map((apiKey) => ({ kind: "EXPIRING_KEY", count: 1, at: apiKey.expiresAt, apiKey }));
}
