/** Pages by cursor, forward and back. */
import { type FragmentType, graphql, useFragment } from "./generated";

/** The arguments of a page. */
export interface Page {
  readonly first?: number;
  readonly after?: string | null;
  readonly last?: number;
  readonly before?: string | null;
}

const pageInfoFragment = graphql(`
  fragment Paging_pageInfo on PageInfo {
    startCursor
    endCursor
    hasNextPage
    hasPreviousPage
  }
`);

interface PagingProps {
  readonly of: string;
  readonly size: number;
  readonly pageInfo: FragmentType<typeof pageInfoFragment>;
  readonly onPage: (page: Page) => void;
}

export function Paging({ of, size, pageInfo, onPage }: PagingProps) {
  const { startCursor, endCursor, hasNextPage, hasPreviousPage } = useFragment(pageInfoFragment, pageInfo);
  if (!hasNextPage && !hasPreviousPage) return null;
  return (
    <nav className="paging" aria-label={`Pages of ${of}`}>
      <button type="button" disabled={!hasPreviousPage} onClick={() => onPage({ last: size, before: startCursor })}>
        ← Previous
      </button>
      <button type="button" disabled={!hasNextPage} onClick={() => onPage({ first: size, after: endCursor })}>
        Next →
      </button>
    </nav>
  );
}
