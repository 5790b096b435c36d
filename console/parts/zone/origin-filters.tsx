/**
 * Filters that lists of what happened have: through which interface it came, and how old it is.
 */
import type { ChangeSource } from "../../api/generated/graphql.ts";
import { optionsOf } from "../control/field.tsx";
import { ChoiceMenu } from "../page/filter-menu.tsx";

export const sourceWords: Readonly<Record<ChangeSource, string>> = {
  CONSOLE: "console",
  GRAPHQL: "GraphQL",
  REST: "REST",
  UPDATE: "dynamic update",
  IMPORT: "import",
  SYSTEM: "Zonesmith itself",
};

/** The ages to choose from, by their names in an address. */
export const ageWords = {
  "1h": "in the last hour",
  "1d": "in the last day",
  "7d": "in the last 7 days",
  "30d": "in the last 30 days",
} as const;

/** How old something is at most: a number of hours or days. */
export type Age = keyof typeof ageWords;

const hourMs = 3_600_000;

/** The time that is as old. */
export const timeAgo = (age: Age) =>
  new Date(Date.now() - Number.parseInt(age, 10) * (age.endsWith("h") ? 1 : 24) * hourMs).toISOString();

interface SourceFilterProps {
  readonly source: ChangeSource | undefined;
  readonly onChange: (changed: { readonly source: ChangeSource | undefined }) => void;
}

export const SourceFilter = ({ source, onChange }: SourceFilterProps) => (
  <ChoiceMenu
    label="Through"
    any="Through anything"
    value={source}
    options={optionsOf(sourceWords)}
    onChange={(chosen) => onChange({ source: chosen })}
  />
);

interface AgeFilterProps {
  readonly since: Age | undefined;
  readonly onChange: (changed: { readonly since: Age | undefined }) => void;
}

export const AgeFilter = ({ since, onChange }: AgeFilterProps) => (
  <ChoiceMenu
    label="Any time"
    any="Any time"
    value={since}
    options={optionsOf(ageWords)}
    onChange={(chosen) => onChange({ since: chosen })}
  />
);
