/**
 * Filters that lists of what happened have: through which interface it came, and how old it is.
 */
import type { ChangeSource } from "../../api/generated/graphql.ts";
import { optionsOf, Select } from "../control/field.tsx";
import page from "../page/page.module.css";

const sources: readonly (readonly [ChangeSource, string])[] = [
  ["CONSOLE", "console"],
  ["GRAPHQL", "GraphQL"],
  ["REST", "REST"],
  ["UPDATE", "dynamic update"],
  ["IMPORT", "import"],
  ["SYSTEM", "the service itself"],
];

/** The ages to choose from, by their names in an address. */
const ageWords = { "1d": "since yesterday", "7d": "in 7 days", "30d": "in 30 days" } as const;

/** How old something is at most: a number of days. */
export type Age = keyof typeof ageWords;

const dayMs = 86_400_000;

/** The time that is as old. */
export const timeAgo = (age: Age) => new Date(Date.now() - Number.parseInt(age, 10) * dayMs).toISOString();

interface SourceFilterProps {
  readonly source: ChangeSource | undefined;
  readonly onChange: (changed: { readonly source: ChangeSource | undefined }) => void;
}

export function SourceFilter({ source, onChange }: SourceFilterProps) {
  return (
    <label className={page.named}>
      <span>Interface</span>
      <Select
        value={source ?? ""}
        options={[["", "any"], ...sources]}
        onChange={(chosen) => onChange({ source: chosen || undefined })}
      />
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
      <Select
        value={since ?? ""}
        options={[["", "any"], ...optionsOf(ageWords)]}
        onChange={(chosen) => onChange({ since: chosen || undefined })}
      />
    </label>
  );
}
