/**
 * The grid of a sheet: rows by virtual scrolling, and the keys. The row with the focus stays mounted. It has one tab stop.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { Hidden } from "../../parts/control/announce.tsx";
import { singleKeysWork } from "../../parts/control/keyboard.ts";
import look from "../../parts/look.module.css";
import { plainOwner } from "../../parts/text/names.ts";
import type { SheetModel } from "../model/sheet-model.ts";
import { type Column, columnLabels, columns, rrsetOf } from "../records/row.ts";
import type { Selection } from "../view/selection.ts";
import type { SheetRow, Sort } from "../view/view.ts";
import css from "./grid.module.css";
import { actionOf, type Cell, cellAt, type GridAction, moveOf } from "./grid-keys.ts";
import { type Edited, GridRow } from "./grid-row.tsx";
import type { Editing, RowActions } from "./use-grid.ts";

interface Props {
  readonly model: SheetModel;
  readonly rows: readonly SheetRow[];
  readonly keys: readonly string[];
  readonly sort: Sort | undefined;
  readonly selection: Selection;
  readonly notes: ReadonlyMap<string, string>;
  readonly focus: Cell | undefined;
  readonly editing: Editing | undefined;
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
  /** How many rows at the beginning are SOA and NS of the apex, and whether they are one row. */
  readonly apex: number;
  readonly isFolded: boolean;
  readonly added: string;
  readonly actions: RowActions;
  onSort(column: Column): void;
  onSelectAll(): void;
  onAction(action: GridAction, cell: Cell, key: string): void;
}

const rowHeight = { wide: 24, narrow: 42 };

export function Grid(props: Props) {
  const { model, rows, keys, focus, editing, actions } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  const focusedAt = focus ? keys.indexOf(focus.key) : -1;
  // The grid is always reached by Tab: without a focus yet, at its first cell.
  const active: Cell | undefined =
    focusedAt >= 0 ? focus : keys[0] === undefined ? undefined : { key: keys[0], column: "owner" };
  const activeAt = focusedAt >= 0 ? focusedAt : 0;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => (props.isNarrow ? rowHeight.narrow : rowHeight.wide),
    overscan: 8,
    getItemKey: (at) => rows[at]?.key ?? at,
    rangeExtractor: useCallback(
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), activeAt])]
          .filter((at) => at < range.count)
          .sort((a, b) => a - b),
      [activeAt],
    ),
  });

  useEffect(() => {
    if (focusedAt >= 0) virtual.scrollToIndex(focusedAt, { align: "auto" });
  }, [focusedAt, virtual]);
  const addedAt = props.added === undefined ? -1 : keys.indexOf(props.added);
  useEffect(() => {
    if (addedAt >= 0) virtual.scrollToIndex(addedAt, { align: "auto" });
  }, [addedAt, virtual]);
  const height = virtual.scrollRect?.height ?? 0;
  const heightBefore = useRef(height);
  // Where bars below take room of the grid, the row with the focus stays in sight.
  useEffect(() => {
    const lost = heightBefore.current - height;
    heightBefore.current = height;
    const under = (virtual.measurementsCache[focusedAt]?.end ?? 0) - (scroll.current?.scrollTop ?? 0) - height;
    if (under > 0 && under <= lost) virtual.scrollToIndex(focusedAt, { align: "auto" });
  }, [height, focusedAt, virtual]);
  useLayoutEffect(() => {
    // A dialog that goes gives the focus back without an event.
    if (editing || !(isInside.current || scroll.current?.contains(document.activeElement))) return;
    const cell = scroll.current?.querySelector<HTMLElement>("[data-active]");
    if (cell && cell !== document.activeElement) cell.focus({ preventScroll: true });
  });

  const isScrolled = virtual.getTotalSize() > (virtual.scrollRect?.height ?? 0);
  // The headings leave the scroll bar its place, as wide as it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: whether there is a scroll bar
  useLayoutEffect(() => {
    const { current } = scroll;
    const bar = current ? current.offsetWidth - current.clientWidth : 0;
    head.current?.style.setProperty("padding-inline-end", `${bar}px`);
  }, [isScrolled]);
  const { conflicts, checks } = model;
  const conflictOf = useMemo(
    () => new Map(conflicts.flatMap((conflict) => conflict.mine.map((edit) => [edit.key, conflict] as const))),
    [conflicts],
  );
  const editedOf = ({ key, state, values }: SheetRow): Edited | undefined => {
    if (state === "stored" || state === "moved") return undefined;
    const problems = checks.problems(key, values);
    const conflict = conflictOf.get(key);
    if (state === "removed") return { problems, warnings: [], canonical: undefined, conflict };
    return { problems, warnings: checks.warnings(key, values), canonical: checks.of(values)?.canonical, conflict };
  };

  /** The note of an RRset, at the first of its rows. */
  const noteOf = (at: number): string | undefined => {
    const nameAt = (index: number) => rows[index] && rrsetOf(rows[index].values, model.zone);
    const name = nameAt(at);
    return name === undefined || props.notes.size === 0 || name === nameAt(at - 1) ? undefined : props.notes.get(name);
  };

  /** Whether a row has the name of the one above it, which shows it; not where rows are in another order. */
  const isContinued = (at: number): boolean => {
    const [above, row] = [rows[at - 1], rows[at]];
    return !props.sort && above !== undefined && row !== undefined && ownerOf(above) === ownerOf(row);
  };
  const ownerOf = ({ values }: SheetRow) => plainOwner(values.owner, model.zone);

  const pressed = (event: KeyboardEvent) => {
    if (!active || (event.target as HTMLElement).closest("button, input")) return;
    const isApex = activeAt < (props.isFolded ? 1 : props.apex) && props.apex > 0;
    const folds = event.key === "ArrowLeft" && !props.isFolded && active.column === "owner";
    const isFold = isApex && (folds || (event.key === "ArrowRight" && props.isFolded));
    const move = isFold ? undefined : moveOf(event);
    const action = move ? undefined : actionOf(event, singleKeysWork());
    // Where nothing can be written, a letter is the page's.
    if (!isFold && !move && (!action || (props.isReadOnly && action === "replace"))) return;
    event.preventDefault();
    event.stopPropagation();
    if (isFold) actions.fold(folds);
    else if (move) actions.focus(cellAt(keys, active, move, isContinued));
    else if (action) props.onAction(action, active, event.key);
  };
  const isAll = rows.length > 0 && rows.every(({ key }) => props.selection.keys.has(key));

  return (
    <div
      role="grid"
      aria-label={`Records of ${model.zone}`}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + 2}
      aria-multiselectable="true"
      aria-readonly={props.isReadOnly}
      className={css.grid}
      onKeyDown={pressed}
      onFocus={() => {
        isInside.current = true;
        if (!focus && active) actions.focus(active);
      }}
      onBlur={({ relatedTarget, target, currentTarget }) => {
        const isElsewhere = relatedTarget
          ? !currentTarget.contains(relatedTarget)
          : target.isConnected && document.hasFocus();
        if (isElsewhere) isInside.current = false;
      }}
    >
      <div role="rowgroup" ref={head} className={css.head}>
        <div role="row" aria-rowindex={1} className={css.headRow} tabIndex={-1}>
          <div role="columnheader" className={css.check}>
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label="Select all rows"
              checked={isAll}
              onChange={() => props.onSelectAll()}
            />
          </div>
          {columns.map((column) => {
            const isSorted = props.sort?.column === column;
            const direction = props.sort?.descending ? "descending" : "ascending";
            return (
              <div role="columnheader" key={column} data-column={column} aria-sort={isSorted ? direction : "none"}>
                <button type="button" tabIndex={-1} className={look.bare} onClick={() => props.onSort(column)}>
                  {columnLabels[column]}
                  <span aria-hidden="true">{isSorted ? (props.sort?.descending ? " ↓" : " ↑") : ""}</span>
                </button>
              </div>
            );
          })}
          <div role="columnheader" className={css.changed}>
            {model.records.hasChanges ? "Changed" : <Hidden>Edit</Hidden>}
          </div>
        </div>
      </div>
      <div role="presentation" ref={scroll} className={css.scroll}>
        <div role="rowgroup" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start, key }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <GridRow
                key={key}
                row={row}
                index={index}
                start={start}
                measure={virtual.measureElement}
                focused={active?.key === row.key ? active.column : undefined}
                editing={editing?.key === row.key ? editing : undefined}
                isLit={props.added === row.key}
                isSelected={props.selection.keys.has(row.key)}
                isContinued={isContinued(index)}
                fold={index > 0 || props.apex === 0 ? undefined : props.isFolded ? "folded" : "unfolded"}
                isUsualTtl={row.ttl === model.records.commonTtl}
                changed={model.records.hasChanges ? row.stored?.changed : undefined}
                zone={model.zone}
                isReadOnly={props.isReadOnly}
                isNarrow={props.isNarrow}
                note={noteOf(index)}
                edited={editedOf(row)}
                actions={actions}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}
