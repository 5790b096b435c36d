/**
 * The end of a list that is read page by page: scrolled into view it reads the next page, and it has a button for the same.
 */
import { useEffect, useRef } from "react";
import { Button } from "../control/button.tsx";
import look from "../look.module.css";

/** What is used of an infinite query. */
interface Pages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

export function More({ query, what }: { readonly query: Pages; readonly what: string }) {
  const end = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (!hasNextPage || isFetchingNextPage || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && fetchNextPage(),
      {
        rootMargin: "600px",
      },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  if (!hasNextPage) return null;
  return (
    <div ref={end} className={look.foot}>
      <Button kind="quiet" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchingNextPage ? "Loading…" : `More ${what}`}
      </Button>
    </div>
  );
}
