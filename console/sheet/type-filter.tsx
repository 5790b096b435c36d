/** Shows the rows of one type: those of the zone are at hand. */
import type { RecordTypes } from "../api/record-types.ts";
import type { SheetModel } from "./model/sheet-model.ts";
import css from "./sheet.module.css";
import { typeChoices } from "./view/type-choices.ts";

interface TypeFilterProps {
  readonly model: SheetModel;
  readonly types: RecordTypes;
  readonly chosen: string;
  onChoose(type: string | undefined): void;
}

const options = (types: readonly string[]) => types.map((type) => <option key={type}>{type}</option>);

export function TypeFilter({ model: { records, draft }, types: { types }, chosen, onChoose }: TypeFilterProps) {
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
