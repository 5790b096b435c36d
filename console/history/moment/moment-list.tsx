/**
 * The moments of a zone beside the one that is shown, the newest first.
 */
import { useEffect, useRef } from "react";
import { More } from "../../parts/page/more.tsx";
import { authorName } from "../../parts/text/author.ts";
import { Ago } from "../../parts/text/time.tsx";
import css from "./moment.module.css";
import type { Author, Past } from "./moment.ts";
import { MomentLink } from "./places.tsx";
import type { PastFilter } from "./queries.ts";

/** The changes of a zone as far as they are read, and how the others are. */
export interface Moments {
  /** The newest first, without deletions, which leave no zone. */
  readonly changes: readonly Author[];
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface MomentsQuery extends Omit<Moments, "changes"> {
  readonly data?: { readonly pages: readonly { readonly nodes: readonly Author[] }[] } | undefined;
}

/** The moments among the changes of a zone, as they are read. */
export const momentsOf = ({ data, hasNextPage, isFetchingNextPage, fetchNextPage }: MomentsQuery): Moments => ({
  changes: data?.pages.flatMap(({ nodes }) => nodes).filter(({ kind }) => kind !== "DELETE") ?? [],
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
});

interface MomentListProps {
  readonly past: Past;
  readonly moments: Moments;
  /** The place of the one that is shown. */
  readonly at: number | undefined;
  readonly filter: PastFilter;
}

export function MomentList({ past, moments, at, filter }: MomentListProps) {
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const box = list.current;
    const here = at === undefined ? undefined : box?.querySelectorAll("li")[at];
    if (!box || !here) return;
    // The page itself stays where it is.
    box.scrollTop = here.offsetTop - box.clientHeight / 3;
  }, [at]);
  return (
    <nav ref={list} className={css.list} aria-label="Moments">
      <ol>
        {moments.changes.map((change, place) => (
          <li key={change.id}>
            <MomentLink past={past} moment={String(change.serial)} filter={filter} isHere={place === at}>
              <code>{change.serial}</code> <Ago time={change.createdAt} />
              <span>{change.note ?? authorName(change)}</span>
            </MomentLink>
          </li>
        ))}
      </ol>
      <More query={moments} what="changes" />
    </nav>
  );
}
