/** Failures that no answer shows, since the work is done in another way or again. Rooms report them, and do not know who counts them. */

/** Writing a key's last use, a statement in a pipeline, a copy of a small zone. */
const failingParts = ["key_use", "pipelined_read", "zone_copy"] as const;
type FailingPart = (typeof failingParts)[number];

type Recorder = (part: FailingPart, error: unknown) => void;

let recorder: Recorder | undefined;

/** Sets who counts and logs hidden failures; undefined for nobody. */
export function recordHiddenFailures(by: Recorder | undefined): void {
  recorder = by;
}

export function noteHiddenFailure(part: FailingPart, error: unknown): void {
  recorder?.(part, error);
}
