/**
 * The plan of a zone's part of a change set: the staged edits as edits of the one door, compared with the zone as it is now. What somebody
 * else has made of a record that the set edits is a conflict; what is so already is left out.
 */

import { soaSerial } from "../../dns/rdata/soa.ts";
import { sameOctets } from "../../dns/wire.ts";
import type { Session } from "../../session/session.ts";
import type { CanonicalRecord } from "../../zone/edit/canonical-record.ts";
import { ownersAround, type Plan, type PlannedWrite, type Planner } from "../../zone/edit/edit-plan.ts";
import { withSerial } from "../../zone/edit/soa-serial.ts";
import type { StoredRecord, StoredZone } from "../../zone/edit/stored-zone.ts";
import { lastRecords } from "../../zone/history/restore.ts";
import { maxReturnLines, tooManyLines } from "../../zone/history/return-change.ts";
import { contentOf, isSoa, planReturn } from "../../zone/history/return-plan.ts";
import type { ChangeSetZoneRow, StagedEdit, StagedZone } from "../contents.ts";
import { Resolution, StagedOp } from "../states.ts";
import { type Dispute, lineOf, resolved, rrsetOf } from "./conflict.ts";

/** What a plan found while it was made. */
export interface Findings {
  readonly disputes: Dispute[];
  /** Sentences about edits that are left out, since there is nothing left for them to do. */
  readonly dropped: string[];
}

/** What two records are compared by. */
type Content = Pick<StoredRecord, "owner" | "type" | "wire"> & {
  readonly ttl?: number | null | undefined;
  readonly digest?: string;
};

/** Most are equal in their octets; others are if they differ in the letter case of names alone. */
function isEqual(a: Content, b: Content): boolean {
  if (rrsetOf(a) !== rrsetOf(b) || a.ttl !== b.ttl) return false;
  return sameOctets(a.wire, b.wire) || contentOf(a) === contentOf(b);
}

/**
 * Plans the edits of a zone, without those that are in dispute and all others of the same RRsets; the findings are those of the last time
 * that it was made.
 */
export function planStaged({ zone, edits }: StagedZone, findings: Findings): Planner {
  const written = edits.filter(({ op }) => op !== StagedOp.REMOVE).map(canonical);
  const bases = edits.flatMap(({ base }) => base?.owner ?? []);
  return {
    prefetch: { owners: ownersAround(zone, bases, written), ids: edits.flatMap(({ recordId }) => recordId ?? []) },
    plan: async (stored) => {
      findings.disputes.length = 0;
      findings.dropped.length = 0;
      const plan = await new Comparison(edits, stored, findings).plan();
      const { disputes } = findings;
      if (disputes.length === 0) return plan;
      findings.dropped.length = 0;
      const undisputed = resolved(edits, disputes, Resolution.THEIRS);
      return new Comparison(undisputed, stored, findings).plan();
    },
  };
}

/** A staged record as the one door takes it. */
function canonical({ owner, type, ttl, rdata, wire, digest }: StagedEdit): CanonicalRecord {
  return { owner, type, ttl: ttl ?? undefined, rdata, wire, digest, notices: [] };
}

/** Records by their ids, and by what they are. */
type Records = ReadonlyMap<number, StoredRecord>;
type Staying = ReadonlyMap<string, StoredRecord>;

const identityOf = (record: Pick<StoredRecord, "owner" | "type" | "digest">) => `${rrsetOf(record)} ${record.digest}`;

/** The edits of a zone beside what is stored. */
class Comparison {
  readonly #edits: readonly StagedEdit[];
  readonly #stored: StoredZone;
  readonly #findings: Findings;

  constructor(edits: readonly StagedEdit[], stored: StoredZone, findings: Findings) {
    this.#edits = edits;
    this.#stored = stored;
    this.#findings = findings;
  }

  async plan(): Promise<Plan> {
    const ids = this.#edits.flatMap(({ recordId }) => recordId ?? []);
    const present = new Map((await this.#stored.byId(ids)).map((record) => [record.id, record]));
    const edited = this.#edits.filter((edit) => edit.op !== StagedOp.ADD && this.#isToDo(edit, present));
    const staying = await this.#staying(edited);
    const kept = edited.filter((edit) => this.#isAsStaged(edit, present, staying));
    const presentOf = ({ recordId }: StagedEdit) => present.get(recordId as number) as StoredRecord;
    const updates = kept.filter(({ op }) => op === StagedOp.UPDATE);
    const additions = this.#edits.filter((edit) => edit.op === StagedOp.ADD && this.#isMissing(edit, staying));
    return {
      remove: kept
        .filter(({ op }) => op === StagedOp.REMOVE)
        .map(({ recordId }) => ({ id: recordId as number, field: "id" })),
      writes: [
        ...updates.map((edit) => update(edit, presentOf(edit))),
        ...additions.map((edit) => addition(edit, present)),
      ],
      owners: [...new Set(kept.map((edit) => presentOf(edit).owner))],
    };
  }

  /** Whether there is something left to do for an edit of a record. */
  #isToDo(edit: StagedEdit, records: Records): boolean {
    const record = records.get(edit.recordId as number);
    const what = rrsetOf(edit.base ?? edit);
    if (edit.op === StagedOp.REMOVE) return record !== undefined || this.#drop(`${what} is removed already.`);
    const isSo = record && isEqual({ ...edit, ttl: edit.ttl ?? record.ttl }, record);
    return !isSo || this.#drop(`${what} is so already.`);
  }

  /** The records beside those that are edited, where something is written, by what they are. */
  async #staying(edited: readonly StagedEdit[]): Promise<Staying> {
    const owners = this.#edits.filter(({ op }) => op !== StagedOp.REMOVE).map(({ owner }) => owner);
    const ids = new Set(edited.map(({ recordId }) => recordId));
    const beside = await this.#stored.at([...new Set(owners)]);
    return new Map(beside.filter(({ id }) => !ids.has(id)).map((record) => [identityOf(record), record]));
  }

  /** Whether the record of an edit is what it was; disputes the edit otherwise. */
  #isAsStaged(edit: StagedEdit, records: Records, staying: Staying): boolean {
    const { base } = edit;
    const record = records.get(edit.recordId as number);
    if (record && base && isEqual(base, record)) return true;
    // Another record may be by now what the edit would make of the one that is gone.
    const present = record ?? staying.get(identityOf(edit)) ?? null;
    this.#findings.disputes.push({ edit, happened: record ? "changed" : "removed", present });
    return false;
  }

  /** Whether a record to add is not there. */
  #isMissing(edit: StagedEdit, staying: Staying): boolean {
    const twin = staying.get(identityOf(edit));
    if (!twin) return true;
    if (typeof edit.ttl !== "number" || edit.ttl === twin.ttl) return this.#drop(`${lineOf(twin)} is there already.`);
    this.#findings.disputes.push({ edit, happened: "added with another TTL", present: twin });
    return false;
  }

  #drop(sentence: string): false {
    this.#findings.dropped.push(sentence);
    return false;
  }
}

/** A record that is added; one that comes back does so under its id, unless another took that. */
function addition(edit: StagedEdit, present: Records): PlannedWrite {
  const { recordId } = edit;
  const formerId = recordId === null || present.has(recordId) ? undefined : recordId;
  return { id: undefined, formerId, record: canonical(edit), path: "" };
}

/** The edit of a record; an SOA keeps the zone's serial, so that the change gives the next one. */
function update(edit: StagedEdit, present: StoredRecord): PlannedWrite {
  const record = canonical(edit);
  const isOfSoa = isSoa(present) && isSoa({ ...edit });
  const written = isOfSoa ? withSerial(record, soaSerial(present.wire)) : record;
  return { id: present.id, record: written, path: "", serialDemand: "present" };
}

/** Plans the records of a deleted domain that comes back. */
export function planRestoration(session: Session, { zone, domainId }: ChangeSetZoneRow): Planner {
  return {
    prefetch: { owners: ["@"], ids: [] },
    plan: async (stored) => {
      const lines = await lastRecords(session, { id: domainId as number, zone });
      if (lines.length > maxReturnLines) throw tooManyLines(zone);
      return planReturn(session.policy, stored, lines);
    },
  };
}
