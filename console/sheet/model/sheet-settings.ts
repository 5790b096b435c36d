/** What a sheet is made with. */
import type { TextStorage } from "../draft/draft-store.ts";

/** How many records a sheet holds, unless its settings say so. */
export const largestHeld = 200_000;

export interface SheetSettings {
  readonly zone: string;
  /** Fingerprint of the key, under which drafts are kept. */
  readonly fingerprint: string;
  readonly storage: TextStorage;
  readonly defaultTtl: number;
  /** How many records are held at most. */
  readonly maxRows?: number;
  /** A clock, ms. */
  readonly now: () => number;
}
