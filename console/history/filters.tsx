/**
 * What the list of changes is filtered by: how they came, how old they are, and who made them.
 */
import { IconButton } from "../parts/button.tsx";
import { AgeFilter, SourceFilter } from "../parts/origin-filters.tsx";
import page from "../parts/page.module.css";
import { Bar } from "../parts/page.tsx";
import type { ChangeSelection } from "./queries.ts";

interface HistoryFiltersProps {
  readonly selection: ChangeSelection;
  readonly onChange: (changed: ChangeSelection) => void;
  /** What is before the others. */
  readonly first?: React.ReactNode;
}

export function HistoryFilters({ selection, onChange, first }: HistoryFiltersProps) {
  const { actor, source, since } = selection;
  return (
    <Bar>
      {first}
      <SourceFilter source={source} onChange={onChange} />
      <AgeFilter since={since} onChange={onChange} />
      {actor && (
        <span className={page.chosen}>
          by {actor}
          <IconButton icon="close" label="Changes of everybody" onClick={() => onChange({ actor: undefined })} />
        </span>
      )}
    </Bar>
  );
}
