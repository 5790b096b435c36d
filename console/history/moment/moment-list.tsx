/**
 * The moments of a zone beside the one that is shown, the newest first.
 */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { nodesOf } from "../../api/pages.ts";
import { More } from "../../parts/page/more.tsx";
import { authorName } from "../../parts/text/author.ts";
import { Ago } from "../../parts/text/time.tsx";
import css from "./moment.module.css";
import type { Past } from "./moment.ts";
import { MomentLink } from "./places.tsx";
import { momentsOptions, type PastFilter } from "./queries.ts";

/** The query of a zone's changes. `changes` are those that are read, the newest first, without deletions, which leave no zone. */
export function useMoments(past: Past) {
  const query = useInfiniteQuery(momentsOptions(past));
  return { ...query, changes: nodesOf(query).filter(({ kind }) => kind !== "DELETE") };
}

export type Moments = ReturnType<typeof useMoments>;

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
