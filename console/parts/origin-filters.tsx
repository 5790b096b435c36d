/**
 * Filters that lists of what happened have: through which interface it came, and how old it is.
 */
import type { Door } from "../api/generated/graphql.ts";
import type { Age } from "./age.ts";
import page from "./page.module.css";

const doors: readonly (readonly [Door, string])[] = [
  ["CONSOLE", "console"],
  ["GRAPHQL", "GraphQL"],
  ["REST", "REST"],
  ["UPDATE", "dynamic update"],
  ["IMPORT", "import"],
  ["SYSTEM", "the service itself"],
];

const ageWords: Readonly<Record<Age, string>> = { "1d": "since yesterday", "7d": "in 7 days", "30d": "in 30 days" };

interface DoorFilterProps {
  readonly door: Door | undefined;
  readonly onChange: (changed: { readonly door: Door | undefined }) => void;
}

export function DoorFilter({ door, onChange }: DoorFilterProps) {
  return (
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
  );
}

interface AgeFilterProps {
  readonly since: Age | undefined;
  readonly onChange: (changed: { readonly since: Age | undefined }) => void;
}

export function AgeFilter({ since, onChange }: AgeFilterProps) {
  return (
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
  );
}
