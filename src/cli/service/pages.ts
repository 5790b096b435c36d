/**
 * Lists of any length, read a page at a time.
 */

import { type Row, valueAt } from "../terminal/print.ts";
import { callGraphql, type Endpoint } from "./client.ts";

/** A page of a list: its rows, and the data that they are in. */
export interface ListPage<Node> {
  readonly data: Row;
  readonly nodes: Node[];
}

/** The pages of a list, each read when it is asked for, by an operation that takes the cursor `after`; `list` is the path to the list. */
export async function* pagesOf<Node>(
  endpoint: Endpoint,
  document: string,
  list: string,
  variables: Readonly<Record<string, unknown>> = {},
): AsyncGenerator<ListPage<Node>> {
  for (let after: string | null = null; ; ) {
    const data: Row = await callGraphql<Row>(endpoint, document, { ...variables, after });
    const { nodes, pageInfo } = valueAt(data, list) as {
      readonly nodes: Node[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
    };
    yield { data, nodes };
    if (!pageInfo.hasNextPage) return;
    after = pageInfo.endCursor;
  }
}
