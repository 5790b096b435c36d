/**
 * What records, and the changes of them, are filtered by: an owner and a type.
 */
import { useRecordTypes } from "../../api/use-record-types.ts";
import { Select } from "../control/field.tsx";
import look from "../look.module.css";
import page from "../page/page.module.css";
import { Filter } from "../page/page.tsx";

interface RecordFiltersProps {
  /** As it is written. */
  readonly owner: string;
  readonly onOwner: (owner: string) => void;
  readonly type: string | undefined;
  readonly onChange: (changed: { readonly type: string | undefined }) => void;
}

export function RecordFilters({ owner, onOwner, type, onChange }: RecordFiltersProps) {
  const { types } = useRecordTypes();
  const choices = new Set([...(type === undefined ? [] : [type]), ...types.map((each) => each.type)]);
  return (
    <>
      <Filter label="Of one owner, such as www" value={owner} onChange={onOwner} />
      <label className={`${look.beside} ${page.named}`}>
        <span className={`${look.soft} ${look.nowrap}`}>Type</span>
        <Select
          value={type ?? ""}
          options={[["", "any"], ...[...choices].map((each) => [each, each] as const)]}
          onChange={(chosen) => onChange({ type: chosen || undefined })}
        />
      </label>
    </>
  );
}
