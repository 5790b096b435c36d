/**
 * Failures that no answer shows, since what failed is done in another way, or again: every room says so here, and knows nothing of who
 * counts and logs them.
 */

/** What failed: the noting of a key's last use, a look at zones before their turn, a statement in a pipeline, a copy of a small zone. */
export const failingParts = ["key_use", "look_ahead", "pipelined_read", "zone_copy"] as const;
export type FailingPart = (typeof failingParts)[number];

type Recorder = (part: FailingPart, error: unknown) => void;

let recorder: Recorder | undefined;

/** Has failures counted and logged; with undefined, no more. */
export function recordHiddenFailures(by: Recorder | undefined): void {
  recorder = by;
}

/** Says that something failed which is done in another way, or again. */
export function noteHiddenFailure(part: FailingPart, error: unknown): void {
  recorder?.(part, error);
}
