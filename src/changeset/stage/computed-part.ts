/**
 * Parts of a change set that are computed: the restoration of a deleted zone, the return of a zone to a moment, and the import of a master
 * file. They are read before the set is locked; changes by others in between become conflicts.
 */
import { noSuch, onRefusal } from "../../errors.ts";
import { mayActFor } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { ChangeKind } from "../../zone/change.ts";
import { domainByZone, readZone } from "../../zone/domain.ts";
import { expectSerial } from "../../zone/edit/edit-plan.ts";
import { StoredZone } from "../../zone/edit/stored-zone.ts";
import { type DeletedSelector, deletedDomain } from "../../zone/history/deleted-domain.ts";
import { allLines } from "../../zone/history/difference.ts";
import { type MomentSelector, momentOf } from "../../zone/history/moment.ts";
import { lastRecords } from "../../zone/history/restore.ts";
import { maxReturnLines, tooManyLines, withoutFields } from "../../zone/history/return-change.ts";
import { planReturn } from "../../zone/history/return-plan.ts";
import { instantAfter, present } from "../../zone/history/versions.ts";
import { readName } from "../../zone/lifecycle/name-history.ts";
import { compareFile } from "../../zone/master-file/file-difference.ts";
import type { FileLine } from "../../zone/master-file/staging-sql.ts";
import { StagedOp } from "../states.ts";
import {
  atPath,
  changesOf,
  type DomainToRestore,
  editsOfPlan,
  type ReadEdit,
  type StagedPart,
  type ZonePart,
} from "./read-part.ts";

/** Reads the computed parts among `parts`; the keys are their indexes. */
export async function readComputedParts(
  session: Session,
  parts: readonly ZonePart[],
): Promise<ReadonlyMap<number, StagedPart>> {
  const computed = new Map<number, StagedPart>();
  for (const [at, part] of parts.entries()) {
    const staged = await atPath(part, at, async () => readComputed(session, part));
    if (staged) computed.set(at, staged);
  }
  return computed;
}

function readComputed(session: Session, { restore, revert, import: file }: ZonePart): Promise<StagedPart> | undefined {
  if (restore) return readRestored(session, restore);
  if (file) return readImport(session, file);
  return revert && inSnapshot(session, (inner) => readReturn(inner, readZone(revert.zone), revert.to, revert));
}

function readRestored(session: Session, { zone, id, ...terms }: DomainToRestore): Promise<StagedPart> {
  return onRefusal(
    () => readRestoration(session, { zone, id }, terms),
    (refusal) => {
      throw refusal.withFieldNames((field) => (field === "id" ? "domainId" : field));
    },
  );
}

/** The user who gets a restored domain, by default its last user, and the serial that is expected. */
interface RestorationTerms {
  readonly userId?: number | undefined;
  readonly expectedSerial?: number | null | undefined;
}

/** Reads the restoration of a deleted domain. Throws HISTORY_GONE when its records are no longer kept. */
export async function readRestoration(
  session: Session,
  selector: DeletedSelector,
  { userId, expectedSerial }: RestorationTerms = {},
): Promise<StagedPart> {
  const deleted = await deletedDomain(session, selector);
  const { id, zone } = deleted;
  expectSerial(deleted, expectedSerial);
  const owner = userId ?? (deleted.userId as number);
  mayActFor(session.actor, owner, "userId");
  if (!(await readName(session, zone, owner)).isUser) throw noSuch("user", owner, "userId");
  if ((await lastRecords(session, deleted)).length > maxReturnLines) throw tooManyLines(zone);
  return { zone, action: ChangeKind.RESTORE, domainId: id, userId: owner, edits: [] };
}

/** The edits that return a zone to the moment `to`; `session` reads one snapshot. */
export async function readReturn(
  session: Session,
  zone: string,
  to: MomentSelector,
  { expectedSerial }: { readonly expectedSerial?: number | null | undefined },
): Promise<StagedPart> {
  const domain = await domainByZone(session, zone);
  expectSerial(domain, expectedSerial);
  const { change } = await momentOf(session, domain, to, "to.");
  const lines = await allLines(session, [present(domain.id), instantAfter(change)], maxReturnLines + 1);
  if (lines.length > maxReturnLines) throw tooManyLines(zone);
  const stored = await StoredZone.read(session, zone, { owners: ["@"], ids: [] });
  if (!stored) throw new Error(`${zone} is not in the snapshot that it was just read in`);
  const plan = await withoutFields(() => planReturn(session.policy, stored, lines));
  const ids = [...plan.remove.map(({ id }) => id), ...plan.writes.flatMap(({ id }) => id ?? [])];
  const edits = await editsOfPlan(stored, plan, await changesOf(session, ids));
  const message = `${zone} is to return from serial ${domain.serial} to ${change.serial}: the edits are fixed now, and what others change from now on stays or is a conflict.`;
  const notice = { code: "RETURN_FIXED", message } as const;
  return { zone, domainId: domain.id, action: ChangeKind.EDIT, returnsTo: change.id, edits, notice };
}

async function readImport(session: Session, file: NonNullable<ZonePart["import"]>): Promise<StagedPart> {
  const zone = readZone(file.zone);
  await domainByZone(session, zone);
  return compareFile(session, zone, file, async (inner, { id }, lines) => {
    const removed = lines.flatMap((line) => (line.removed ? (line.id ?? []) : []));
    const edits = editsOf(lines, await changesOf(inner, removed));
    return { zone, domainId: id, action: ChangeKind.EDIT, edits };
  });
}

/** The lines of a difference as edits. A record that is removed and added with the same id is an update. */
function editsOf(lines: readonly FileLine[], bases: ReadonlyMap<number, number>): ReadEdit[] {
  const coming = lines.filter(({ removed }) => !removed);
  const kept = new Set(coming.flatMap(({ id }) => id ?? []));
  const going = lines.filter(({ removed, id }) => removed && !kept.has(id as number));
  const edit = (op: StagedOp, { id, owner, type, ttl, rdata, wire, digest }: FileLine): ReadEdit => {
    const record = { owner, type, ttl, rdata, wire, digest };
    return { op, recordId: id ?? null, baseChangeId: (id && bases.get(id)) ?? null, record };
  };
  return [
    ...going.map((line) => edit(StagedOp.REMOVE, line)),
    ...coming.map((line) => edit(line.id ? StagedOp.UPDATE : StagedOp.ADD, line)),
  ];
}
