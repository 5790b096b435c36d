/** Lists that are read page by page. */

/** The page of a list that does not exist, such as a list of a deleted zone. */
export const noPage = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

/** A page of a list, as far as it leads to the next one. */
export interface Paged {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** A page of a list that has a cursor for as long as more may follow. */
export const cursorPage = <Page extends { readonly endCursor: string | null }>(page: Page | null | undefined) =>
  page && { ...page, pageInfo: { hasNextPage: page.endCursor !== null, endCursor: page.endCursor } };

/** The cursor at which the next page begins; undefined after the last page. */
export const nextPage = (page: Paged | null | undefined) =>
  page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;

/** Options of an infinite query: the first page has the parameter null, each further page the cursor at which the page before ends. */
export const paged = { initialPageParam: null as string | null, getNextPageParam: nextPage };

/** The rows of an infinite query as far as they are read; a page of a list that does not exist has none. */
export const nodesOf = <Row>({
  data,
}: {
  readonly data?: { readonly pages: readonly ({ readonly nodes: readonly Row[] } | null | undefined)[] } | undefined;
}): readonly Row[] => data?.pages.flatMap((page) => page?.nodes ?? []) ?? [];

type ReadPage<Row> = (after: string | null) => Promise<(Paged & { readonly nodes: readonly Row[] }) | null | undefined>;

/** The rows of the pages of a list until they are so many, and whether that is all of it. */
export async function readMost<Row>(most: number, readPage: ReadPage<Row>) {
  const rows: Row[] = [];
  let after: string | null | undefined = null;
  do {
    const page = await readPage(after);
    rows.push(...(page?.nodes ?? []));
    after = nextPage(page);
  } while (after && rows.length < most);
  return { rows, isWhole: !after };
}

export const readAll = async <Row>(readPage: ReadPage<Row>): Promise<Row[]> =>
  (await readMost(Number.POSITIVE_INFINITY, readPage)).rows;
