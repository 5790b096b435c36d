/** Steps of a draft, back and forth. A step is the draft before it, so that whatever a step did is undone whole. */

export interface History<State> {
  readonly past: readonly State[];
  readonly present: State;
  readonly future: readonly State[];
}

const maxSteps = 200;

export function historyOf<State>(present: State): History<State> {
  return { past: [], present, future: [] };
}

/** A new step; what was undone before cannot be done again then. */
export function step<State>(history: History<State>, next: State): History<State> {
  if (next === history.present) return history;
  return { past: [...history.past, history.present].slice(-maxSteps), present: next, future: [] };
}

/** The step before; the same history at its beginning. */
export function undo<State>({ past, present, future }: History<State>): History<State> {
  const previous = past.at(-1);
  return previous === undefined
    ? { past, present, future }
    : { past: past.slice(0, -1), present: previous, future: [present, ...future] };
}

/** The step after; the same history at its end. */
export function redo<State>({ past, present, future }: History<State>): History<State> {
  const [next, ...rest] = future;
  return next === undefined ? { past, present, future } : { past: [...past, present], present: next, future: rest };
}
