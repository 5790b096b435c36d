/** The input of a cell that is being edited: Enter keeps it and goes down, Tab goes on, Esc takes the cell back. */
import { type KeyboardEvent, useRef, useState } from "react";
import { hasControl } from "../../parts/control/keyboard.ts";
import type { SheetRow } from "../view/view.ts";
import css from "./grid.module.css";
import type { Leave } from "./grid-keys.ts";
import type { Editing, RowActions } from "./use-grid.ts";

interface Props {
  readonly row: SheetRow;
  readonly editing: Editing;
  readonly label: string;
  /** Where it is said what is wrong; undefined where nothing is. */
  readonly wrong: string | undefined;
  readonly actions: RowActions;
}

export function CellEditor({ row, editing, label, wrong, actions }: Props) {
  const { column } = editing;
  const [text, setText] = useState(editing.text ?? row.values[column]);
  const isDone = useRef(false);
  const end = (leave: Leave) => {
    if (isDone.current) return;
    isDone.current = true;
    actions.commit(row, column, text, leave);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    // Ctrl+Enter is the review's: what is written is staged first.
    if (event.key === "Enter") end(hasControl(event) ? "stay" : "down");
    else if (event.key === "Tab") end(event.shiftKey ? "previous" : "next");
    else if (event.key === "Escape") {
      isDone.current = true;
      actions.cancel();
    } else return;
    if (event.key !== "Enter" || !hasControl(event)) event.stopPropagation();
    event.preventDefault();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this cell
      autoFocus
      aria-label={label}
      aria-invalid={wrong !== undefined}
      aria-describedby={wrong}
      className={css.editor}
      value={text}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      list={column === "type" ? "record-types" : undefined}
      onFocus={({ currentTarget }) => {
        if (editing.text === undefined) currentTarget.select();
        else currentTarget.setSelectionRange(text.length, text.length);
      }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        actions.type(row, column, currentTarget.value);
      }}
      onKeyDown={pressed}
      onBlur={() => document.hasFocus() && end("stay")}
      onPointerDown={(event) => event.stopPropagation()}
    />
  );
}
