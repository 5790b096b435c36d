/**
 * A text with the numbers of its lines; those that are wrong are marked. Lines that are too long for the window wrap: the numbers are beside
 * lines that nobody sees, and that wrap as those of the text do. A very long text does not wrap.
 */
import { type CSSProperties, type Ref, useImperativeHandle, useRef } from "react";
import css from "./line-editor.module.css";

export interface LineEditorHandle {
  /** Moves the focus to a line, from 1, and selects it. */
  showLine(line: number): void;
}

interface LineEditorProps {
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

/** The longest text that wraps, characters and lines: its lines are drawn twice at each key. */
const maxWrapped = { length: 200_000, lines: 2000 };

export function LineEditor({ label, text, placeholder, readOnly, wrongLines, onChange, ref }: LineEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const lines = text.split("\n");
  const wraps = text.length <= maxWrapped.length && lines.length <= maxWrapped.lines;
  const numbers = lines.map((_, at) => `${wrongLines.has(at + 1) ? "✕ " : ""}${at + 1}`);
  useImperativeHandle(ref, () => ({
    showLine(line) {
      const element = area.current;
      if (!element) return;
      element.focus();
      element.setSelectionRange(...lineRange(text, line));
      const drawn = gutter.current?.children[line - 1];
      const top = drawn instanceof HTMLElement ? drawn.offsetTop : (element.scrollHeight * (line - 1)) / lines.length;
      element.scrollTop = top - element.clientHeight / 3;
    },
  }));
  return (
    <div className={css.editor} style={{ "--digits": String(lines.length).length } as CSSProperties}>
      <pre ref={gutter} className={css.gutter} aria-hidden="true">
        {wraps
          ? lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is what is at its place
              <span key={at} data-number={numbers[at]}>
                {line}
                {"\u200b"}
              </span>
            ))
          : numbers.join("\n")}
      </pre>
      <textarea
        ref={area}
        aria-label={label}
        wrap={wraps ? "soft" : "off"}
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
