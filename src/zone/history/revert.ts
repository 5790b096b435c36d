/**
 * Reverts: returns a zone to a moment, or undoes one change, by a new change. Today's rules, limits and types apply, and the serial goes
 * on.
 */
import { noSuch, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { ChangeKind, type ChangeRow, changeById } from "../change.ts";
import { domainByZone } from "../domain.ts";
import type { ChangeOptions, ZoneChange } from "../edit/change-zone.ts";
import { expectSerial } from "../edit/edit-plan.ts";
import type { StoredZone } from "../edit/stored-zone.ts";
import { inZoneTurn } from "../edit/zone-queue.ts";
import { conflictsOf, linesToUndo } from "./change-conflict.ts";
import { allLines } from "./difference.ts";
import { type MomentSelector, momentOf } from "./moment.ts";
import { pastRecords } from "./past-records.ts";
import { changeBack, maxReturnLines } from "./return-change.ts";
import type { ReturnLine } from "./return-plan.ts";
import { instantAfter, present } from "./versions.ts";

interface ReturnTerms {
  readonly expectedSerial?: number | null | undefined;
  readonly dryRun?: boolean;
}

/** Returns a zone to a moment; the result's change is null when the zone already is so. */
export async function revertDomain(
  session: Session,
  zone: string,
  to: MomentSelector,
  terms: ReturnTerms = {},
): Promise<ZoneChange> {
  mayWrite(session.actor);
  const domain = await domainByZone(session, zone);
  const { change } = await momentOf(session, domain, to, "to.");
  return goBack(session, domain, { ...terms, origin: { returnsTo: change.id } }, (inner) =>
    allLines(inner, [present(domain.id), instantAfter(change)], maxReturnLines + 1),
  );
}

/**
 * Undoes one change of a zone. An RRset that is still as the change left it becomes what it was before; an RRset that already is so
 * stays. Throws CHANGE_CONFLICT, with the later changes, when later changes changed an RRset again.
 */
export async function revertChange(session: Session, id: number, terms: ReturnTerms = {}): Promise<ZoneChange> {
  mayWrite(session.actor);
  const change = await changeById(session, id);
  refuseWhole(change);
  const past = { id: change.domainId, zone: change.zone };
  return goBack(session, past, { ...terms, origin: { undoes: id } }, async (inner, stored) => {
    const { lines, changedSince } = await linesToUndo(
      pastRecords(inner),
      (owners) => stored.at(owners),
      change,
      maxReturnLines + 1,
    );
    if (changedSince.length > 0) {
      const [conflict] = await conflictsOf(inner, [{ change, rrsets: changedSince }]);
      throw conflict;
    }
    return lines;
  });
}

/** Throws INVALID_VALUE for a change that created, deleted or restored the zone. */
export function refuseWhole({ id, kind, zone }: ChangeRow): void {
  if (kind === ChangeKind.EDIT) return;
  const [did, use] = kind === ChangeKind.DELETE ? ["deleted", "restoreDomain"] : ["created", "deleteDomain"];
  throw new Refusal("INVALID_VALUE", `Change ${id} ${did} ${zone}; use ${use}.`, { field: "id" });
}

/** Reverts in one transaction that locks the zone; `differ` returns the lines to remove and to add. */
function goBack(
  session: Session,
  { id, zone }: { readonly id: number; readonly zone: string },
  { expectedSerial, dryRun = false, origin }: ReturnTerms & Pick<ChangeOptions, "origin">,
  differ: (inner: Session, stored: StoredZone) => Promise<readonly ReturnLine[]>,
): Promise<ZoneChange> {
  const linesOf = (inner: Session) => (stored: StoredZone) => {
    if (stored.domain.id !== id) throw noSuch("domain", id);
    expectSerial(stored.domain, expectedSerial);
    return differ(inner, stored);
  };
  return inZoneTurn(session, zone, () =>
    transaction(session, (inner) => changeBack(inner, zone, linesOf(inner), { dryRun, origin })),
  );
}
