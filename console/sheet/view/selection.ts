/** The selected rows of a sheet, by key; ranges follow the order in which rows are shown. */

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly anchor: string | undefined;
}

export const noSelection: Selection = { keys: new Set(), anchor: undefined };

/** The selection with or without one more row, where the next range begins. */
export function toggle({ keys }: Selection, key: string): Selection {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return { keys: next, anchor: key };
}

/** The rows from the anchor (or `from`, without one) to a row. */
export function extend(selection: Selection, shown: readonly string[], from: string, to: string): Selection {
  const anchor = selection.anchor !== undefined && shown.includes(selection.anchor) ? selection.anchor : from;
  const [a, b] = [shown.indexOf(anchor), shown.indexOf(to)];
  return { keys: new Set(shown.slice(Math.min(a, b), Math.max(a, b) + 1)), anchor };
}

export function selectAll(shown: readonly string[]): Selection {
  return { keys: new Set(shown), anchor: shown[0] };
}

/** The keys that an action is about: the selected rows that are shown, or else the row with the focus. */
export function actedOn({ keys }: Selection, shown: readonly string[], focused: string | undefined): string[] {
  const selected = shown.filter((key) => keys.has(key));
  return selected.length > 0 ? selected : focused === undefined ? [] : [focused];
}
