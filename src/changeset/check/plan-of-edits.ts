/**
 * Plans the staged edits of a zone against its present records. An edit is in dispute when somebody else changed its record, and is dropped
 * when it has nothing left to do.
 */

import { soaSerial } from "../../dns/rdata/soa.ts";
import { sameOctets } from "../../dns/wire.ts";
import type { Session } from "../../session/session.ts";
import type { CanonicalRecord } from "../../zone/edit/canonical-record.ts";
import { ownersAround, type Plan, type PlannedWrite, type Planner } from "../../zone/edit/edit-plan.ts";
import { isApexSoa, withSerial } from "../../zone/edit/soa-serial.ts";
import type { StoredRecord, StoredZone } from "../../zone/edit/stored-zone.ts";
import { lastRecords } from "../../zone/history/restore.ts";
import { maxReturnLines, tooManyLines } from "../../zone/history/return-change.ts";
import { contentOf, planReturn } from "../../zone/history/return-plan.ts";
import type { ChangeSetZoneRow, StagedEdit, StagedZone } from "../contents.ts";
import { Resolution, StagedOp } from "../states.ts";
import { type Dispute, isOfTtl, lineOf, resolved, rrsetOf } from "./conflict.ts";

/** The edits that a plan leaves out. */
export interface Findings {
  readonly disputes: Dispute[];
  /** Sentences about edits that have nothing left to do. */
  readonly dropped: string[];
}

type Content = Pick<StoredRecord, "owner" | "type" | "wire"> & {
  readonly ttl?: number | null | undefined;
  readonly digest?: string;
};

/** Equal records mostly have equal octets; `contentOf` also ignores the letter case of names. */
function isEqual(a: Content, b: Content): boolean {
  if (rrsetOf(a) !== rrsetOf(b) || a.ttl !== b.ttl) return false;
  return sameOctets(a.wire, b.wire) || contentOf(a) === contentOf(b);
}

/**
 * Makes a planner of the edits of a zone. It leaves out disputed edits and all other edits of the same RRsets. Each time the planner runs,
 * it replaces the findings.
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

type Written = Omit<CanonicalRecord, "ttl" | "notices"> & { readonly ttl?: number | null | undefined };

function canonical({ owner, type, ttl, rdata, wire, digest }: Written): CanonicalRecord {
  return { owner, type, ttl: ttl ?? undefined, rdata, wire, digest, notices: [] };
}

type Records = ReadonlyMap<number, StoredRecord>;
type Staying = ReadonlyMap<string, StoredRecord>;

const identityOf = (record: Pick<StoredRecord, "owner" | "type" | "digest">) => `${rrsetOf(record)} ${record.digest}`;

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

  /** Whether the edit of a record still has an effect; if not, it is dropped. */
  #isToDo(edit: StagedEdit, records: Records): boolean {
    const record = records.get(edit.recordId as number);
    const what = rrsetOf(edit.base ?? edit);
    if (!record && this.#isAlone(edit)) return this.#drop(`${what} is already removed.`);
    if (edit.op === StagedOp.REMOVE) return true;
    const isSo =
      record && (isOfTtl(edit) ? edit.ttl === record.ttl : isEqual({ ...edit, ttl: edit.ttl ?? record.ttl }, record));
    return !isSo || this.#drop(`${what} already has this content.`);
  }

  /** Whether an edit does nothing without its record: a removal that no other edit of its RRset replaces, or a new TTL. */
  #isAlone(edit: StagedEdit): boolean {
    if (isOfTtl(edit)) return true;
    const rrset = rrsetOf(edit);
    return (
      edit.op === StagedOp.REMOVE && !this.#edits.some((other) => other.op === StagedOp.ADD && rrsetOf(other) === rrset)
    );
  }

  /** The unedited records at the owners where something is written. */
  async #staying(edited: readonly StagedEdit[]): Promise<Staying> {
    const owners = this.#edits.filter(({ op }) => op !== StagedOp.REMOVE).map(({ owner }) => owner);
    const ids = new Set(edited.map(({ recordId }) => recordId));
    const beside = await this.#stored.at([...new Set(owners)]);
    return new Map(beside.filter(({ id }) => !ids.has(id)).map((record) => [identityOf(record), record]));
  }

  /** Whether the record is still as it was when the edit was staged; if not, the edit is disputed. */
  #isAsStaged(edit: StagedEdit, records: Records, staying: Staying): boolean {
    const { base } = edit;
    const record = records.get(edit.recordId as number);
    if (record && base && (isOfTtl(edit) ? base.ttl === record.ttl : isEqual(base, record))) return true;
    // Another record may by now have the content that this edit would give to the removed record.
    const present = record ?? staying.get(identityOf(edit)) ?? null;
    const others = present || edit.op === StagedOp.REMOVE ? [] : this.#withOtherTtl(edit, staying);
    return this.#dispute({ edit, happened: record ? "changed" : "removed", present, others });
  }

  /**
   * Whether a record to add does not exist yet; if it does, the edit is dropped. An edit is disputed when the record, or its RRset, has got
   * another TTL than the edit writes.
   */
  #isMissing(edit: StagedEdit, staying: Staying): boolean {
    const others = this.#withOtherTtl(edit, staying);
    const twin = staying.get(identityOf(edit));
    if (twin && !others.includes(twin)) return this.#drop(`${lineOf(twin)} already exists.`);
    if (twin) return this.#dispute({ edit, happened: "added with another TTL", present: twin, others: [] });
    return others.length === 0 || this.#dispute({ edit, happened: "changed", present: null, others });
  }

  /** The records that an addition would give another TTL, although the RRset did not have theirs when the edits were staged. */
  #withOtherTtl(edit: StagedEdit, staying: Staying): readonly StoredRecord[] {
    if (typeof edit.ttl !== "number") return [];
    const rrset = rrsetOf(edit);
    const former = this.#edits.find(({ base }) => base !== null && rrsetOf(base) === rrset)?.base?.ttl;
    const isOther = (record: StoredRecord) => record.ttl !== edit.ttl && record.ttl !== former;
    return [...staying.values()].filter((record) => rrsetOf(record) === rrset && isOther(record));
  }

  #dispute(dispute: Dispute): false {
    this.#findings.disputes.push(dispute);
    return false;
  }

  #drop(sentence: string): false {
    this.#findings.dropped.push(sentence);
    return false;
  }
}

/** The addition of a record. A record that was removed keeps its former id, if that is free. */
function addition(edit: StagedEdit, present: Records): PlannedWrite {
  const { recordId } = edit;
  const formerId = recordId === null || present.has(recordId) ? undefined : recordId;
  return { id: undefined, formerId, record: canonical(edit), path: "" };
}

/** The update of a record. An SOA keeps the present serial of the zone, so that the change increments it. */
function update(edit: StagedEdit, present: StoredRecord): PlannedWrite {
  const record = canonical(isOfTtl(edit) ? { ...edit, ...present, ttl: edit.ttl } : edit);
  const isOfSoa = isApexSoa(present) && isApexSoa(edit);
  const written = isOfSoa ? withSerial(record, soaSerial(present.wire)) : record;
  return { id: present.id, record: written, path: "", serialDemand: "present" };
}

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
