/**
 * The plan of a zone's part of a change set: the staged edits as edits of the one door, compared with the zone as it is now. What somebody
 * else has made of a record that the set edits is a conflict; what is so already is left out.
 */

import { soaSerial } from "../dns/rdata/soa.ts";
import { sameOctets } from "../dns/wire.ts";
import type { CanonicalRecord } from "../zone/edit/canonical-record.ts";
import { ownersAround, type Plan, type PlannedWrite, type Planner } from "../zone/edit/edit-plan.ts";
import { withSerial } from "../zone/edit/soa-serial.ts";
import type { StoredRecord, StoredZone } from "../zone/edit/stored-zone.ts";
import { contentOf, isSoa } from "../zone/history/return-plan.ts";
import type { StagedEdit, StagedZone } from "./contents.ts";
import { StagedOp } from "./states.ts";

/** What is in the way of a staged edit, or of a zone's whole part: what the record was, would be, and is, as lines of a master file. */
export interface Conflict {
  readonly message: string;
  readonly owner: string | null;
  readonly type: string | null;
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
  /** The ordinal of the edit, null when it is about the zone, and the record as it is now, null when there is none. */
  readonly ordinal: number | null;
  readonly present: StoredRecord | null;
}

/** What a plan found while it was made. */
export interface Findings {
  readonly conflicts: Conflict[];
  /** Sentences about edits that are left out, since there is nothing left for them to do. */
  readonly dropped: string[];
}

/** What two records are compared by. */
type Content = Pick<StoredRecord, "owner" | "type" | "wire"> & {
  readonly ttl?: number | null | undefined;
  readonly digest?: string;
};

const nameOf = ({ owner, type }: Pick<Content, "owner" | "type">) => `${owner} ${type}`;
/** Most are equal in their octets; others are if they differ in the letter case of names alone. */
function isEqual(a: Content, b: Content): boolean {
  if (nameOf(a) !== nameOf(b) || a.ttl !== b.ttl) return false;
  return sameOctets(a.wire, b.wire) || contentOf(a) === contentOf(b);
}

/** A record as a line of a master file. */
export const lineOf = ({ owner, ttl, type, rdata }: Omit<Content, "wire"> & { readonly rdata: string }) =>
  `${owner} ${typeof ttl === "number" ? `${ttl} ` : ""}IN ${type} ${rdata}`;

/** Plans the edits of a zone; the findings are those of the last time that it was made. */
export function planStaged({ zone, edits }: StagedZone, findings: Findings): Planner {
  const written = edits.filter(({ op }) => op !== StagedOp.REMOVE).map(canonical);
  const bases = edits.flatMap(({ base }) => base?.owner ?? []);
  return {
    prefetch: { owners: ownersAround(zone, bases, written), ids: edits.flatMap(({ recordId }) => recordId ?? []) },
    plan: async (stored) => {
      findings.conflicts.length = 0;
      findings.dropped.length = 0;
      return new Comparison(edits, stored, findings).plan();
    },
  };
}

/** A staged record as the door takes it. */
function canonical({ owner, type, ttl, rdata, wire, digest }: StagedEdit): CanonicalRecord {
  return { owner, type, ttl: ttl ?? undefined, rdata, wire, digest, notices: [] };
}

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
    const kept = this.#edits.filter((edit) => edit.op !== StagedOp.ADD && this.#isToDo(edit, present));
    const presentOf = ({ recordId }: StagedEdit) => present.get(recordId as number) as StoredRecord;
    const updates = kept.filter(({ op }) => op === StagedOp.UPDATE);
    const added = await this.#additions(new Set(kept.map(({ recordId }) => recordId as number)), present);
    return {
      remove: kept
        .filter(({ op }) => op === StagedOp.REMOVE)
        .map(({ recordId }) => ({ id: recordId as number, field: "id" })),
      writes: [...updates.map((edit) => update(edit, presentOf(edit))), ...added],
      owners: [...new Set(kept.map((edit) => presentOf(edit).owner))],
    };
  }

  /** Whether an edit of a record is still to be made; notes why it is not, and what is in its way. */
  #isToDo(edit: StagedEdit, records: ReadonlyMap<number, StoredRecord>): boolean {
    const { base } = edit;
    const record = records.get(edit.recordId as number);
    const what = nameOf(base ?? edit);
    if (edit.op === StagedOp.REMOVE && !record) return this.#drop(`${what} is removed already.`);
    if (edit.op === StagedOp.UPDATE && record && isEqual({ ...edit, ttl: edit.ttl ?? record.ttl }, record))
      return this.#drop(`${what} is so already.`);
    if (record && base && isEqual(base, record)) return true;
    this.#findings.conflicts.push({
      message: record
        ? `${what} was changed since it was staged; stage it again.`
        : `${what} was removed since it was staged; stage the zone again without it.`,
      owner: (base ?? edit).owner,
      type: (base ?? edit).type,
      base: base ? [lineOf(base)] : [],
      mine: edit.op === StagedOp.REMOVE ? [] : [lineOf(edit)],
      theirs: record ? [lineOf(record)] : [],
      ordinal: edit.ordinal,
      present: record ?? null,
    });
    return false;
  }

  /** The records to add, apart from those that are there and stay. */
  async #additions(edited: ReadonlySet<number>, present: ReadonlyMap<number, StoredRecord>): Promise<PlannedWrite[]> {
    const additions = this.#edits.filter(({ op }) => op === StagedOp.ADD);
    const beside = await this.#stored.at([...new Set(additions.map(({ owner }) => owner))]);
    const staying = new Map(
      beside.filter(({ id }) => !edited.has(id)).map((record) => [`${nameOf(record)} ${record.digest}`, record]),
    );
    return additions
      .filter((edit) => {
        const twin = staying.get(`${nameOf(edit)} ${edit.digest}`);
        if (!twin) return true;
        if (typeof edit.ttl !== "number" || edit.ttl === twin.ttl)
          return this.#drop(`${lineOf(twin)} is there already.`);
        const message = `${nameOf(edit)} was added with another TTL since it was staged; stage it again.`;
        const { owner, type, ordinal } = edit;
        const [mine, theirs] = [[lineOf(edit)], [lineOf(twin)]];
        this.#findings.conflicts.push({ message, owner, type, base: [], mine, theirs, ordinal, present: twin });
        return false;
      })
      .map((edit) => {
        // A record that comes back does so under its id, unless another took that.
        const { recordId } = edit;
        const formerId = recordId === null || present.has(recordId) ? undefined : recordId;
        return { id: undefined, formerId, record: canonical(edit), path: "" };
      });
  }

  #drop(sentence: string): false {
    this.#findings.dropped.push(sentence);
    return false;
  }
}

/** The edit of a record; an SOA keeps the zone's serial, so that the change gives the next one. */
function update(edit: StagedEdit, present: StoredRecord): PlannedWrite {
  const record = canonical(edit);
  const isOfSoa = isSoa(present) && isSoa({ ...edit });
  const written = isOfSoa ? withSerial(record, soaSerial(present.wire)) : record;
  return { id: present.id, record: written, path: "", serialDemand: "present" };
}
