/**
 * The publication state of a zone or a change: a glyph, a word and a colour, so that none of them is needed alone.
 */
import type { PublicationState } from "../../api/generated/graphql.ts";
import css from "./state.module.css";

/** The words of the states, in the order of their urgency. */
export const stateWords: Readonly<Record<PublicationState, string>> = {
  LATE: "late",
  PENDING: "pending",
  UNSERVED: "unserved",
  LIVE: "live",
};

/** What the states mean. */
const stateMeanings: Readonly<Record<PublicationState, string>> = {
  LATE: "A name server does not serve it although the time limit has passed",
  PENDING: "Not every name server serves it yet",
  UNSERVED: "There is no name server to serve it",
  LIVE: "Every name server that is required serves it",
};

/** A shape for each state, drawn for 10 by 10: a disc, a ring that is half full, a ring, a triangle. */
const shapes: Readonly<Record<PublicationState, string>> = {
  LIVE: "M5 1a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z",
  PENDING: "M5 .8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.400ZM5 2.100v5.800A2.9 2.9 0 0 0 5 2.100Z",
  UNSERVED: "M5 .8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.400Zm0 1.300a2.9 2.9 0 1 0 0 5.8 2.9 2.9 0 0 0 0-5.800Z",
  LATE: "M5 .7 9.7 9.200H.3Z",
};

interface StateProps {
  readonly state: PublicationState;
  /** What is said beside it, such as how many servers have it. */
  readonly detail?: string | undefined;
}

/** The state of a deletion: where it has come everywhere, the zone is served nowhere. */
export function DeletionState({ state, isBack }: { readonly state: PublicationState; readonly isBack: boolean }) {
  if (isBack) return <span className={css.detail}>restored since</span>;
  if (state !== "LIVE") return <State state={state} />;
  return (
    <span className={`${css.state} ${css.UNSERVED}`}>
      <StateShape state="UNSERVED" />
      no longer served
    </span>
  );
}

/** The shape alone. */
export function StateShape({ state }: { readonly state: PublicationState }) {
  return (
    <svg aria-hidden="true" className={css.glyph} width="10" height="10" viewBox="0 0 10 10" fill="currentColor">
      <path fillRule="evenodd" d={shapes[state]} />
    </svg>
  );
}

export function State({ state, detail = state === "UNSERVED" ? "no name server" : undefined }: StateProps) {
  return (
    <span className={`${css.state} ${css[state]}`} title={stateMeanings[state]}>
      <StateShape state={state} />
      {stateWords[state]}
      {detail && <span className={css.detail}> {detail}</span>}
    </span>
  );
}
