/** What a note of an RRset is. */

/** A note of an RRset; an empty text where it does not have one. */
export interface RrsetNote {
  /** Relative to the zone; `@` is the apex. */
  readonly owner: string;
  readonly type: string;
  /** One line or several. */
  readonly text: string;
}

/** The longest note, characters. */
export const maxNoteLength = 1000;
