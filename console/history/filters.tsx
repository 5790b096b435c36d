/**
 * What the list of changes is filtered by: how they came, how old they are, and who made them.
 */
import type { Door } from "../api/generated/graphql.ts";
import { IconButton } from "../parts/button.tsx";
import page from "../parts/page.module.css";
import { Bar } from "../parts/page.tsx";
import type { Age, ChangeSelection } from "./queries.ts";

const doors: readonly (readonly [Door, string])[] = [
  ["CONSOLE", "console"],
  ["GRAPHQL", "GraphQL"],
  ["REST", "REST"],
  ["UPDATE", "dynamic update"],
  ["IMPORT", "import"],
  ["SYSTEM", "the service itself"],
];

const ageWords: Readonly<Record<Age, string>> = { "1d": "since yesterday", "7d": "in 7 days", "30d": "in 30 days" };

interface HistoryFiltersProps {
  readonly selection: ChangeSelection;
  readonly onChange: (changed: ChangeSelection) => void;
  /** What is before the others. */
  readonly first?: React.ReactNode;
}

export function HistoryFilters({ selection, onChange, first }: HistoryFiltersProps) {
  const { actor, door, since } = selection;
  return (
    <Bar>
      {first}
      <label className={page.named}>
        <span>Interface</span>
        <select
          value={door ?? ""}
          onChange={(event) => onChange({ door: (event.target.value || undefined) as Door | undefined })}
        >
          <option value="">any</option>
          {doors.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label className={page.named}>
        <span>Time</span>
        <select
          value={since ?? ""}
          onChange={(event) => onChange({ since: (event.target.value || undefined) as Age | undefined })}
        >
          <option value="">any</option>
          {Object.entries(ageWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {actor && (
        <span className={page.chosen}>
          by {actor}
          <IconButton icon="close" label="Changes of everybody" onClick={() => onChange({ actor: undefined })} />
        </span>
      )}
    </Bar>
  );
}
