/** What the pages of history ask of the service. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ChangeFilter, ShownChangeFragment } from "../api/generated/graphql.ts";
import { noPage, paged, readMost } from "../api/pages.ts";
import { graphql, run } from "../api/run.ts";
import type { ChangedRecords } from "../difference/difference.ts";
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
      const createdSince = time && timeAgo(time);
      const filter: ChangeFilter = { zone, owner: name, type, actor: who, source: through, createdSince };
      const { changes } = await run(historyQuery, { filter, after: pageParam }, signal);
      return changes ?? noPage;
    },
  });

graphql(`
  fragment ShownChange on Change {
    ...Author
    zone previousSerial summary
    undoes { id serial }
    returnsTo { id serial }
    domain { id serial zoneUnicode }
    changeSet { id }
    undoneBy { id serial }
    publication { ...ZonePublication }
  }
`);

const changeQuery = graphql(`
  query Change($id: ID!) {
    change(id: $id) { ...ShownChange }
  }
`);

export type ShownChange = ShownChangeFragment;

const kindWords = {
  CREATE: "The zone was created.",
  DELETE: "The zone was deleted.",
  RESTORE: "The deleted zone came back.",
  EDIT: "",
} as const;

/** What a change is called: its note, else what it did. */
export const titleOfChange = ({ note, kind, summary, zone }: ShownChange): string =>
  note || kindWords[kind] || summary || zone;

const recordsOfChange = graphql(`
  query RecordsOfChange($id: ID!, $after: String, $isAdded: Boolean!) {
    change(id: $id) {
      added(first: 1000, after: $after) @include(if: $isAdded) {
        nodes { recordId owner type ttl rdata }
        pageInfo { hasNextPage endCursor }
      }
      removed(first: 1000, after: $after) @skip(if: $isAdded) {
        nodes { recordId owner type ttl rdata }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
`);

/** Rows of one list of a change that are read at most; beyond, the change is shown in part. */
const maxRows = 5000;

/** What a change removed or added, up to a limit. */
const readRecords = (id: string, isAdded: boolean, signal: AbortSignal) =>
  readMost(maxRows, async (after) => {
    const { change } = await run(recordsOfChange, { id, after, isAdded }, signal);
    return isAdded ? change?.added : change?.removed;
  });

export const changeOptions = (id: string) =>
  queryOptions({
    queryKey: ["change", id],
    queryFn: async ({ signal }): Promise<{ change: ShownChange; records: ChangedRecords & { isWhole: boolean } }> => {
      const [{ change }, removed, added] = await Promise.all([
        run(changeQuery, { id }, signal),
        readRecords(id, false, signal),
        readRecords(id, true, signal),
      ]);
      const isWhole = removed.isWhole && added.isWhole;
      return { change: change as ShownChange, records: { removed: removed.rows, added: added.rows, isWhole } };
    },
  });
