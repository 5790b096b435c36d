/**
 * A zone as a sheet: the filter, the grid, what is staged, and the form. The page around it keeps the filter in its address.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { notesOptions } from "../api/notes.ts";
import { typeNamed } from "../api/record-types.ts";
import { useRecordTypes } from "../api/use-record-types.ts";
import { dismissWarnings } from "../parts/control/announce.tsx";
import { useFill, useNarrow } from "../parts/control/hooks.ts";
import look from "../parts/look.module.css";
import { type Rrset, rrsetOfAll } from "../parts/zone/rrset-history.tsx";
import { Composer } from "./composer/composer.tsx";
import { nothing } from "./composer/record.ts";
import { useComposer } from "./composer/use-composer.ts";
import { RecordForm } from "./form/form.tsx";
import { newRow } from "./form/form-state.ts";
import { Grid } from "./grid/grid.tsx";
import type { Cell, GridAction } from "./grid/grid-keys.ts";
import { useGrid } from "./grid/use-grid.ts";
import { blockOf } from "./model/block.ts";
import { addRows, removeRows, writeRows } from "./model/sheet-actions.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import { NoteDialog } from "./note-dialog.tsx";
import { NoRows, Notices, OnlyApex, PasteLine } from "./notices.tsx";
import css from "./sheet.module.css";
import { type SheetSearch, sortOf } from "./sheet-search.ts";
import { StagedBar } from "./staged-bar.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useClipboard } from "./use-clipboard.ts";
import { useKeptFocus } from "./use-kept-focus.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import type { Filter } from "./view/filter.ts";
import { actedOn, extend, noSelection, selectAll, toggle } from "./view/selection.ts";
import { apexOf, folded, type SheetRow } from "./view/view.ts";

export interface SheetProps {
  readonly model: SheetModel;
  readonly zone: string;
  readonly fingerprint: string;
  readonly isReadOnly: boolean;
  readonly serial: number;
  readonly search: SheetSearch;
  /** Whether its draft is looked at in its place. */
  readonly isHidden: boolean;
  readonly shownKey: string | undefined;
  onSearch(search: SheetSearch): void;
  onReview(note: string | undefined): void;
  /** Opens the import, with a file or with text that is too long to be pasted. */
  onImport(content?: string | File): void;
}

/** How long a row that was added is lit, ms. */
const litMs = 1500;

const noNotes: ReadonlyMap<string, string> = new Map();

const nameOf = ({ owner, type }: Rrset) => `${owner} ${type}`;

export function Sheet(props: SheetProps) {
  const { model, isReadOnly, search, isHidden } = props;
  const types = useRecordTypes();
  const section = useFill();
  useKeptFocus(section);
  const [selection, setSelection] = useState(noSelection);
  const [formKeys, setFormKeys] = useState<readonly string[]>();
  const [newRecord, setNewRecord] = useState<SheetRow>();
  const [addedKey, setAddedKey] = useFleeting(litMs);
  const [noteOf, setNoteOf] = useState<Rrset>();
  const [isUnfolded, setUnfolded] = useState(false);
  const [message, setMessage] = useFleeting(8000);
  const { data: notes = noNotes } = useQuery({ ...notesOptions(props.zone, props.serial), enabled: !isHidden });
  const isNarrow = useNarrow();
  const filter: Filter = { text: search.q ?? "", type: search.type ?? "", show: search.show ?? "all" };
  useFind(model, filter);
  const sort = sortOf(search.sort);
  const version = model.version();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version says when the model differs
  const view = useMemo(
    () => model.view(filter, sort),
    [model, version, filter.text, filter.type, filter.show, search.sort],
  );
  const composer = useComposer(model, {
    fingerprint: props.fingerprint,
    types,
    onAdded: setAddedKey,
    onReview: () => review(),
  });
  // Who looks for something, or sorts, sees the records as they are.
  const isPlain = !(filter.text || filter.type || sort) && filter.show === "all";
  const apex = useMemo(() => (isPlain ? apexOf(view.rows, props.zone) : []), [isPlain, view, props.zone]);
  const isFolded = apex.length > 0 && !isUnfolded;
  const rows = useMemo(() => (isFolded ? folded(view.rows, apex) : view.rows), [isFolded, apex, view]);
  const added = useMemo(() => rows.filter(({ state }) => state === "added").length, [rows]);
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const foldedKey = isFolded ? apex[0]?.key : undefined;
  const gridOptions = { isReadOnly, setSelection, setFormKeys, openNote: setNoteOf, foldedKey, setUnfolded };
  const grid = useGrid(model, rows, keys, gridOptions);

  // Without a focus in what is shown, the grid is at its first row.
  const focused = grid.focus && keys.includes(grid.focus.key) ? grid.focus.key : keys[0];
  const acted = () => actedOn(selection, keys, focused);
  const recordsOf = (list: readonly string[]) => rowsOf(list).map(({ key }) => key);
  const rowsOf = (list: readonly string[]) => {
    const wanted = new Set(list);
    // The folded row stands for each of its records.
    if (foldedKey && wanted.has(foldedKey)) for (const { key } of apex) wanted.add(key);
    return view.rows.filter(({ key }) => wanted.has(key));
  };
  /** Begins a new record; in the grid it has the name of the row with the focus, unless that is the apex, as without a name. */
  const addRecord = () => {
    if (isReadOnly) return;
    if (isNarrow) return setNewRecord({ ...newRow, values: { ...newRow.values, type: "A" } });
    const isInGrid = document.activeElement?.closest("[role=grid]");
    const owner = isInGrid && rows.find(({ key }) => key === focused)?.values.owner;
    if (owner && owner !== "@") composer.open("type", { owner });
    else composer.open("owner");
  };
  const duplicate = (key: string | undefined) => {
    const row = view.rows.find((each) => each.key === key);
    if (!row) return;
    setSelection(noSelection);
    const { owner, type, rdata } = row.values;
    if (isNarrow) {
      composer.write(nothing);
      setNewRecord({ ...newRow, values: row.values });
    } else composer.open("data", { owner, type, rdata });
  };
  const removeAll = (list: readonly string[]) => {
    removeRows(model, recordsOf(list));
    setSelection(noSelection);
  };
  const act = (action: GridAction, cell?: Cell, pressed?: string) => {
    if (action === "selectAll") return setSelection(selectAll(keys));
    if (!isReadOnly && action === "form") return setFormKeys(acted());
    if (!isReadOnly && action === "duplicate") return duplicate(cell?.key ?? acted()[0]);
    if (!isReadOnly && action === "remove") return removeAll(acted());
    if (!cell) return;
    const next = (step: number) => keys[keys.indexOf(cell.key) + step] ?? cell.key;
    const extendTo = (key: string) => {
      setSelection(extend(selection, keys, cell.key, key));
      grid.focusOn({ key, column: cell.column });
    };
    if (action === "select") return setSelection(toggle(selection, cell.key));
    if (action === "extendUp") return extendTo(next(-1));
    if (action === "extendDown") return extendTo(next(1));
    const { key, column } = cell;
    grid.edit({ key, column, ...(action === "replace" && pressed !== undefined && { text: pressed }) });
  };
  /** Leads to the first of these rows, and to all that is staged where the filter hides them. */
  const showFirst = (wanted: ReadonlySet<string>) => {
    const key = keys.find((each) => wanted.has(each)) ?? [...wanted][0];
    if (key === undefined) return;
    if (!keys.includes(key)) props.onSearch({ show: "staged" });
    const edit = model.draft.edits.get(key);
    const [problem] = edit && edit.kind !== "remove" ? model.checks.problems(key, edit.values) : [];
    grid.focusOn({ key, column: problem?.column ?? "rdata" });
  };
  const review = () => {
    const block = isReadOnly ? "This key may only read." : blockOf(model);
    const isLeftOut = composer.isOpen && composer.record.hasData;
    if (block === undefined)
      return props.onReview(isLeftOut ? "The record being written is not part of this." : undefined);
    setMessage(block);
    showFirst(model.conflictKeys);
  };
  const undo = () => {
    model.drafts.undo();
    grid.enter();
  };
  /** Esc takes back what narrows the view, one after the other, and never leads away from the zone. */
  const leave = () => {
    if (selection.keys.size > 0) setSelection(noSelection);
    else if (search.q || search.type || search.show) props.onSearch({ sort: search.sort });
    grid.enter();
  };
  useShortcuts(!isHidden, {
    review,
    undo: () => model.drafts.undo(),
    redo: () => model.drafts.redo(),
    add: addRecord,
    leave,
  });

  const wasHidden = useRef(isHidden);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it is shown again
  useEffect(() => {
    if (wasHidden.current && !isHidden) {
      if (props.shownKey === undefined) grid.enter();
      else showFirst(new Set([props.shownKey]));
    }
    wasHidden.current = isHidden;
  }, [isHidden]);
  const isAdding = search.add !== undefined && model.loading === "done";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (!isAdding) return;
    const { add: rdata = "", ...others } = search;
    props.onSearch(others);
    if (!/[.:]/.test(rdata) || isReadOnly || isNarrow) addRecord();
    else composer.open("owner", { type: rdata.includes(":") ? "AAAA" : "A", rdata });
  }, [isAdding]);

  const clipboard = useClipboard({
    model,
    isReadOnly,
    fieldsOf: (type) => typeNamed(types, type)?.fields,
    acted: () => rowsOf(acted()),
    cells: () => {
      const { values } = composer.record;
      const isComposing = composer.isOpen && document.activeElement?.closest("form") && values.type !== "";
      return isComposing
        ? { rows: [{ ...newRow, values }], column: "rdata" }
        : { rows: rowsOf(acted().filter((key) => key !== foldedKey)), column: grid.focus?.column ?? "owner" };
    },
    say: setMessage,
    onPasted: setAddedKey,
  });
  // The grid has the focus as soon as there is something in it, unless a person went elsewhere; on a phone, the sheet as a whole.
  const hasRows = keys.length > 0;
  const { enter } = grid;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    const { activeElement } = document;
    if (!hasRows || (activeElement && activeElement !== document.body && activeElement.id !== "page")) return;
    if (isNarrow) section.current?.focus({ preventScroll: true });
    else enter();
  }, [hasRows]);

  const formRows = newRecord ? [newRecord] : formKeys ? rowsOf(formKeys) : [];
  const formRrset = rrsetOfAll(formRows.map(({ stored }) => stored));
  return (
    <section
      ref={section}
      tabIndex={-1}
      className={css.sheet}
      aria-label="Records"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file && !isReadOnly) props.onImport(file);
      }}
      {...clipboard.handlers}
    >
      <datalist id="record-types">
        {types.types.map(({ type, description }) => (
          <option key={type} value={type}>
            {description}
          </option>
        ))}
      </datalist>
      <Toolbar
        model={model}
        types={types}
        search={search}
        shown={view.rows.length - added}
        hiddenStaged={view.hiddenStaged}
        selected={selection.keys.size === 0 ? [] : recordsOf(acted())}
        isReadOnly={isReadOnly}
        isNarrow={isNarrow}
        onSearch={props.onSearch}
        onAction={act}
        onNote={setNoteOf}
        onDeselect={() => setSelection(noSelection)}
        onLeave={grid.enter}
      />
      {clipboard.last && (
        <PasteLine
          model={model}
          last={clipboard.last}
          onShowWrong={() => props.onSearch({ show: "wrong" })}
          onUndo={undo}
          onImport={props.onImport}
          onWritten={clipboard.keep}
        />
      )}
      <div className={`${look.list} ${css.box}`}>
        {!isReadOnly && !isNarrow && <Composer model={model} types={types} composer={composer} onLeave={grid.enter} />}
        {rows.length === 0 && model.loading === "done" ? (
          <NoRows model={model} filter={filter} hiddenStaged={view.hiddenStaged} onClear={() => props.onSearch({})} />
        ) : (
          <Grid
            model={model}
            rows={rows}
            keys={keys}
            sort={sort}
            selection={selection}
            notes={notes}
            focus={grid.focus}
            editing={grid.editing}
            isReadOnly={isReadOnly}
            isNarrow={isNarrow}
            apex={apex.length}
            isFolded={isFolded}
            added={addedKey}
            actions={grid.actions}
            onSort={(column) => {
              const order = search.sort === column ? `-${column}` : search.sort === `-${column}` ? undefined : column;
              props.onSearch({ ...search, sort: order });
            }}
            onSelectAll={() => setSelection(selection.keys.size >= keys.length ? noSelection : selectAll(keys))}
            onAction={act}
          />
        )}
        {apex.length > 0 && apex.length === model.records.total && model.loading === "done" && (
          <OnlyApex isReadOnly={isReadOnly} onImport={() => props.onImport()} />
        )}
        <Notices model={model} />
        <StagedBar
          model={model}
          message={message}
          isWriting={grid.editing?.text !== undefined}
          onAdd={!isReadOnly && isNarrow ? addRecord : undefined}
          onDiscard={() => {
            model.discard();
            dismissWarnings();
            grid.enter();
          }}
          onUndo={undo}
          onReview={review}
          onShow={showFirst}
          onImport={() => props.onImport()}
        />
      </div>
      {formRows.length > 0 && (
        <RecordForm
          model={model}
          rows={formRows}
          types={types}
          note={formRrset && notes.get(nameOf(formRrset))}
          kept={newRecord && [composer.written, (written) => composer.write({ ...nothing, ...written })]}
          onNote={setNoteOf}
          onStage={(written) => {
            if (!newRecord) return writeRows(model, formRows, written);
            const [key] = addRows(model, [{ ...newRecord.values, ...written(newRecord) }]);
            composer.write(nothing);
            setAddedKey(key ?? "");
          }}
          onRemove={formKeys && (() => removeAll(formKeys))}
          onClose={() => {
            setFormKeys(undefined);
            setNewRecord(undefined);
            grid.enter();
          }}
        />
      )}
      {noteOf && (
        <NoteDialog
          zone={props.zone}
          note={{ ...noteOf, text: notes.get(nameOf(noteOf)) ?? "" }}
          onClose={() => setNoteOf(undefined)}
        />
      )}
    </section>
  );
}

/** A text that is forgotten after a while. */
function useFleeting(ms: number) {
  const [text, setText] = useState("");
  useEffect(() => {
    if (text === "") return;
    const timer = setTimeout(() => setText(""), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return [text, setText] as const;
}

/** How long the filter rests before the service is asked, ms. */
const pauseMs = 150;

/** Has the service search the records, where the zone has more of them than a sheet holds. */
function useFind(model: SheetModel, filter: Filter): void {
  const isPart = model.loading === "done" && !model.records.isComplete;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the filter is made with each drawing
  useEffect(() => {
    if (!isPart) return;
    const timer = setTimeout(() => void model.large.find(filter), pauseMs);
    return () => clearTimeout(timer);
  }, [model, isPart, filter.text, filter.type]);
}
