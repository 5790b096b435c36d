/** One row of the sheet: its cells, with what was there before, and what is to be said below it. */
import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo, useRef } from "react";
import type { DifferenceRow } from "../../difference/difference.ts";
import { Hidden } from "../../parts/control/announce.tsx";
import { Icon } from "../../parts/control/icon.tsx";
import look from "../../parts/look.module.css";
import { OfZone } from "../../parts/page/named.tsx";
import { counted } from "../../parts/text/counted.ts";
import { unicodeText } from "../../parts/text/names.ts";
import { Ago } from "../../parts/text/time.tsx";
import type { Problem } from "../apply/sentences.ts";
import type { Conflict } from "../draft/rebase.ts";
import { type Column, columnLabels, columns, type LastChange, ttlWords } from "../records/row.ts";
import { soaWords } from "../view/apex.ts";
import type { SheetRow } from "../view/view.ts";
import { CellEditor, type Leave } from "./cell-editor.tsx";
import css from "./grid.module.css";
import type { Cell } from "./grid-keys.ts";
import { RowNotes } from "./row-notes.tsx";

/** A cell that is being edited; `text` is what it begins with, where that is not what it holds. */
export interface Editing extends Cell {
  readonly text?: string;
}

/** What a row can ask for. */
export interface RowActions {
  focus(cell: Cell): void;
  edit(editing: Editing): void;
  type(row: SheetRow, column: Column, text: string): void;
  commit(row: SheetRow, column: Column, text: string, leave: Leave): void;
  cancel(): void;
  /** Shows SOA and NS of the apex as one row, or each. */
  fold(isFolded: boolean): void;
  select(key: string, isRange: boolean): void;
  revert(key: string): void;
  form(key: string): void;
  decide(rrset: string, isMine: boolean): void;
  /** Writes the note of the row's RRset. */
  note(row: SheetRow): void;
}

interface Props {
  readonly row: SheetRow;
  readonly index: number;
  readonly start: number;
  readonly measure: (element: HTMLElement | null) => void;
  /** The column with the focus, if the row has it. */
  readonly focused: Column | undefined;
  readonly editing: Editing | undefined;
  /** Whether it was just added. */
  readonly isLit: boolean;
  readonly isSelected: boolean;
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly canonical: DifferenceRow | undefined;
  readonly conflict: Conflict | undefined;
  /** Whether it goes on with the name of the row above, which alone shows it. */
  readonly isContinued: boolean;
  /** Of the row with which SOA and NS of the apex begin: whether it stands for all of them. */
  readonly fold: "folded" | "unfolded" | undefined;
  /** Whether its TTL is that of most records of the zone. */
  readonly isUsualTtl: boolean;
  /** The last change of its record, where it is shown. */
  readonly changed: LastChange | undefined;
  readonly zone: string;
  /** The note of the RRset whose first row it is. */
  readonly note: string | undefined;
  readonly actions: RowActions;
}

const marks = { stored: "", moved: "~", added: "+", changed: "~", removed: "−" } as const;
/** As many characters as are seen of a column in a window of usual width; a longer text is also shown on hover. */
const shortText: Record<Column, number> = { owner: 24, type: 10, ttl: 10, rdata: 80 };

const shownText = (row: SheetRow, column: Column) =>
  column === "ttl" && (row.values.ttl === "" || row.state === "moved") ? String(row.ttl) : row.values[column];

/** As many characters of the data as are in the name of a row. */
const namedData = 60;

/** What a row is called, such as `www A 192.0.2.1`. */
function nameOf({ values: { owner, type, rdata } }: SheetRow): string {
  const data = rdata.length > namedData ? `${rdata.slice(0, namedData)}…` : rdata;
  return [owner, type, data].filter((part) => part !== "").join(" ");
}

/** What the cell of a changed row was, where it differs. */
function formerText({ state, before, values, ttl }: SheetRow, column: Column): string {
  if (!before || state === "removed" || state === "stored") return "";
  if (column === "ttl") return before.ttl === ttl ? "" : String(before.ttl);
  return before[column] === values[column] ? "" : before[column];
}

/** A change that is older is shown where it is looked for, ms. */
const recentMs = 7 * 86_400_000;

/** What a folded SOA says, as far as the cell has room for the whole of each. */
const Facts = ({ text }: { readonly text: string }) => (
  <span className={css.facts} title={text}>
    {text.split(/(?= · )/).map((fact) => (
      <span key={fact}>{fact}</span>
    ))}
  </span>
);

/** When a record was last changed, and by whom; leads to the change. */
function Changed({ id, at, by }: LastChange) {
  const isRecent = Date.now() - Date.parse(at) < recentMs;
  return (
    <Link to="/changes/$change" params={{ change: id }} tabIndex={-1} data-recent={isRecent || undefined}>
      <Ago time={at} isShort />
      <span> · {by}</span>
    </Link>
  );
}

/** What takes the edit of a row back. */
const takesBack = { added: "Remove", changed: "Undo", removed: "Keep" } as const;

/** What is said beside a cell: its canonical form, where it is not what was written, or a stored name in Unicode. */
function asideText(row: SheetRow, column: Column, canonical: DifferenceRow | undefined): string {
  if (column === "ttl") return "";
  const text = row.values[column];
  const stored = canonical && row.state !== "stored" && row.state !== "removed" ? String(canonical[column]) : text;
  if (stored !== text) return column === "owner" && text === "" ? "" : `→ ${stored}`;
  const shown = unicodeText(text);
  return shown === text ? "" : shown;
}

export const GridRow = memo(function GridRow(props: Props) {
  const { row, index, focused, editing, actions, problems, warnings, conflict, fold } = props;
  const { key, state } = row;
  const notes = `notes-${key}`;
  const hasNotes = problems.length + warnings.length > 0 || conflict !== undefined;
  const wrongColumns = new Set(problems.map(({ column }) => column));
  const name = nameOf(row);
  /** The column that had the focus before the pointer was pressed. */
  const before = useRef<Column>(undefined);
  const clicked = (event: MouseEvent, column: Column) => {
    if (event.shiftKey) return actions.select(key, true);
    if (fold === "folded") return actions.fold(false);
    if (props.isNarrow) return actions.form(key);
    // A second click on the cell with the focus edits it; a double click opens the form.
    if (before.current === column && event.detail === 1 && !props.isReadOnly) actions.edit({ key, column });
    else actions.focus({ key, column });
  };
  return (
    <div
      role="row"
      ref={props.measure}
      data-index={index}
      data-state={state}
      data-lit={props.isLit || undefined}
      data-wrong={problems.length > 0 || undefined}
      data-continued={props.isContinued || undefined}
      aria-rowindex={index + 2}
      aria-selected={props.isSelected}
      aria-label={state === "stored" ? undefined : `${state}: ${name}`}
      className={css.row}
      style={{ transform: `translateY(${props.start}px)` }}
    >
      <div role="gridcell" aria-colindex={1} className={css.check}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={`Select ${name}`}
          checked={props.isSelected}
          onClick={(event) => actions.select(key, event.shiftKey)}
          onChange={() => {}}
        />
        <span className={css.mark} aria-hidden="true">
          {conflict ? "⇄" : marks[state]}
        </span>
      </div>
      {columns.map((column, at) => {
        const isEditing = editing?.column === column;
        const isWrong = wrongColumns.has(column);
        const text = shownText(row, column);
        const aside = asideText(row, column, props.canonical);
        const former = formerText(row, column);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the grid has the keys
          <div
            key={column}
            role="gridcell"
            aria-colindex={at + 2}
            data-active={focused === column || undefined}
            data-column={column}
            data-usual={(column === "ttl" && props.isUsualTtl) || undefined}
            tabIndex={focused === column ? 0 : -1}
            aria-invalid={isWrong || undefined}
            aria-describedby={isWrong || (column === "rdata" && warnings.length > 0) ? notes : undefined}
            className={css.cell}
            title={column === "ttl" ? ttlWords(row.ttl) : undefined}
            onFocus={({ target, currentTarget }) =>
              target === currentTarget && focused !== column && actions.focus({ key, column })
            }
            onPointerDown={() => {
              before.current = focused;
            }}
            onClick={(event) => clicked(event, column)}
            onDoubleClick={() => actions.form(key)}
          >
            {isEditing ? (
              <CellEditor
                column={column}
                label={`${columnLabels[column]} of ${name}`}
                initial={editing.text ?? row.values[column]}
                selects={editing.text === undefined}
                isInvalid={isWrong}
                describedBy={isWrong ? notes : undefined}
                onType={(value) => actions.type(row, column, value)}
                onCommit={(value, leave) => actions.commit(row, column, value, leave)}
                onCancel={actions.cancel}
              />
            ) : (
              <>
                {column === "rdata" && fold && (
                  <button
                    type="button"
                    tabIndex={-1}
                    className={`${look.bare} ${css.fold}`}
                    aria-expanded={fold === "unfolded"}
                    aria-label="SOA and NS"
                    onClick={(event) => {
                      event.stopPropagation();
                      actions.fold(fold === "unfolded");
                    }}
                  >
                    <Icon name="down" />
                  </button>
                )}
                <span className={css.text} title={text.length > shortText[column] ? text : undefined}>
                  {column === "rdata" ? <OfZone text={text} zone={props.zone} /> : text}
                </span>
                {column === "owner" && text === "@" && <span className={css.faint}>{props.zone}</span>}
                {former !== "" && (
                  <span className={css.former}>
                    was <s>{former}</s>
                  </span>
                )}
                {aside !== "" && <span className={css.former}>{aside}</span>}
                {column === "rdata" && fold === "folded" && row.stored && <Facts text={soaWords(row.stored)} />}
                {column === "rdata" && props.note !== undefined && (
                  <button
                    type="button"
                    tabIndex={-1}
                    className={`${look.bare} ${look.soft} ${look.cut} ${css.note}`}
                    disabled={props.isReadOnly}
                    title={props.note}
                    onClick={(event) => {
                      event.stopPropagation();
                      actions.note(row);
                    }}
                  >
                    <span aria-hidden="true">✎ </span>
                    <Hidden>Note: </Hidden>
                    {props.note}
                  </button>
                )}
              </>
            )}
          </div>
        );
      })}
      <div role="gridcell" aria-colindex={columns.length + 2} className={css.changed}>
        {state !== "stored" && state !== "moved" && (
          <button
            type="button"
            tabIndex={-1}
            className={`${look.bare} ${look.accent} ${css.back}`}
            aria-label={`${takesBack[state]} ${name}`}
            onClick={() => actions.revert(key)}
          >
            {takesBack[state]}
          </button>
        )}
        {fold === "folded" && counted(row.values.rdata.split(" ").length, "server")}
        {(state === "stored" || state === "moved") && props.changed && fold !== "folded" && (
          <Changed {...props.changed} />
        )}
      </div>
      {hasNotes && (
        <RowNotes
          id={notes}
          problems={problems}
          warnings={warnings}
          conflict={conflict}
          isGone={conflict !== undefined && state !== "added" && row.stored === undefined}
          onShow={(column) => actions.focus({ key, column })}
          onDecide={actions.decide}
        />
      )}
    </div>
  );
});
