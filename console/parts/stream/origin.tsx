/** What all that happened is filtered by: who did it, through which interface, and how long ago. */
import type { ChangeSource } from "../../api/generated/graphql.ts";
import { optionsOf } from "../control/field.tsx";
import { ChoiceMenu, TextMenu } from "../page/filter-menu.tsx";
import { keyName } from "../text/author.ts";

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

/** The filters, as the address has them. */
export interface Origin {
  readonly who?: string | undefined;
  readonly through?: ChangeSource | undefined;
  readonly time?: Age | undefined;
}

/** What a menu offers of names that are at hand. */
export const likely = (names: readonly (string | null | undefined)[]) =>
  [...new Set(names.filter((name) => name != null))].slice(0, 8);

interface OriginMenusProps {
  readonly origin: Origin;
  /** Keys that did some of it. */
  readonly doers: readonly (string | null | undefined)[];
  readonly onChange: (changed: Origin) => void;
}

export const OriginMenus = ({ origin: { who, through, time }, doers, onChange }: OriginMenusProps) => (
  <>
    <TextMenu
      label="Who"
      any="Anybody"
      hint="Name of a key"
      value={who}
      likely={likely(doers.map((doer) => doer && keyName(doer)))}
      onChange={(chosen) => onChange({ who: chosen })}
    />
    <ChoiceMenu
      label="Through"
      any="Through anything"
      value={through}
      options={optionsOf(sourceWords)}
      onChange={(chosen) => onChange({ through: chosen })}
    />
    <ChoiceMenu
      label="Any time"
      any="Any time"
      value={time}
      options={optionsOf(ageWords)}
      onChange={(chosen) => onChange({ time: chosen })}
    />
  </>
);
