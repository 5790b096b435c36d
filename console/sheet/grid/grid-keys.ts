/** The keys of the sheet's grid: where the focus goes, and which action a key is. */
import { hasControl } from "../../parts/control/keyboard.ts";
import { type Column, columns } from "../records/row.ts";

export interface Cell {
  readonly key: string;
  readonly column: Column;
}

/** How the edit of a cell ended: where to go then. */
export type Leave = "down" | "next" | "previous" | "stay";

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

export type GridAction =
  | "edit"
  | "replace"
  | "select"
  | "selectAll"
  | "duplicate"
  | "form"
  | "remove"
  | "extendUp"
  | "extendDown";

/** Rows that PageUp and PageDown go. */
const pageRows = 20;

interface Move {
  readonly rows: number;
  readonly columns: number;
  /** Whether it goes to the first row of a name. */
  readonly isByName?: boolean;
}

/** The place after a key that moves the focus; undefined when it does not move. */
export function moveOf(pressed: Pressed): Move | undefined {
  const { key, shiftKey } = pressed;
  const [all, control] = [Number.POSITIVE_INFINITY, hasControl(pressed)];
  if (shiftKey || pressed.altKey) return undefined;
  if (key === "Home") return { rows: control ? -all : 0, columns: -all };
  if (key === "End") return { rows: control ? all : 0, columns: all };
  if (control && key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  const moves: Record<string, readonly [number, number]> = {
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageDown: [pageRows, 0],
    PageUp: [-pageRows, 0],
  };
  const move = moves[key];
  return move && { rows: move[0], columns: move[1], isByName: control };
}

const withControl: Record<string, GridAction> = { a: "selectAll", d: "duplicate" };

/**
 * The action of a key: a letter begins to write, as in a spreadsheet. `hasPageKeys` is false where a person switched keys of a single
 * letter off (WCAG 2.1.4).
 */
export function actionOf(pressed: Pressed, hasPageKeys: boolean): GridAction | undefined {
  const { key, shiftKey, altKey } = pressed;
  if (hasControl(pressed)) return shiftKey || altKey ? undefined : withControl[key.toLowerCase()];
  if (altKey) return key === "Enter" ? "form" : undefined;
  if (shiftKey && key === "ArrowDown") return "extendDown";
  if (shiftKey && key === "ArrowUp") return "extendUp";
  if (key === "Enter" || key === "F2") return "edit";
  if (key === " ") return "select";
  if (key === "Delete" || key === "Backspace") return "remove";
  // Keys of the whole page, with which nothing in a zone begins.
  if (hasPageKeys && (key === "/" || key === "?")) return undefined;
  return key.length === 1 ? "replace" : undefined;
}

/** The cell some steps away, inside of the sheet; `isContinued` says which rows have the name of the row above. */
export function cellAt(
  keys: readonly string[],
  from: Cell,
  move: Move,
  isContinued: (row: number) => boolean = () => false,
): Cell {
  const at = Math.max(0, keys.indexOf(from.key));
  let row = clamp(at + move.rows, keys.length);
  while (move.isByName && isContinued(row)) row += move.rows;
  // The last name is where it is.
  if (row >= keys.length) row = at;
  const column = clamp(columns.indexOf(from.column) + move.columns, columns.length);
  return { key: keys[row] ?? from.key, column: columns[column] ?? from.column };
}

/** The row that is where one was that is not shown any more; undefined where it is shown, or was not. */
export function rowInPlace(before: readonly string[], keys: readonly string[], key: string): string | undefined {
  const shown = new Set(keys);
  const at = before.indexOf(key);
  if (at < 0 || shown.has(key)) return undefined;
  const isShown = (each: string) => shown.has(each);
  return before.slice(at).find(isShown) ?? before.slice(0, at).findLast(isShown);
}

const clamp = (at: number, length: number) => Math.max(0, Math.min(length - 1, at));

/** The cell that Tab goes to; undefined at the end of the row. */
export function nextColumn(column: Column, isBack: boolean): Column | undefined {
  return columns[columns.indexOf(column) + (isBack ? -1 : 1)];
}
