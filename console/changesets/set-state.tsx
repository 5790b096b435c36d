/**
 * The state of a change set: a shape, a word and a colour, as those of publication.
 */
import type { ChangeSetState, PublicationState } from "../api/generated/graphql.ts";
import css from "../parts/zone/state.module.css";
import { StateShape } from "../parts/zone/state.tsx";

/** The word of each state, and the state of publication whose shape and colour it has. */
const looks: Readonly<Record<ChangeSetState, readonly [word: string, like: PublicationState, colour: string]>> = {
  DRAFT: ["draft", "UNSERVED", "UNSERVED"],
  IN_REVIEW: ["in review", "PENDING", "PENDING"],
  APPROVED: ["approved", "LIVE", "PENDING"],
  SCHEDULED: ["scheduled", "LIVE", "PENDING"],
  APPLYING: ["being applied", "PENDING", "PENDING"],
  APPLIED: ["applied", "LIVE", "LIVE"],
  PARTIAL: ["applied in part", "LATE", "LATE"],
  CANCELLED: ["cancelled", "UNSERVED", "UNSERVED"],
  EXPIRED: ["expired", "UNSERVED", "UNSERVED"],
};

export const setStateWord = (state: ChangeSetState) => looks[state][0];

interface SetStateProps {
  readonly state: ChangeSetState;
  /** Whether it was approved, and would do something else by now. */
  readonly isOutdated?: boolean;
}

export function SetState({ state, isOutdated = false }: SetStateProps) {
  const [word, like, colour] = isOutdated ? (["approved before it changed", "LATE", "LATE"] as const) : looks[state];
  return (
    <span className={`${css.state} ${css[colour]}`}>
      <StateShape state={like} />
      {word}
    </span>
  );
}
