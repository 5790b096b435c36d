/** Makes the edits of a plan in a working copy of the zone in memory, and checks the copy. Nothing is stored. */

import { collectReasons, type Reason, Refusal } from "../../errors.ts";
import { defaultTtl } from "../../session/operator-policy.ts";
import type { Session } from "../../session/session.ts";
import { lastSerialOfName } from "../change.ts";
import type { StoredDomain } from "../domain.ts";
import type { CanonicalRecord } from "./canonical-record.ts";
import type { CheckedChange } from "./change-statement.ts";
import { ownersAround, type Plan, type Planner } from "./edit-plan.ts";
import { type ChangeTerms, checkedChange, checkRules } from "./finish-change.ts";
import { noteMoves } from "./note-moves.ts";
import type { Notice } from "./notice.ts";
import type { TouchedOwners } from "./rules.ts";
import { serialOf, serialOfChange, withSerial } from "./soa-serial.ts";
import type { StoredZone } from "./stored-zone.ts";
import { WorkingCopy } from "./working-copy.ts";

interface EditedCopy {
  readonly domain: StoredDomain;
  readonly plan: Plan;
  readonly copy: WorkingCopy;
  readonly notices: readonly Notice[];
}

export async function editCopy(session: Session, stored: StoredZone, planner: Planner): Promise<EditedCopy> {
  const plan = await planner.plan(stored);
  const copy = await openCopy(stored, plan);
  const moved = applyPlan(session, copy, plan);
  return {
    domain: stored.domain,
    plan,
    copy,
    notices: [...plan.writes.flatMap(({ record }) => record.notices), ...moved],
  };
}

/** An edited copy that breaks no rule; `change` is null when the edits change nothing. */
export interface CheckedCopy extends EditedCopy {
  readonly change: CheckedChange | null;
}

/** Checks an edited copy; throws a Refusal with all violations of rules. */
export async function checkCopy(
  session: Session,
  edited: EditedCopy,
  { origin, created }: Partial<Pick<ChangeTerms, "origin" | "created">> = {},
): Promise<CheckedCopy> {
  const { domain, copy } = edited;
  if (copy.isUnchanged()) return { ...edited, change: null };
  const notices = [...edited.notices];
  await checkRules([touchedOwners(session, domain.zone, copy)], (more) => notices.push(...more));
  const [storedSoa, soa] = [copy.storedSoa(), copy.soa()];
  if (!soa) throw new Error(`${domain.zone} would have no SOA, and no rule has refused that`);
  const previousSerial = storedSoa ? serialOf(storedSoa) : null;
  const serial = serialOfChange(session, {
    last: previousSerial ?? (created ? created.lastSerial : await lastSerialOfName(session, domain.zone)),
    requested: storedSoa && serialOf(soa) !== previousSerial ? serialOf(soa) : undefined,
  });
  if (soa !== storedSoa) copy.setSoa(withSerial(soa, serial));
  const { removed, added } = copy.difference();
  const difference = { removed, added, isStaged: false, moves: noteMoves(removed, added, copy.at) };
  return {
    ...edited,
    notices,
    change: checkedChange(session, { domain, created, previousSerial, serial, origin }, difference),
  };
}

function touchedOwners({ policy }: Session, zone: string, copy: WorkingCopy): TouchedOwners {
  return {
    view: { zone, limits: policy.ownerLimits, at: copy.at, below: copy.below },
    owners: copy.touched.keys(),
    fieldOf: (owner) => copy.touched.get(owner),
    editsOf: copy.editsOf,
    pathOf: copy.pathOf,
    written: copy.difference().added,
  };
}

/** Loads the owners that the plan touches or that its rules look at. */
async function openCopy(stored: StoredZone, plan: Plan): Promise<WorkingCopy> {
  const written = plan.writes.map(({ record }) => record);
  const records = await stored.at(ownersAround(stored.domain.zone, plan.owners, written));
  const enough = plan.remove.length + plan.writes.length + 1;
  for (const dname of written.filter(({ type }) => type === "DNAME"))
    records.push(...(await stored.below(dname.owner, enough)));
  return new WorkingCopy(records);
}

/** Applies the plan to the working copy and returns the notices about TTLs; throws one Refusal with everything that fails. */
function applyPlan(session: Session, copy: WorkingCopy, plan: Plan): Notice[] {
  const reasons: Reason[] = [];
  const isNew = copy.storedSoa() === undefined;
  for (const { id, field } of plan.remove) collectReasons(reasons, () => copy.remove(id, field));
  copy.expectUpdates(plan.writes.flatMap(({ id }) => id ?? []));
  for (const { id, record, path, serialDemand, formerId } of plan.writes) {
    collectReasons(reasons, () => {
      if (!isNew) checkTtlChoice(session.ttlChoices, copy, record, path);
      if (id === undefined) copy.add(record, defaultTtl(session.policy), path, formerId);
      else copy.update(id, record, path, serialDemand);
    });
  }
  if (reasons.length > 0) throw Refusal.of(reasons);
  return copy.settleTtls();
}

/** Throws INVALID_TTL when the actor may use certain TTLs only and `ttl` is neither one of them nor the present TTL of the RRset. */
function checkTtlChoice(
  choices: readonly number[] | undefined,
  copy: WorkingCopy,
  record: CanonicalRecord,
  path: string,
): void {
  const { ttl } = record;
  if (!choices || ttl === undefined || choices.includes(ttl) || copy.ttlOf(record) === ttl) return;
  throw new Refusal("INVALID_TTL", `${path}ttl is ${ttl}; write one of ${choices.join(", ")}.`, {
    field: `${path}ttl`,
    details: { choices },
  });
}
