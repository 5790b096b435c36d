/** The losses of a change, as text. The service counts them, and says which are large. */
import { graphql } from "../api/generated/gql.ts";
import type { ZoneLossFragment } from "../api/generated/graphql.ts";
import { counted } from "../parts/text/counted.ts";
import { unicodeText } from "../parts/text/names.ts";

graphql(`
  fragment ZoneLoss on ZoneLoss {
    zone isDeletion lostCount recordCount isLarge
  }
`);

/** The large losses of a change set: how many, those that are deletions, and the first of them. */
export interface SetLosses {
  readonly deletedZoneCount: number;
  readonly largeLossCount: number;
  readonly largeLosses: readonly ZoneLossFragment[];
}

const number = new Intl.NumberFormat("en");

/** What a zone that stays loses: "remove 20 of 24 records (83 %)". */
export const removalWords = ({ lostCount, recordCount }: Pick<ZoneLossFragment, "lostCount" | "recordCount">) =>
  `remove ${lostText(lostCount, recordCount)}`;

const lostText = (lost: number, of: number) =>
  `${number.format(lost)} of ${number.format(of)} records (${Math.round((100 * lost) / of)} %)`;

/** Zones that are named, of those that are deleted and of the others. */
const maxNamed = 5;

/** The large losses of a change set, such as "delete old.example with its 12 records"; undefined when there are no large losses. */
export function setLossWords({ deletedZoneCount, largeLossCount, largeLosses }: SetLosses): string | undefined {
  const deleted = largeLosses.filter(({ isDeletion }) => isDeletion);
  const others = largeLosses.filter(({ isDeletion }) => !isDeletion);
  const deletions = deleted.map(
    ({ zone, recordCount }) => `${unicodeText(zone)} with its ${counted(recordCount, "record")}`,
  );
  const removals = others.map(
    ({ zone, lostCount, recordCount }) => `${lostText(lostCount, recordCount)} of ${unicodeText(zone)}`,
  );
  const does = [
    [`delete`, listed(deletions, deletedZoneCount)],
    [`remove`, listed(removals, largeLossCount - deletedZoneCount)],
  ].filter(([, what]) => what !== "");
  return does.length === 0 ? undefined : does.map((words) => words.join(" ")).join(", and ");
}

function listed(texts: readonly string[], count: number): string {
  const named = texts.slice(0, maxNamed);
  const more = count - named.length;
  if (more === 0) return named.join(", ");
  return [...named, named.length === 0 ? `much of ${counted(more, "zone")}` : `and ${counted(more, "more zone")}`].join(
    ", ",
  );
}
