/**
 * Lists that are read page by page.
 */

/** The page of a list that does not exist, such as a list of a deleted zone. */
export const noPage = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };

interface Paged {
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** Options of an infinite query: the first page has the parameter null, each further page the cursor at which the page before ends. */
export const paged = {
  initialPageParam: null as string | null,
  getNextPageParam: (page: Paged | null | undefined) =>
    page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined,
};
