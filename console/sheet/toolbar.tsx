/** Above the grid: the filter, what is shown, and what can be done to the selected rows. */
import type { KeyboardEvent } from "react";
import type { RecordTypes } from "../api/record-types.ts";
import { Button, IconButton } from "../parts/control/button.tsx";
import { hasControl } from "../parts/control/keyboard.ts";
import { FilterBox, Segments } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { type Rrset, RrsetHistory, rrsetOfAll } from "../parts/zone/rrset-history.tsx";
import { countStaged } from "./draft/draft.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import type { SheetSearch } from "./sheet-search.ts";
import type { Show } from "./view/filter.ts";
import { typeChoices } from "./view/type-choices.ts";

interface Props {
  readonly model: SheetModel;
  readonly types: RecordTypes;
  readonly search: SheetSearch;
  /** Rows that are shown: those of records, and new ones. */
  readonly shown: number;
  readonly added: number;
  readonly hiddenStaged: number;
  /** The selected rows that are shown. */
  readonly selected: readonly string[];
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
  onSearch(search: SheetSearch): void;
  onSelectAll(): void;
  onLeave(): void;
  onForm(): void;
  onDuplicate(): void;
  onRemove(): void;
  onNote(rrset: Rrset): void;
  onDeselect(): void;
}

const number = new Intl.NumberFormat("en");

/** "1,204 records", "40 of 1,204 records", "12,000 of 50,000 records". */
function countText(model: SheetModel, shown: number): string {
  const { records, loading } = model;
  const total = Math.max(records.total ?? records.size, records.size);
  if (loading !== "done" && records.size === 0) return "reading…";
  if (!records.isComplete) {
    if (loading === "done") return partText(model, shown, total);
    return `${number.format(records.size)} of ${number.format(total)} records`;
  }
  const part = shown < total ? `${number.format(shown)} of ` : "";
  return `${part}${counted(total, "record")}`;
}

/** Of a zone that has more records than are here. */
function partText({ records, large: { search } }: SheetModel, shown: number, total: number): string {
  if (search === "none")
    return `${number.format(records.size)} of ${number.format(total)} records are here; the filter finds the others`;
  const count = `${number.format(shown)} of ${number.format(total)} records`;
  if (search === "asking") return `${count}; asking for others…`;
  if ("error" in search) return `${count}; others were not found: ${search.error.message}`;
  return search.isCut ? `${count}; others match, a longer filter finds them` : count;
}

/** Whether the text of a field is selected already, so that Ctrl+A goes on to the rows; one without text is. */
const isAllSelected = ({ value, selectionStart, selectionEnd }: HTMLInputElement) =>
  (selectionEnd ?? 0) - (selectionStart ?? 0) === value.length;

export function Toolbar(props: Props) {
  const { model, search, selected } = props;
  const wrong = model.checks.wrongKeys(model.draft).size;
  const staged = countStaged(model.draft);
  const records = selected.map((key) => model.records.get(key));
  const rrset = rrsetOfAll(records);
  const change = (part: SheetSearch) => props.onSearch({ ...search, ...part });
  const inFilter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Escape" && search.q) {
      event.preventDefault();
      change({ q: undefined });
    } else if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "Escape") {
      if (hasControl(event)) return;
      event.preventDefault();
      props.onLeave();
    } else if (hasControl(event) && event.key.toLowerCase() === "a" && isAllSelected(event.currentTarget)) {
      event.preventDefault();
      props.onSelectAll();
    }
  };
  const shows = (
    [
      ["all", "all", true],
      ["staged", `staged ${staged}`, staged > 0],
      ["wrong", `wrong ${wrong}`, wrong > 0],
    ] as const
  ).map(([value, label, hasRows]) => ({ value, label, isDisabled: !hasRows && search.show !== value }));
  return (
    <>
      <div className={css.toolbar}>
        <FilterBox className={css.filter}>
          <input
            data-filter
            type="search"
            aria-label="Filter records"
            placeholder="Filter owner, data…"
            value={search.q ?? ""}
            spellCheck={false}
            onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined })}
            onKeyDown={inFilter}
          />
        </FilterBox>
        <TypeFilter
          model={model}
          types={props.types}
          chosen={search.type ?? ""}
          onChoose={(type) => change({ type })}
        />
        <Segments<Show>
          label="Rows that are shown"
          value={search.show ?? "all"}
          options={shows}
          onChange={(show) => change({ show: show === "all" ? undefined : show })}
        />
      </div>
      <div className={css.second}>
        <p className={css.count}>
          {countText(model, props.shown)}
          {props.added > 0 && `, ${counted(props.added, "new row")}`}
          {props.hiddenStaged > 0 && (
            <>
              {` · ${props.hiddenStaged} staged ${props.hiddenStaged === 1 ? "row does" : "rows do"} not match. `}
              <button type="button" className={css.link} onClick={() => props.onSearch({ show: "staged" })}>
                Show staged
              </button>
            </>
          )}
        </p>
        {props.isReadOnly ? (
          <p className={css.actions}>
            This key may only read. <RrsetHistory zone={model.zone} records={records} />
          </p>
        ) : (
          selected.length > 0 && (
            <div className={css.actions} role="toolbar" aria-label="Selected rows">
              <span>{selected.length} selected</span>
              <Button onClick={props.onForm}>Edit</Button>
              {selected.length === 1 && <Button onClick={props.onDuplicate}>Duplicate</Button>}
              <Button onClick={props.onRemove}>Delete</Button>
              {/* On a phone the form leads to both. */}
              {!props.isNarrow && <RrsetHistory zone={model.zone} records={records} />}
              {!props.isNarrow && rrset && (
                <Button kind="quiet" onClick={() => props.onNote(rrset)}>
                  Note…
                </Button>
              )}
              <IconButton icon="close" label="Deselect" onClick={props.onDeselect} />
            </div>
          )
        )}
      </div>
    </>
  );
}

interface TypeFilterProps {
  readonly model: SheetModel;
  readonly types: RecordTypes;
  readonly chosen: string;
  onChoose(type: string | undefined): void;
}

const options = (types: readonly string[]) => types.map((type) => <option key={type}>{type}</option>);

function TypeFilter({ model: { records, draft }, types: { types }, chosen, onChoose }: TypeFilterProps) {
  const written = [...draft.edits.values()].flatMap((edit) => (edit.kind === "remove" ? [] : edit.values.type || []));
  const { present, others } = typeChoices({
    present: new Set([...records.types, ...written]),
    isComplete: records.isComplete,
    offered: types.map(({ type }) => type),
    chosen,
  });
  return (
    <select
      aria-label="Type"
      className={css.type}
      value={chosen}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    >
      <option value="">All types</option>
      {others.length === 0 ? (
        options(present)
      ) : (
        <>
          <optgroup label={records.isComplete ? "In the zone" : "Found so far"}>{options(present)}</optgroup>
          <optgroup label="Others">{options(others)}</optgroup>
        </>
      )}
    </select>
  );
}
