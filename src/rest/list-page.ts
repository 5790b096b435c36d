/**
 * A page of a list as it is written: the text of its rows, or domains, whose records are read while they are written.
 */
import type { DomainData, PageData } from "./response-bodies.ts";

export interface ListPage {
  /** The rows, separated by commas; undefined where they are domains. */
  readonly text: string | undefined;
  readonly domains: DomainData[];
  /** How many rows there are; 1 for any number of rows that came as text. */
  readonly count: number;
  readonly pageInfo: PageData<unknown>["pageInfo"];
  readonly totalCount?: number | undefined;
}

/** The page of an operation's data; `view` is the form of a row, and left out for domains. */
export function pageOfData<Row>(
  { nodes, pageInfo, totalCount }: PageData<Row>,
  view: ((row: Row) => unknown) | undefined,
): ListPage {
  const count = nodes.length;
  if (view) return { text: rowsText(nodes, view), domains: [], count, pageInfo, totalCount };
  return { text: undefined, domains: nodes as never, count, pageInfo, totalCount };
}

/** The text of rows, which are taken out of their array: they need more memory than their text, which a client may leave unread. */
export const rowsText = <Row>(rows: Row[], view: (row: Row) => unknown) =>
  rows
    .splice(0)
    .map((row) => JSON.stringify(view(row)))
    .join(",");

const afterRows = '],"pageInfo":';
/** What is before and after the records of a domain; as their quotes are not escaped, they are in no string. */
const beforeRecords = '"records":{"nodes":[';
const afterAllRecords = /\],"pageInfo":\{"hasNextPage":false,"endCursor":(?:null|"[\w-]*")\}\}/g;

/**
 * The page in the text of a GraphQL answer whose rows have the form of REST: `nodes`, `pageInfo` and perhaps `totalCount` are all that is
 * selected of the list.
 */
export function pageOfText(answer: string, list: string): ListPage {
  const start = `{"data":{"${list}":{"nodes":[`.length;
  const end = answer.lastIndexOf(afterRows);
  const page = JSON.parse(`{${answer.slice(end + 2, -3)}`) as Pick<ListPage, "pageInfo" | "totalCount">;
  const rows = answer.slice(start, end);
  const text = rows.replaceAll(beforeRecords, '"records":[').replace(afterAllRecords, "]");
  // A domain has more records than its page.
  if (text.includes(afterRows)) return { text: undefined, domains: JSON.parse(`[${rows}]`), count: 1, ...page };
  return { text, domains: [], count: text === "" ? 0 : 1, ...page };
}
