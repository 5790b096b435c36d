/** The input of a cell that is being edited: Enter keeps it and goes down, Tab goes on, Esc takes the cell back. */
import { type KeyboardEvent, useRef, useState } from "react";
import { hasControl } from "../../parts/control/keyboard.ts";
import type { Column } from "../records/row.ts";
import css from "./grid.module.css";

/** How an edit ended: where to go then. */
export type Leave = "down" | "next" | "previous" | "stay";

interface Props {
  readonly column: Column;
  readonly label: string;
  readonly initial: string;
  readonly selects: boolean;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
  onType(text: string): void;
  onCommit(text: string, leave: Leave): void;
  onCancel(): void;
}

export function CellEditor(props: Props) {
  const [text, setText] = useState(props.initial);
  const isDone = useRef(false);
  const end = (leave: Leave) => {
    if (isDone.current) return;
    isDone.current = true;
    props.onCommit(text, leave);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    // Ctrl+Enter is the review's: what is written is staged first.
    if (event.key === "Enter") end(hasControl(event) ? "stay" : "down");
    else if (event.key === "Tab") end(event.shiftKey ? "previous" : "next");
    else if (event.key === "Escape") {
      isDone.current = true;
      props.onCancel();
    } else return event.stopPropagation();
    if (event.key !== "Enter" || !hasControl(event)) event.stopPropagation();
    event.preventDefault();
  };
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this cell
      autoFocus
      aria-label={props.label}
      aria-invalid={props.isInvalid}
      aria-describedby={props.describedBy}
      className={css.editor}
      value={text}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      list={props.column === "type" ? "record-types" : undefined}
      onFocus={({ currentTarget }) => {
        if (props.selects) currentTarget.select();
        else currentTarget.setSelectionRange(text.length, text.length);
      }}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        props.onType(currentTarget.value);
      }}
      onKeyDown={pressed}
      onBlur={() => document.hasFocus() && end("stay")}
      onPointerDown={(event) => event.stopPropagation()}
    />
  );
}
