/** The focus and the edited cell of a grid, and what its rows ask for. */
import { useMemo, useRef, useState } from "react";
import { plainOwner } from "../../parts/text/names.ts";
import type { Rrset } from "../../parts/zone/rrset-history.tsx";
import { decide, revertRows, writeCell } from "../model/sheet-actions.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import type { Column } from "../records/row.ts";
import { extend, type Selection, toggle } from "../view/selection.ts";
import type { SheetRow } from "../view/view.ts";
import { type Cell, type Leave, nextColumn, rowInPlace } from "./grid-keys.ts";

/** A cell that is being edited; `text` is what is written in place of what it holds. */
export interface Editing extends Cell {
  readonly text?: string;
}

/** What a row can ask for. */
export type RowActions = ReturnType<typeof useGrid>["actions"];

interface Options {
  readonly isReadOnly: boolean;
  setSelection(change: (selection: Selection) => Selection): void;
  setFormKeys(keys: readonly string[]): void;
  /** The row that stands for SOA and NS of the apex. */
  readonly foldedKey: string | undefined;
  setUnfolded(isUnfolded: boolean): void;
  openNote(rrset: Rrset): void;
}

export function useGrid(model: SheetModel, rows: readonly SheetRow[], keys: readonly string[], options: Options) {
  const [focus, setFocus] = useState<Cell>();
  const [editing, setEditing] = useState<Editing>();
  const [shown, setShown] = useState(keys);
  const current = useRef({ model, rows, keys, options, focus });
  current.current = { model, rows, keys, options, focus };

  // The row with the focus went: the next one takes its place, unless a person is writing the filter, which leads to its first row.
  if (shown !== keys && keys.length > 0) {
    setShown(keys);
    const near = focus && rowInPlace(shown, keys, focus.key);
    if (focus && near !== undefined && !document.activeElement?.matches("[data-filter]"))
      setFocus({ key: near, column: focus.column });
  }

  const actions = useMemo(() => {
    const edit = (cell: Editing) => {
      const { isReadOnly, foldedKey, setUnfolded } = current.current.options;
      setFocus({ key: cell.key, column: cell.column });
      if (cell.key === foldedKey) setUnfolded(true);
      else if (!isReadOnly) setEditing(cell);
    };
    const end = () => {
      setEditing(undefined);
      current.current.model.type(undefined);
    };
    return {
      focus: setFocus,
      edit,
      type(row: SheetRow, column: Column, text: string) {
        setEditing({ key: row.key, column, text });
        current.current.model.type(row.key, { ...row.values, [column]: text });
      },
      commit(row: SheetRow, column: Column, text: string, leave: Leave) {
        const { model: sheet, keys: order } = current.current;
        end();
        writeCell(sheet, row, column, text);
        const isTab = leave === "next" || leave === "previous";
        const to = isTab ? nextColumn(column, leave === "previous") : undefined;
        if (to) edit({ key: row.key, column: to });
        else if (leave === "down") setFocus({ key: order[order.indexOf(row.key) + 1] ?? row.key, column });
      },
      cancel: end,
      /** Shows SOA and NS of the apex as one row, or each. */
      fold(isFolded: boolean) {
        const { keys: order, options: to } = current.current;
        to.setUnfolded(!isFolded);
        const [soa] = order;
        if (soa !== undefined) setFocus((cell) => ({ key: soa, column: cell?.column ?? "owner" }));
      },
      select(key: string, isRange: boolean) {
        const { options: to, keys: order, focus: from } = current.current;
        to.setSelection((selection) =>
          isRange ? extend(selection, order, from?.key ?? key, key) : toggle(selection, key),
        );
        setFocus((cell) => ({ key, column: cell?.column ?? "owner" }));
      },
      revert(key: string) {
        revertRows(current.current.model, [key]);
      },
      form(key: string) {
        const { options: to } = current.current;
        end();
        setFocus((cell) => ({ key, column: cell?.column ?? "owner" }));
        if (!to.isReadOnly) to.setFormKeys([key]);
      },
      note({ values }: SheetRow) {
        const { model: sheet, options: to } = current.current;
        to.openNote({ owner: plainOwner(values.owner, sheet.zone), type: values.type });
      },
      decide(rrset: string, isMine: boolean) {
        decide(current.current.model, rrset, isMine);
      },
    };
  }, []);

  /** Moves the focus of the page into the grid, as soon as its cell is drawn. */
  const enter = () => {
    const cell = () => document.querySelector<HTMLElement>("[role=grid] [data-active]");
    const drawn = cell();
    if (drawn) drawn.focus({ preventScroll: true });
    else requestAnimationFrame(() => cell()?.focus({ preventScroll: true }));
  };
  const focusOn = (cell: Cell) => {
    setFocus(cell);
    enter();
  };
  return { focus, editing, actions, enter, focusOn, edit: actions.edit };
}
