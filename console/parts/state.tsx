/**
 * The publication state of a zone or a change: a glyph, a word and a colour, so that none of them is needed alone.
 */
import type { PublicationState } from "../api/generated/graphql.ts";
import css from "./state.module.css";

/** The words of the states, in the order of their urgency. */
export const stateWords: Readonly<Record<PublicationState, string>> = {
  LATE: "late",
  PENDING: "pending",
  UNSERVED: "unserved",
  LIVE: "live",
};

const glyphs: Readonly<Record<PublicationState, string>> = { LATE: "▲", PENDING: "◌", UNSERVED: "○", LIVE: "●" };

export interface StateProps {
  readonly state: PublicationState;
  /** What is said beside it, such as how many servers have it. */
  readonly detail?: string | undefined;
}

export function State({ state, detail }: StateProps) {
  return (
    <span className={`${css.state} ${css[state]}`}>
      <span aria-hidden="true" className={css.glyph}>
        {glyphs[state]}
      </span>
      {stateWords[state]}
      {detail && <span className={css.detail}> {detail}</span>}
    </span>
  );
}
