/**
 * The requests of a sheet, by GraphQL; tests answer them themselves. Every function throws Refused where the service refuses, and
 * Unreachable where it does not answer.
 */
import type {
  LastChangeFragment,
  SheetRecordsQueryVariables,
  ShownChangeFragment,
  ZoneLossFragment,
} from "../../api/generated/graphql.ts";
import { nextPage, readAll } from "../../api/pages.ts";
import { graphql, run } from "../../api/run.ts";
import type { DifferenceRow } from "../../difference/difference.ts";
import { authorName, personName } from "../../parts/text/author.ts";
import type { StoredRow } from "./row.ts";

graphql(`
  fragment LastChange on Record {
    changedAt
    changedBy { id actor user { id email } }
  }
`);

const recordsQuery = graphql(`
  query SheetRecords(
    $zone: String!, $first: Int!, $after: String, $owner: String, $text: String, $types: [RecordType!]
    $isCounted: Boolean!, $withChanges: Boolean!
  ) {
    domain(by: { zone: $zone }) {
      serial
      records(first: $first, after: $after, owner: $owner, contains: $text, types: $types) {
        totalCount @include(if: $isCounted)
        nodes { id owner type ttl rdata ...LastChange @include(if: $withChanges) }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

const changesQuery = graphql(`
  query SheetChanges($zone: String!) {
    domain(by: { zone: $zone }) {
      serial
      changes(first: 20) {
        nodes {
          id serial previousSerial createdAt actor
          user { id email }
          removed(first: 100) {
            totalCount
            nodes { owner type ttl rdata }
          }
          added(first: 100) {
            totalCount
            nodes { owner type ttl rdata }
          }
        }
      }
    }
  }
`);

const checkQuery = graphql(`
  query SheetCheck($zone: String!, $records: [RecordInput!]!) {
    checkRecords(zone: $zone, records: $records) {
      ok owner type ttl rdata
      refusals { code field part message }
      notices { message }
    }
  }
`);

const changeMutation = graphql(`
  mutation SheetChange($input: ChangeRecordsInput!) {
    changeRecords(input: $input) {
      change { ...ShownChange }
      serial
      removed { recordId owner type ttl rdata }
      added { recordId owner type ttl rdata }
      loss { ...ZoneLoss }
      notices { code field message }
    }
  }
`);

const revertMutation = graphql(`
  mutation SheetRevert($input: RevertChangeInput!) {
    revertChange(input: $input) { change { id serial } }
  }
`);

const fileMutation = graphql(`
  mutation SheetFile($zone: String!, $text: String!) {
    importZone(input: { zone: $zone, text: $text, mode: MERGE, dryRun: true, skipUnsupported: true }) {
      added { owner type ttl rdata }
      removed { owner type ttl rdata }
      addedCount
      notices { code message }
    }
  }
`);

export interface AddInput {
  owner: string;
  type: string;
  rdata: string;
  ttl?: number;
}

/** New content of a record; what is left out stays as it is. */
export type UpdateInput = { recordId: string } & Partial<AddInput>;

export interface ChangeInput {
  zone: string;
  expectedSerial: number;
  remove: string[];
  update: UpdateInput[];
  add: AddInput[];
}

/** A reason of a refusal or a notice, with the field of the request. */
export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly field?: string | null;
  /** The field of the data, as the service names it. */
  readonly part?: string | null;
  /** The edits that cause a reason about the whole zone, such as `add.3`. */
  readonly edits?: readonly string[];
}

/** The check of one record by itself; a refused record has no canonical form. */
export interface RowCheck {
  readonly canonical: DifferenceRow | undefined;
  readonly refusals: readonly Reason[];
  /** What is accepted although it is probably a mistake. */
  readonly notices?: readonly Pick<Reason, "message">[];
}

/** A change of the journal, with the removed and added records that were read. */
export interface JournalChange extends ChangeName {
  readonly previousSerial: number | null;
  readonly createdAt: string;
  readonly author: string;
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
  readonly removedCount: number;
  readonly addedCount: number;
}

export const isWhole = ({ removed, added, removedCount, addedCount }: JournalChange) =>
  removed.length === removedCount && added.length === addedCount;

export interface ChangeName {
  readonly id: string;
  readonly serial: number;
}

/** The result of changeRecords. `change` is null in a dry run, and when nothing changed. */
export interface ChangeResult {
  readonly change: ShownChangeFragment | null;
  /** The serial of the zone afterwards; of a dry run an expectation, since serials have the day in them. */
  readonly serial: number;
  readonly removed: readonly DifferenceRow[];
  readonly added: readonly DifferenceRow[];
  readonly loss: ZoneLossFragment;
  readonly notices: readonly Reason[];
}

/** The value; the service leaves it out only in a refusal, for which `run` has thrown. */
function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("The answer is not complete.");
  return value;
}

function rowOf({ changedAt, changedBy, ...row }: StoredRow & Partial<LastChangeFragment>): StoredRow {
  if (!changedAt || !changedBy) return row;
  return { ...row, changed: { id: changedBy.id, at: changedAt, by: personName(changedBy) } };
}

type Selection = Partial<SheetRecordsQueryVariables> & Pick<SheetRecordsQueryVariables, "zone">;

async function readRecords(selection: Selection, signal: AbortSignal) {
  const variables = { first: 1000, isCounted: false, withChanges: false, ...selection };
  const { serial, records } = present((await run(recordsQuery, variables, signal)).domain);
  return { serial, ...present(records) };
}

export const sheetService = {
  /** A page of records; `withChanges` asks for the last change of each. Only the first one counts the records of the zone. */
  async page(zone: string, first: number, after: string | undefined, withChanges: boolean, signal: AbortSignal) {
    const selection = { zone, first, after: after ?? null, isCounted: after === undefined, withChanges };
    const { serial, nodes, totalCount, ...page } = await readRecords(selection, signal);
    return { serial, rows: nodes.map(rowOf), next: nextPage(page) ?? undefined, total: totalCount ?? undefined };
  },

  async ofOwner(zone: string, name: string, signal: AbortSignal) {
    const owner = name === "@" ? "@" : `${name}.${zone}.`;
    return (await readAll((after) => readRecords({ zone, owner, after, withChanges: true }, signal))).map(rowOf);
  },

  /** The first records with a part of the owner or the data and of a type; an empty text stands for any. */
  async search(zone: string, text: string, type: string, signal: AbortSignal) {
    const types = type === "" ? null : [type];
    const { nodes, pageInfo } = await readRecords({ zone, text: text || null, types }, signal);
    return { rows: nodes.map(rowOf), isCut: pageInfo.hasNextPage };
  },

  async newestChanges(zone: string, signal?: AbortSignal) {
    const { domain } = await run(changesQuery, { zone }, signal);
    const { serial, changes } = present(domain);
    const list = present(changes).nodes.map(({ removed, added, actor, user, ...change }): JournalChange => {
      const lists = { removed: removed?.nodes ?? [], added: added?.nodes ?? [] };
      const counts = { removedCount: removed?.totalCount ?? 0, addedCount: added?.totalCount ?? 0 };
      return { ...change, ...lists, ...counts, author: authorName({ actor, user }) };
    });
    return { serial, changes: list };
  },

  async check(zone: string, records: AddInput[], signal: AbortSignal) {
    const { checkRecords } = await run(checkQuery, { zone, records }, signal);
    return present(checkRecords).map(({ ok, owner, type, ttl, rdata, ...said }): RowCheck => {
      const isWhole = ok && owner !== null && type !== null && ttl !== null && rdata !== null;
      return { canonical: isWhole ? { owner, type, ttl, rdata } : undefined, ...said };
    });
  },

  /** Changes records, or says what would change; `note` says why, for the journal. */
  async change(
    change: ChangeInput,
    { dryRun, note, signal }: { dryRun: boolean; note?: string; signal?: AbortSignal },
  ): Promise<ChangeResult> {
    const input = { ...change, dryRun, note: note || null };
    return present((await run(changeMutation, { input }, signal)).changeRecords);
  },

  /** Undoes a change by its id, if the zone is at this serial; returns the new change, null when nothing changed. */
  async revert(id: string, expectedSerial: number, note: string): Promise<ChangeName | null> {
    const { revertChange } = await run(revertMutation, { input: { changeId: id, expectedSerial, note: note || null } });
    return present(revertChange).change;
  },

  /** What a master file would add to a zone. */
  async readFile(zone: string, text: string) {
    return present((await run(fileMutation, { zone, text })).importZone);
  },
};

export type SheetService = typeof sheetService;
