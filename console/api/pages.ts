/** The page of a list that there is not, such as that of a zone that is gone. */
export const noPage = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
