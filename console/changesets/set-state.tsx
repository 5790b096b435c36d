/**
 * The state of a change set: a shape, a word and a colour, as those of publication.
 */
import type { ChangeSetState, PublicationState } from "../api/generated/graphql.ts";
import css from "../parts/zone/state.module.css";
import { StateShape } from "../parts/zone/state.tsx";

/** The word of each state, and the state of publication that it looks like. */
const looks: Readonly<Record<ChangeSetState, readonly [word: string, like: PublicationState]>> = {
  DRAFT: ["draft", "UNSERVED"],
  IN_REVIEW: ["in review", "PENDING"],
  APPROVED: ["approved", "LIVE"],
  SCHEDULED: ["scheduled", "LIVE"],
  APPLYING: ["being applied", "PENDING"],
  APPLIED: ["applied", "LIVE"],
  PARTIAL: ["applied in part", "LATE"],
  CANCELLED: ["cancelled", "UNSERVED"],
  EXPIRED: ["expired", "UNSERVED"],
};

export const setStateWord = (state: ChangeSetState) => looks[state][0];

interface SetStateProps {
  readonly state: ChangeSetState;
  /** Whether it was approved, and would do something else by now. */
  readonly isOutdated?: boolean;
}

export function SetState({ state, isOutdated = false }: SetStateProps) {
  const [word, like] = isOutdated ? (["approved before it changed", "LATE"] as const) : looks[state];
  return (
    <span className={`${css.state} ${css[like]}`}>
      <StateShape state={like} />
      {word}
    </span>
  );
}
