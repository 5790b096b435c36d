/** The publication state of a zone or a change, as text, with a glyph and a colour where something is to come; and figures with their limits. */
import type { PublicationState } from "../../api/generated/graphql.ts";
import { Hidden } from "../control/announce.tsx";
import look from "../look.module.css";
import css from "./state.module.css";

/** The words of the states, in the order of their urgency. */
export const stateWords: Readonly<Record<PublicationState, string>> = {
  LATE: "late",
  PENDING: "on its way",
  UNSERVED: "no server",
  LIVE: "up to date",
};

const stateMeanings: Readonly<Record<PublicationState, string>> = {
  LATE: "A name server does not serve it although the time limit has passed",
  PENDING: "Not every name server serves it yet",
  UNSERVED: "There is no name server to serve it",
  LIVE: "Every name server that is required serves it",
};

/** What has a shape: a state in which something is to come, a review that waits, a refusal. */
export type Shaped = PublicationState | "REVIEW" | "REFUSED";

/** The shapes, drawn for 10 by 10: a triangle, a ring that is half full, a diamond, a cross. */
const shapes: Readonly<Partial<Record<Shaped, string>>> = {
  LATE: "M5 .7 9.7 9.200H.3Z",
  PENDING: "M5 .8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.400ZM5 2.100v5.800A2.9 2.9 0 0 0 5 2.100Z",
  REVIEW: "M5 .5 9.5 5 5 9.5.5 5Z",
  REFUSED: "M2 .7 5 3.700 8 .7 9.300 2 6.300 5l3 3L8 9.300l-3-3-3 3L.7 8l3-3-3-3Z",
};

interface StateProps {
  readonly state: PublicationState;
  /** What is said beside it, such as how many servers have it. */
  readonly detail?: string | undefined;
}

/** The shape alone, where the state has one. */
export function StateShape({ state }: { readonly state: Shaped }) {
  const shape = shapes[state];
  return (
    shape && (
      <svg aria-hidden="true" width="10" height="10" viewBox="0 0 10 10" fill="currentColor">
        <path fillRule="evenodd" d={shape} />
      </svg>
    )
  );
}

export function State({ state, detail }: StateProps) {
  // A count says that it is on its way, or that all is well.
  const hasWord = detail === undefined || state === "LATE";
  return (
    <span className={`${look.nowrap} ${css.state} ${css[state]}`} title={stateMeanings[state]}>
      <StateShape state={state} />
      {hasWord ? stateWords[state] : <Hidden>{stateWords[state]} </Hidden>}
      {detail && <span className={css.detail}> {detail}</span>}
    </span>
  );
}

interface PublicationProps {
  readonly publication: {
    readonly state: PublicationState;
    readonly secondaries?: readonly PublishedAt[] | null | undefined;
  };
  /** Whether it goes on in a sentence. */
  readonly isWithin?: boolean;
}

interface PublishedAt {
  readonly name: string;
  readonly state: PublicationState;
  readonly isJoining: boolean;
}

/** On how many servers something is, or what is in the way. */
export function Publication({ publication, isWithin = false }: PublicationProps) {
  const { state } = publication;
  const served = servedText(publication);
  if (state !== "LIVE" || !served) return <State state={state} detail={served} />;
  return `${isWithin ? "on" : "On"} ${served} servers`;
}

/** On how many of the servers that have joined a zone is live, or at which it is late. */
export function servedText({ secondaries, state }: PublicationProps["publication"]): string | undefined {
  const joined = secondaries?.filter(({ isJoining }) => !isJoining) ?? [];
  if (joined.length === 0) return undefined;
  if (state !== "LATE") return `${joined.filter((each) => each.state === "LIVE").length} of ${joined.length}`;
  const [first, ...others] = joined.filter((each) => each.state === "LATE").map(({ name }) => name);
  return others.length > 0 ? `${first} and ${others.length} more` : first;
}

/** Counted things as a quota limits them, each in the singular. */
const things = { domains: "zone", records: "record", changes: "change" } as const;

interface FigureProps {
  readonly of: keyof typeof things;
  /** What is used, and the limit where it is shown. */
  readonly quota: { readonly usage: number | null | undefined; readonly limit?: number | null | undefined };
  /** Added after what is counted. */
  readonly more?: string;
}

/** A figure with its limit, if there is one: `3 of 50 zones`. */
export function Figure({ of, quota: { usage: used, limit }, more = "" }: FigureProps) {
  if (typeof used !== "number") return null;
  const shown =
    typeof limit === "number" ? `${used.toLocaleString()} of ${limit.toLocaleString()}` : used.toLocaleString();
  const count = limit ?? used;
  const isFull = typeof limit === "number" && used >= limit;
  return (
    <span className={isFull ? css.full : undefined}>
      {shown} {things[of]}
      {count === 1 ? "" : "s"}
      {more}
    </span>
  );
}
