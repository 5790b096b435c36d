/** One row of the sheet: its cells, with what was there before, and what is to be said below it. */
import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo, useRef } from "react";
import type { DifferenceRow } from "../../difference/difference.ts";
import { Hidden } from "../../parts/control/announce.tsx";
import { Button, Icon } from "../../parts/control/button.tsx";
import look from "../../parts/look.module.css";
import { OfZone } from "../../parts/page/named.tsx";
import { counted } from "../../parts/text/counted.ts";
import { unicodeText } from "../../parts/text/names.ts";
import { Ago } from "../../parts/text/time.tsx";
import type { Problem } from "../apply/sentences.ts";
import type { Conflict } from "../draft/rebase.ts";
import { type Column, columnLabels, columns, type LastChange, type StoredRow, ttlWords } from "../records/row.ts";
import { type SheetRow, soaWords } from "../view/view.ts";
import { CellEditor } from "./cell-editor.tsx";
import css from "./grid.module.css";
import type { Editing, RowActions } from "./use-grid.ts";

export interface Edited {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  readonly canonical: DifferenceRow | undefined;
  readonly conflict: Conflict | undefined;
}

const unedited: Edited = { problems: [], warnings: [], canonical: undefined, conflict: undefined };

interface Props {
  readonly row: SheetRow;
  readonly index: number;
  readonly start: number;
  readonly measure: (element: HTMLElement | null) => void;
  readonly focused: Column | undefined;
  readonly editing: Editing | undefined;
  readonly isLit: boolean;
  readonly isSelected: boolean;
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
  readonly edited: Edited | undefined;
  /** Whether it goes on with the name of the row above, which alone shows it. */
  readonly isContinued: boolean;
  /** Of the row with which SOA and NS of the apex begin: whether it stands for all of them. */
  readonly fold: "folded" | "unfolded" | undefined;
  readonly isUsualTtl: boolean;
  readonly changed: LastChange | undefined;
  readonly zone: string;
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
  <span className={`${look.line} ${look.grow} ${look.soft} ${look.unlessPhone} ${css.facts}`} title={text}>
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
  const { row, index, focused, editing, actions, fold } = props;
  const { edited = unedited } = props;
  const { problems, warnings, canonical, conflict } = edited;
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
        <label>
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={`Select ${name}`}
            checked={props.isSelected}
            onClick={(event) => actions.select(key, event.shiftKey)}
            onChange={() => {}}
          />
        </label>
        <span className={css.mark} aria-hidden="true">
          {conflict ? "⇄" : marks[state]}
        </span>
      </div>
      {columns.map((column, at) => {
        const isEditing = editing?.column === column;
        const isWrong = wrongColumns.has(column);
        const text = shownText(row, column);
        const aside = asideText(row, column, canonical);
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
                row={row}
                editing={editing}
                label={`${columnLabels[column]} of ${name}`}
                wrong={isWrong ? notes : undefined}
                actions={actions}
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
        {state !== "stored" && state !== "moved" ? (
          <button
            type="button"
            tabIndex={-1}
            className={`${look.bare} ${look.accent} ${css.back}`}
            aria-label={`${takesBack[state]} ${name}`}
            onClick={() => actions.revert(key)}
          >
            {takesBack[state]}
          </button>
        ) : fold === "folded" ? (
          counted(row.values.rdata.split(" ").length, "server")
        ) : (
          props.changed && <Changed {...props.changed} />
        )}
      </div>
      {hasNotes && <RowNotes {...edited} row={row} actions={actions} />}
    </div>
  );
});

/** The records of an RRset on one line, the first few of many. */
function dataOf(rows: readonly StoredRow[]): string {
  const shown = rows.slice(0, 4).map(({ rdata, ttl }) => `${rdata} · ${ttl}`);
  const more = rows.length > 4 ? [`and ${rows.length - 4} more`] : [];
  return rows.length === 0 ? "no record" : [...shown, ...more].join(",  ");
}

interface RowNotesProps extends Edited {
  readonly row: SheetRow;
  readonly actions: RowActions;
}

/** What is below a row: why it is refused, what is probably a mistake, or what somebody else made of its RRset, with the decision. */
function RowNotes({ row: { key, state, stored }, problems, warnings, conflict, actions }: RowNotesProps) {
  const isGone = conflict !== undefined && state !== "added" && stored === undefined;
  return (
    <div role="gridcell" aria-colindex={2} aria-colspan={4} className={css.notes} id={`notes-${key}`}>
      {problems.map(({ column, message }) => (
        <button
          key={message}
          type="button"
          tabIndex={-1}
          className={`${look.bare} ${look.del} ${look.anywhere}`}
          title="To the cell"
          onClick={() => actions.focus({ key, column: column ?? "rdata" })}
        >
          <span aria-hidden="true">✕</span> {message}
        </button>
      ))}
      {warnings.map((warning) => (
        <p key={warning}>
          <span aria-hidden="true">⚠</span> {warning}
        </p>
      ))}
      {conflict && (
        <div>
          <p>
            <span aria-hidden="true">⇄</span>{" "}
            {isGone ? "This record was removed by somebody else." : `Somebody else changed ${conflict.rrset} too.`}
          </p>
          <p className={`${look.mono} ${look.anywhere}`}>
            <span className={look.soft}>old</span> {dataOf(conflict.old)}
            <br />
            <span className={look.soft}>theirs</span> {dataOf(conflict.theirs)}
          </p>
          <p className={look.line}>
            <Button onClick={() => actions.decide(conflict.rrset, true)}>
              {isGone ? "Add it again" : "Keep mine"}
            </Button>
            <Button onClick={() => actions.decide(conflict.rrset, false)}>
              {isGone ? "Drop my edit" : "Take theirs"}
            </Button>
          </p>
        </div>
      )}
    </div>
  );
}
