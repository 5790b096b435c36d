/** What of a sheet is in the address of its page. */
import { columnOf } from "./records/row.ts";
import type { Show } from "./view/filter.ts";
import type { Sort } from "./view/view.ts";

export interface SheetSearch {
  readonly q?: string | undefined;
  readonly type?: string | undefined;
  readonly show?: Exclude<Show, "all"> | undefined;
  /** A column, with a minus before it when it descends. */
  readonly sort?: string | undefined;
  readonly undo?: string | undefined;
  /** An address that a new record is to have; other text begins one without. */
  readonly add?: string | undefined;
  /** The serial of a moment to which the zone is to be brought back. */
  readonly restore?: number | undefined;
}

/** The order that a text of an address names. */
export function sortOf(text: string | undefined): Sort | undefined {
  const column = columnOf(text?.replace(/^-/, ""));
  return column && { column, descending: text?.startsWith("-") ?? false };
}
