/** Above the grid: the filter, what is shown, and what can be done to the selected rows. */
import type { KeyboardEvent } from "react";
import type { RecordTypes } from "../api/record-types.ts";
import { Button, IconButton } from "../parts/control/button.tsx";
import { hasControl } from "../parts/control/keyboard.ts";
import look from "../parts/look.module.css";
import { Chips, Counted, FilterBox } from "../parts/page/page.tsx";
import { counted } from "../parts/text/counted.ts";
import { type Rrset, RrsetHistory, rrsetOfAll } from "../parts/zone/rrset-history.tsx";
import { countStaged, hiddenWords } from "./draft/draft.ts";
import type { GridAction } from "./grid/grid-keys.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import type { SheetSearch } from "./sheet-search.ts";
import { typeChoices } from "./view/filter.ts";

interface Props {
  readonly model: SheetModel;
  readonly types: RecordTypes;
  readonly search: SheetSearch;
  readonly shown: number;
  readonly hiddenStaged: number;
  readonly selected: readonly string[];
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
  onSearch(search: SheetSearch): void;
  onAction(action: GridAction): void;
  onNote(rrset: Rrset): void;
  onDeselect(): void;
  onLeave(): void;
}

const number = new Intl.NumberFormat("en");

/** What is not shown of the zone, such as "12,000 of 50,000 records"; empty where all of it is. */
function countText(model: SheetModel, shown: number): string {
  const { records, loading } = model;
  const total = Math.max(records.total ?? records.size, records.size);
  if (loading !== "done" && records.size === 0) return "reading…";
  if (records.isComplete && shown >= total) return "";
  if (records.isComplete) return `${number.format(shown)} of ${counted(total, "record")}`;
  if (loading === "done") return partText(model, shown, total);
  return `Showing ${number.format(records.size)} of ${number.format(total)}`;
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
      props.onAction("selectAll");
      props.onLeave();
    }
  };
  return (
    <div className={`${look.line} ${css.toolbar}`}>
      <div className={`${look.line} ${look.grow} ${css.lead}`}>
        {selected.length > 0 ? (
          <div className={look.line} role="toolbar" aria-label="Selected rows">
            <span>{selected.length} selected</span>
            {!props.isReadOnly && (
              <>
                <Button onClick={() => props.onAction("form")}>Edit</Button>
                {selected.length === 1 && <Button onClick={() => props.onAction("duplicate")}>Duplicate</Button>}
                <Button onClick={() => props.onAction("remove")}>Delete</Button>
              </>
            )}
            {/* On a phone the form leads to both. */}
            {!props.isNarrow && <RrsetHistory zone={model.zone} records={records} />}
            {!props.isNarrow && !props.isReadOnly && rrset && (
              <Button kind="quiet" onClick={() => props.onNote(rrset)}>
                Note…
              </Button>
            )}
            <IconButton icon="close" label="Deselect" onClick={props.onDeselect} />
          </div>
        ) : (
          <RecordChips {...props} />
        )}
        <p className={`${look.end} ${look.soft} ${look.digits}`} role="status">
          {countText(model, props.shown)}
          {props.hiddenStaged > 0 && props.shown > 0 && (
            <>
              {` · ${hiddenWords(props.hiddenStaged)} `}
              <button
                type="button"
                className={`${look.bare} ${css.words}`}
                onClick={() => props.onSearch({ show: "staged" })}
              >
                Show the edits
              </button>
            </>
          )}
        </p>
      </div>
      <FilterBox className={css.filter}>
        <input
          data-filter
          type="search"
          aria-label="Filter records"
          placeholder="Filter name or data"
          value={search.q ?? ""}
          spellCheck={false}
          onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined })}
          onKeyDown={inFilter}
        />
      </FilterBox>
      {props.isReadOnly && <p>This key reads only.</p>}
    </div>
  );
}

const mostChips = 6;

/** All records, those of the commonest types, of another type, the edits, and what is wrong of them. */
function RecordChips({ model, types, search, onSearch }: Props) {
  const { records, draft, checks } = model;
  const counts = records.typeCounts;
  const written = [...draft.edits.values()].flatMap((edit) => (edit.kind === "remove" ? [] : edit.values.type || []));
  const offered = types.types.map(({ type }) => type);
  const { type: chosen = "", show = "all" } = search;
  const { present, others } = typeChoices({
    present: new Set([...counts.keys(), ...written]),
    isComplete: records.isComplete,
    offered,
    chosen,
  });
  const common = present.toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, mostChips);
  const rest = [...present.filter((type) => !common.includes(type)), ...others];
  const edited = countStaged(draft);
  const wrong = checks.wrongKeys(draft).size;
  // Of a zone that is not here as a whole, nobody counted the types.
  const countOf = (type: string) => (records.isComplete ? counts.get(type) : undefined);
  const chips = [
    { value: "all", label: <Counted word="All" count={Math.max(records.total ?? 0, records.size)} /> },
    ...common.map((type) => ({ value: type, label: <Counted word={type} count={countOf(type)} /> })),
    ...(edited > 0 || show === "staged" ? [{ value: "staged", label: <Counted word="Edited" count={edited} /> }] : []),
    ...(wrong > 0 || show === "wrong" ? [{ value: "wrong", label: <Counted word="Wrong" count={wrong} /> }] : []),
  ];
  const choose = (value: string) => {
    const isShow = value === "staged" || value === "wrong";
    onSearch({ ...search, type: isShow || value === "all" ? undefined : value, show: isShow ? value : undefined });
  };
  return (
    <>
      <Chips
        label="Records that are shown"
        value={show === "all" ? chosen || "all" : show}
        options={chips}
        onChange={choose}
      />
      {rest.length > 0 && (
        <select
          aria-label="Other types"
          className={`${look.soft} ${look.small} ${css.type}`}
          value={rest.includes(chosen) ? chosen : ""}
          onChange={({ currentTarget }) => choose(currentTarget.value || "all")}
        >
          <option value="">Other</option>
          {rest.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      )}
    </>
  );
}
