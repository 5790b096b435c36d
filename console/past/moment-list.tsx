/**
 * The moments of a zone beside the one that is shown, the newest first.
 */
import { useEffect, useRef } from "react";
import { actorName } from "../parts/actor.tsx";
import { More } from "../parts/more.tsx";
import { Ago } from "../parts/time.tsx";
import type { Author, Past } from "./moment.ts";
import css from "./past.module.css";
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
        {moments.changes.map(({ id, serial, createdAt, actor, note }, place) => (
          <li key={id}>
            <MomentLink past={past} moment={String(serial)} filter={filter} isHere={place === at}>
              <code>{serial}</code> <Ago time={createdAt} />
              <span>{note ?? actorName(actor)}</span>
            </MomentLink>
          </li>
        ))}
      </ol>
      <More query={moments} what="changes" />
    </nav>
  );
}
