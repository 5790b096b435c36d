/** A note of an RRset; an empty text where the RRset does not have one. */
export interface RrsetNote {
  /** Relative to the zone; `@` is the apex. */
  readonly owner: string;
  readonly type: string;
  readonly text: string;
}
