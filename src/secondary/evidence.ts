/** Reads the evidence for proofs (proof.ts). Probes that are answered while a query runs share the next one. */
import { type Serial, serial } from "../dns/serial.ts";
import type { Session } from "../session/session.ts";
import { type RowOf, table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";
import { Grouping } from "../turns/grouping.ts";
import { Domain } from "../zone/domain.ts";
import type { Evidence } from "./proof.ts";
import type { Observation } from "./record-sightings.ts";
import { Sighting } from "./secondary.ts";
import { TransferredZone } from "./transferred-zone.ts";

interface Place {
  readonly secondaryId: number;
  readonly domainId: number;
}

/** A secondary that signs has applied a transfer after this time, ms. */
const settlingMs = 10_000;
const maxTogether = 500;

const d = table(Domain, "d");
const t = table(TransferredZone, "t");
const g = table(Sighting, "g");

/** Undefined for a deleted domain. */
export type EvidenceReader = (place: Place) => Promise<Evidence | undefined>;

export function evidenceReader(session: () => Session): EvidenceReader {
  const grouping = new Grouping<Place, Evidence | undefined>({
    atATime: 1,
    maxSize: maxTogether,
    sizeOf: () => 1,
    keyOf: ({ secondaryId, domainId }) => `${secondaryId} ${domainId}`,
    run: (places) => readEvidence(session(), places),
    mayRunSingly: () => false,
  });
  return (place) => grouping.add(place);
}

const sighted = g.columns("serial", "provenSerial", "isUnproven", "term", "seenAt");

interface EvidenceRow extends RowOf<typeof sighted> {
  readonly at: number;
  readonly committed: number;
  readonly transferred: number | null;
  readonly previous: number | null;
  readonly isSettled: boolean;
}

async function readEvidence(session: Session, places: readonly Place[]): Promise<(Evidence | undefined)[]> {
  const query = sql<EvidenceRow>`
    select place.at::int as at, ${d.serial} as committed, ${t.serial} as transferred, ${t.previousSerial} as previous,
      coalesce(${t.transferredAt} < now() - make_interval(secs => ${settlingMs / 1000}), true) as "isSettled",
      ${sighted}
    from unnest(${places.map(({ secondaryId }) => secondaryId)}::bigint[], ${places.map(({ domainId }) => domainId)}::bigint[])
      with ordinality as place(secondary, domain, at)
    join ${d} on ${d.id} = place.domain
    left join ${t} on ${t.domainId} = place.domain and ${t.secondaryId} = place.secondary
    left join ${g} on ${g.domainId} = place.domain and ${g.secondaryId} = place.secondary`;
  const rows = await query.run(session);
  const byPlace = new Map(rows.map((row) => [row.at, evidenceOf(row)]));
  return places.map((_, at) => byPlace.get(at + 1));
}

function evidenceOf({ committed, transferred, previous, isSettled, seenAt, ...before }: EvidenceRow): Evidence {
  return {
    committed: serial(committed),
    transferred: [transferred, previous].filter((each) => each !== null).map(serial),
    isSettled,
    before: seenAt
      ? { ...before, serial: serialOrNull(before.serial), provenSerial: serialOrNull(before.provenSerial) }
      : undefined,
  };
}

/** Adds an observation of this term that is not written yet. */
export function withObservation(evidence: Evidence, observation: Observation | undefined, term: number): Evidence {
  if (!observation?.seenAt) return evidence;
  const { serial: served, isRefused, provenSerial, isUnproven } = observation;
  const proven = isRefused ? null : (serialOrNull(provenSerial) ?? evidence.before?.provenSerial ?? null);
  return { ...evidence, before: { serial: serialOrNull(served), provenSerial: proven, isUnproven, term } };
}

const serialOrNull = (value: number | null): Serial | null => (value === null ? null : serial(value));
