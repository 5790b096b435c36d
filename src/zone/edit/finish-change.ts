/**
 * The one door: every change of a zone's records or serial ends here, whether it was edited record by record (change-zone.ts: GraphQL,
 * REST, dynamic updates, creation, the catalog) or by sets (master-file/import.ts). The zone is checked as it would be after the whole
 * change, is given its serial, and is stored with its journal in one statement, if its domain is still the one that was read.
 */
import { type Reason, Refusal } from "../../errors.ts";
import { connection, type Session } from "../../session/session.ts";
import { ChangeKind, type ChangeRow } from "../change.ts";
import { type SerialTerms, serialOfChange } from "./change-serial.ts";
import { refuseUnreviewed, type StoredDomain } from "./demanded-review.ts";
import type { Notice } from "./notice.ts";
import { adviceAbout, type Violation, violations } from "./rules.ts";
import { serialOf, withSerial } from "./soa-serial.ts";
import { type CreatedDomain, type Difference, type StoredChange, storeChange, storeDeletion } from "./store-change.ts";
import type { TouchedOwners } from "./touched-owners.ts";
import type { WorkingRecord } from "./working-copy.ts";

/** What a change goes back to: the change that it reverts, the moment that it returns to, or a deleted zone. */
export interface ChangeOrigin {
  readonly undoes?: number;
  readonly returnsTo?: number;
  readonly kind?: ChangeKind.RESTORE;
}

/** A zone as edits would leave it, nothing of it stored yet. */
export interface EditedZone extends SerialTerms {
  /** Set where the change inserts the domain too, whose `id` and `serial` are of no meaning then. */
  readonly created?: CreatedDomain;
  /** What it goes back to; undefined of a change that goes forward. */
  readonly origin?: ChangeOrigin | undefined;
  /** The apex SOA as the edits leave it, whatever its serial; undefined when they leave none, which the rules refuse. */
  readonly soa: WorkingRecord | undefined;
  touched(): Iterable<TouchedOwners> | AsyncIterable<TouchedOwners>;
  /** Takes what is accepted and still looks wrong. */
  warn(notices: readonly Notice[]): void;
  /** What is to be stored when the zone has this SOA. */
  difference(soa: WorkingRecord): Difference;
}

/** The result of a change: `stored` is null after a dry run. */
export interface FinishedChange {
  readonly stored: StoredChange | null;
  readonly difference: Difference;
}

/** Reasons that one refusal holds at most, as checked owner by owner. */
const maxReasons = 100;

/**
 * Checks an edited zone, gives it its serial and stores it; throws a Refusal with all that its rules forbid, and StaleZone when the zone was
 * changed meanwhile.
 */
export async function finishChange(session: Session, zone: EditedZone, dryRun = false): Promise<FinishedChange> {
  await checkRules(zone);
  if (!zone.soa) throw new Error(`${zone.domain.zone} would have no SOA, and no rule has refused that`);
  const serial = serialOfChange(session, zone);
  const difference = zone.difference(withSerial(zone.soa, serial));
  if (dryRun) return { stored: null, difference };
  refuseUnreviewed(session, zone.domain, zone.storedSoa ? "add: […]" : "create: {…}");
  const entry = {
    kind: zone.origin?.kind ?? (zone.storedSoa ? ChangeKind.EDIT : ChangeKind.CREATE),
    previousSerial: zone.storedSoa ? serialOf(zone.storedSoa) : null,
    serial,
    undoes: zone.origin?.undoes ?? null,
    returnsTo: zone.origin?.returnsTo ?? null,
    ...authorOf(session),
  };
  return { stored: await storeChange(session, zone.domain, entry, difference, zone.created), difference };
}

/** Deletes a locked domain with its records; the journal keeps them, and the last serial stays with the name. */
export function closeZone(session: Session, domain: StoredDomain): Promise<ChangeRow> {
  refuseUnreviewed(session, domain, "delete: true");
  return storeDeletion(connection(session), domain, authorOf(session));
}

function authorOf({ actor, door, note, changeSet, now }: Session) {
  return {
    actor: changeSet?.author ?? actor.name,
    door,
    note: note || null,
    changeSetId: changeSet?.id ?? null,
    at: now(),
  };
}

async function checkRules(zone: EditedZone): Promise<void> {
  const reasons: Reason[] = [];
  for await (const touched of zone.touched()) {
    const { view, owners, written, lineOf } = touched;
    for (const owner of owners) {
      const broken = violations(view, [owner]);
      const line = broken.length > 0 ? await lineOf?.(owner) : undefined;
      reasons.push(...broken.map((violation) => reasonOf(violation, touched, line)));
    }
    for (const record of written) zone.warn(noticesAbout(record, touched));
    if (reasons.length >= maxReasons) break;
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
}

function reasonOf({ among, ...violation }: Violation, touched: TouchedOwners, line: number | undefined): Reason {
  const { owner, message } = violation;
  const edits = touched.editsOf?.(among);
  const paths = edits && [...new Set(edits.map(({ path }) => path))].filter((path) => path.includes("."));
  const about = { ...violation, field: edits?.at(-1)?.field ?? touched.fieldOf?.(owner), edits: paths };
  return line === undefined ? about : { ...about, message: `line ${line}: ${message}`, line };
}

/** Advice about a record, with the fields of the request that it concerns. */
function noticesAbout(record: WorkingRecord, { view, pathOf }: TouchedOwners): Notice[] {
  const notices = adviceAbout(view, record);
  if (notices.length === 0) return [];
  const path = pathOf?.(record);
  return notices.map((notice) => ({ ...notice, field: path === undefined ? undefined : `${path}${notice.field}` }));
}
