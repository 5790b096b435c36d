/**
 * The only place where changes of a zone's records or serial are stored, whether they were made record by record (edit-and-check.ts) or by
 * sets (master-file/import.ts). Both callers use `checkRules` to check the zone as it would be after the whole change, and `checkedChange`
 * to make the change. `finishChange` stores the change and its journal in one statement, if the domain is still as it was read.
 */

import { ReviewPolicy } from "../../account/review-policy.ts";
import { askingOf } from "../../audit/store-entries.ts";
import type { Serial } from "../../dns/serial.ts";
import { type Reason, Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { whenCommitted } from "../../session/transaction.ts";
import { inSpan } from "../../trace/span.ts";
import { ChangeKind, type ChangeRow } from "../change.ts";
import type { StoredDomain } from "../domain.ts";
import { charge, expectWithinQuota } from "../quota/quota.ts";
import type { CheckedChange, Difference } from "./change-statement.ts";
import type { Notice } from "./notice.ts";
import { adviceAbout, type TouchedOwners, type Violation, violations } from "./rules.ts";
import { type StoredChange, storeChange, storeChanges, storeDeletion } from "./store-change.ts";
import { StaleZone } from "./stored-zone.ts";
import type { WorkingRecord } from "./working-copy.ts";

/** Where a change comes from: the change that it undoes, the moment to which it returns the zone, or the restoration of a deleted zone. */
export interface ChangeOrigin {
  readonly undoes?: number;
  readonly returnsTo?: number;
  readonly kind?: typeof ChangeKind.RESTORE;
}

/** After this many reasons no further batch of owners is checked. */
const maxReasons = 100;

/**
 * Checks the touched owners of a zone as it would be after a change; throws a Refusal with all violations of rules. `warn` receives
 * notices about records that are accepted and are probably wrong.
 */
export async function checkRules(
  zone: Iterable<TouchedOwners> | AsyncIterable<TouchedOwners>,
  warn: (notices: readonly Notice[]) => void,
): Promise<void> {
  const reasons: Reason[] = [];
  for await (const touched of zone) {
    const { view, owners, written, lineOf } = touched;
    for (const owner of owners) {
      const broken = violations(view, [owner]);
      const line = broken.length > 0 ? await lineOf?.(owner) : undefined;
      reasons.push(...broken.map((violation) => reasonOf(violation, touched, line)));
    }
    for (const record of written) warn(noticesAbout(record, touched));
    if (reasons.length >= maxReasons) break;
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
}

/** The terms of a change besides its records; `previousSerial` is null for a zone that does not exist yet. */
export interface ChangeTerms extends Pick<CheckedChange, "domain" | "created"> {
  readonly previousSerial: number | null;
  readonly serial: Serial;
  readonly origin?: ChangeOrigin | undefined;
}

/** Makes a change to store; the caller has checked the rules. */
export function checkedChange(
  session: Session,
  { domain, created, previousSerial, serial, origin }: ChangeTerms,
  difference: Difference,
): CheckedChange {
  const entry = {
    kind: origin?.kind ?? (previousSerial === null ? ChangeKind.CREATE : ChangeKind.EDIT),
    previousSerial,
    serial,
    undoes: origin?.undoes ?? null,
    returnsTo: origin?.returnsTo ?? null,
    ...authorOf(session),
  };
  return { domain, entry, asking: askingOf(session), difference, created, signed: session.signed };
}

/**
 * Stores a checked change; throws StaleZone when the zone was changed meanwhile, and REVIEW_REQUIRED when the zone demands a change set.
 */
export async function finishChange(session: Session, change: CheckedChange): Promise<StoredChange> {
  refuseUnreviewed(session, change.domain, change.entry.kind);
  const stored = await inSpan("store change", spanOf([change]), () => storeChange(session, change));
  return counted(session, change, stored);
}

const spanOf = (changes: readonly CheckedChange[]) => ({
  attributes: {
    "zonesmith.zone": changes[0]?.domain.zone ?? "",
    "zonesmith.serial": changes[0]?.entry.serial ?? 0,
    "zonesmith.changes": changes.length,
  },
});

function counted(session: Session, { domain, entry }: CheckedChange, stored: StoredChange): StoredChange {
  charge(session, domain, chargeOf(session, domain, entry.kind, stored.recordCount));
  return reported(session, stored);
}

/** What a change of this kind adds to the usage of the domain's user; `recordCount` is that of the zone after the change. */
export function chargeOf(session: Session, domain: StoredDomain, kind: ChangeKind, recordCount: number) {
  const domains = { CREATE: 1, RESTORE: 1, EDIT: 0, DELETE: -1 }[kind];
  const changes = session.actor.role === "system" ? 0 : 1;
  return { domains, records: recordCount - domain.recordCount, changes, recordCount };
}

/**
 * Throws a Refusal when a change that is not stored now, such as a dry run, exceeds a quota of the domain's user. `growth` is by how many
 * records the zone grows.
 */
export function expectAffordable(session: Session, { domain, entry }: CheckedChange, growth: number): Promise<void> {
  return expectWithinQuota(session, domain, chargeOf(session, domain, entry.kind, domain.recordCount + growth));
}

function reported(session: Session, stored: StoredChange): StoredChange {
  const { onChange, storedChanges } = session;
  if (storedChanges) storedChanges.count += 1;
  if (onChange) whenCommitted(session, () => onChange(stored.change));
  return stored;
}

/** Stores changes of zones that the session's transaction has locked, by one statement: all create their domain, or none does. */
export async function finishChanges(session: Session, changes: readonly CheckedChange[]): Promise<StoredChange[]> {
  for (const { domain, entry } of changes) refuseUnreviewed(session, domain, entry.kind);
  const stored = await inSpan("store change", spanOf(changes), () => storeChanges(session, changes));
  return stored.map((change, at) => {
    if (!change) throw new StaleZone((changes[at] as CheckedChange).domain.zone);
    return counted(session, changes[at] as CheckedChange, change);
  });
}

/**
 * Throws REVIEW_REQUIRED when the zone demands change sets and the change is not part of one. Whether a change set has its approvals is
 * checked in `changeset`.
 */
function refuseUnreviewed({ actor, changeSet }: Session, domain: StoredDomain, kind: ChangeKind): void {
  const { zone, demands } = domain;
  if (demands === ReviewPolicy.NONE || changeSet || actor.role === "system" || actor.exemptFromReview) return;
  const { part, option, shorter } = stagedCall(kind, domain);
  const call = `createChangeSet(input: { title: "…", zones: [{ ${part} }] })`;
  const then =
    demands === ReviewPolicy.CHANGE_SET ? "apply it" : "submit it, and apply it once others have approved it";
  const calls = [shorter, call].filter((each) => each !== undefined).join(", or ");
  const command = `zonesmith changeset create "TITLE" and, with the ID that it prints, zonesmith changeset stage ID ${zone} ${option}`;
  const message = `${zone} is changed by change sets alone (its review is ${demands}): call ${calls}, or write ${command}; then ${then}.`;
  throw new Refusal("REVIEW_REQUIRED", message, { details: { zone, review: demands } });
}

/**
 * How a client stages the refused change: the zone's part of a change set, the option of the command line, and a shorter mutation if
 * there is one.
 */
function stagedCall(
  kind: ChangeKind,
  { id, userId, zone }: StoredDomain,
): Record<"part" | "option", string> & { shorter?: string } {
  switch (kind) {
    case "CREATE":
      return {
        part: `create: { zone: "${zone}", userId: "${userId}", add: […] }`,
        option: `--create --user ${userId} --add "OWNER TTL TYPE DATA"`,
      };
    case "RESTORE":
      return {
        part: `restore: { zone: "${zone}", domainId: "${id}", userId: "${userId}" }`,
        option: `--restore --id ${id} --user ${userId}`,
        shorter: "restoreDomain with asChangeSet: true",
      };
    case "DELETE":
      return { part: `delete: { zone: "${zone}" }`, option: "--delete" };
    case "EDIT":
      return {
        part: `edit: { zone: "${zone}", add: […], remove: […] }`,
        option: '--add "OWNER TTL TYPE DATA" or --remove RECORD-ID, or both to change a record',
      };
  }
}

/** Deletes a locked domain with its records. The journal keeps the records, and the deleted domain keeps the last serial. */
export async function closeZone(session: Session, domain: StoredDomain): Promise<ChangeRow> {
  refuseUnreviewed(session, domain, ChangeKind.DELETE);
  const change = await storeDeletion(session, domain, authorOf(session), askingOf(session));
  charge(session, domain, chargeOf(session, domain, ChangeKind.DELETE, 0));
  return reported(session, { change, insertedIds: [], recordCount: 0 }).change;
}

function authorOf({ actor, source, note, changeSet, now }: Session) {
  return {
    actor: changeSet?.author ?? actor.name,
    appliedBy: changeSet ? actor.name : null,
    source,
    note: note || null,
    changeSetId: changeSet?.id ?? null,
    at: now(),
  };
}

function reasonOf({ among, ...violation }: Violation, touched: TouchedOwners, line: number | undefined): Reason {
  const { owner, message } = violation;
  const edits = touched.editsOf?.(among);
  const paths = edits && [...new Set(edits.map(({ path }) => path))].filter((path) => path.includes("."));
  const about = { ...violation, field: edits?.at(-1)?.field ?? touched.fieldOf?.(owner), edits: paths };
  return line === undefined ? about : { ...about, message: `line ${line}: ${message}`, line };
}

function noticesAbout(record: WorkingRecord, { view, pathOf }: TouchedOwners): Notice[] {
  const notices = adviceAbout(view, record);
  if (notices.length === 0) return [];
  const path = pathOf?.(record);
  return notices.map((notice) => ({ ...notice, field: path === undefined ? undefined : `${path}${notice.field}` }));
}
