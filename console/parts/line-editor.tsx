/**
 * A text with the numbers of its lines; those that are wrong are marked.
 */
import { type Ref, useImperativeHandle, useRef } from "react";
import css from "./line-editor.module.css";

/** What can be asked of an editor. */
export interface LineEditorHandle {
  /** Moves the focus to a line, from 1, and selects it. */
  showLine(line: number): void;
}

export interface LineEditorProps {
  readonly label: string;
  readonly text: string;
  readonly placeholder?: string;
  readonly readOnly?: boolean;
  readonly wrongLines: ReadonlySet<number>;
  readonly onChange: (text: string) => void;
  readonly ref?: Ref<LineEditorHandle>;
}

/** Where a line begins and ends in a text; `line` counts from 1. */
function lineRange(text: string, line: number): readonly [start: number, end: number] {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf("\n", start);
    if (next < 0) break;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return [start, end < 0 ? text.length : end];
}

export function LineEditor({ label, text, placeholder, readOnly, wrongLines, onChange, ref }: LineEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const lines = text.split("\n");
  useImperativeHandle(ref, () => ({
    showLine(line) {
      const element = area.current;
      if (!element) return;
      element.focus();
      element.setSelectionRange(...lineRange(text, line));
      element.scrollTop = (element.scrollHeight * (line - 1)) / lines.length - element.clientHeight / 3;
    },
  }));
  return (
    <div className={css.editor}>
      <pre ref={gutter} className={css.gutter} aria-hidden="true">
        {lines.map((_, at) => (wrongLines.has(at + 1) ? `✕ ${at + 1}` : at + 1)).join("\n")}
      </pre>
      <textarea
        ref={area}
        aria-label={label}
        wrap="off"
        spellCheck={false}
        autoCapitalize="none"
        placeholder={placeholder}
        readOnly={readOnly}
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onScroll={({ currentTarget }) => {
          if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop;
        }}
      />
    </div>
  );
}
