/**
 * What the pages of history ask of the service.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { ChangedRecordsFragment, ChangeFilter, ChangeQuery } from "../api/generated/graphql.ts";
import { nextPage, noPage, paged } from "../api/pages.ts";
import { run } from "../api/run.ts";
import type { DifferenceRow } from "../difference/difference.ts";
import type { ChangedRecords } from "../difference/fold.ts";
import { type Origin, timeAgo } from "../parts/stream/origin.tsx";

const historyQuery = graphql(`
  query History($filter: ChangeFilter, $after: String) {
    changes(filter: $filter, first: 50, after: $after) {
      nodes { ...StreamedChange }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** What the changes of a zone are filtered by, as the address has it. */
interface HistorySelection extends Origin {
  /** Of a record that the change removed or added. */
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

export const historyOptions = (zone: string, { name, type, who, through, time }: HistorySelection) =>
  infiniteQueryOptions({
    queryKey: ["history", { zone, name, type, who, through, time }],
    ...paged,
    queryFn: async ({ pageParam, signal }) => {
      const filter: ChangeFilter = {
        zone,
        ...(name && { owner: name }),
        ...(type && { type }),
        ...(who && { actor: who }),
        ...(through && { source: through }),
        ...(time && { createdSince: timeAgo(time) }),
      };
      const { changes } = await run(historyQuery, { filter, after: pageParam }, signal);
      return changes ?? noPage;
    },
  });

const changeQuery = graphql(`
  query Change($id: ID!) {
    change(id: $id) {
      ...Author
      zone previousSerial summary
      undoes { id serial }
      returnsTo { id serial }
      domain { id serial zoneUnicode }
      changeSet { id }
      undoneBy { id serial }
      publication { state }
    }
  }
`);

export type ShownChange = NonNullable<ChangeQuery["change"]>;

const kindWords = {
  CREATE: "The zone was created.",
  DELETE: "The zone was deleted.",
  RESTORE: "The deleted zone came back.",
  EDIT: "",
} as const;

/** What a change is called: its note, else what it did. */
export const titleOfChange = ({ note, kind, summary, zone }: ShownChange): string =>
  note || kindWords[kind] || summary || zone;

graphql(`
  fragment ChangedRecords on ChangedRecordConnection {
    nodes { recordId owner type ttl rdata }
    pageInfo { hasNextPage endCursor }
  }
`);

const recordsOfChange = graphql(`
  query RecordsOfChange($id: ID!, $added: String, $removed: String, $withAdded: Boolean!, $withRemoved: Boolean!) {
    change(id: $id) {
      added(first: 1000, after: $added) @include(if: $withAdded) { ...ChangedRecords }
      removed(first: 1000, after: $removed) @include(if: $withRemoved) { ...ChangedRecords }
    }
  }
`);

/** Rows of one list of a change that are read at most; beyond, the change is shown in part. */
const maxRows = 5000;

/** All that a change removed and added, up to a limit. */
async function readRecords(id: string, signal?: AbortSignal): Promise<ChangedRecords & { readonly isWhole: boolean }> {
  const lists = { added: [] as DifferenceRow[], removed: [] as DifferenceRow[] };
  let [added, removed]: (string | null | undefined)[] = [null, null];
  while (added !== undefined || removed !== undefined) {
    const cursors = {
      added: added ?? null,
      removed: removed ?? null,
      withAdded: added !== undefined,
      withRemoved: removed !== undefined,
    };
    const { change } = await run(recordsOfChange, { id, ...cursors }, signal);
    added = take(lists.added, change?.added);
    removed = take(lists.removed, change?.removed);
    if (Math.max(lists.added.length, lists.removed.length) >= maxRows) break;
  }
  return { ...lists, isWhole: added === undefined && removed === undefined };
}

/** Takes the rows of a page, and returns where the next begins. */
function take(rows: DifferenceRow[], page: ChangedRecordsFragment | null | undefined): string | null | undefined {
  rows.push(...(page?.nodes ?? []));
  return nextPage(page);
}

export const changeOptions = (id: string) =>
  queryOptions({
    queryKey: ["change", id],
    queryFn: async ({ signal }) => {
      const [{ change }, records] = await Promise.all([run(changeQuery, { id }, signal), readRecords(id, signal)]);
      return { change: change as ShownChange, records };
    },
  });
