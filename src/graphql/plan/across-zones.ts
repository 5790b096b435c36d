/**
 * Lists of records across zones, in the order of the zones' names, by the statements of zone/record-list.ts: what is found by an index is
 * sorted, or the zones are walked.
 */
import type { RawBuilder } from "kysely";
import type { Cells } from "../../database/pipelined-statement.ts";
import { beyondInZone, mostFound, sortedFound, walkOfZones, zoneBeyond } from "../../zone/record-list.ts";
import type { Arguments } from "./arguments.ts";
import { giveUp } from "./given.ts";
import type { Extent, Level } from "./level.ts";
import { type ListPlan, onPage, selectedBy } from "./list.ts";
import type { SelectedBy } from "./nouns.ts";

/** The arguments that select zones; the others select records. */
const ofZones: ReadonlySet<string> = new Set(["userId"]);

/** Which rows a list has, and what takes those of its page from the rows of its statement. */
export interface Selected {
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly extent: Extent;
  readonly inPage?: (rows: readonly Cells[]) => readonly Cells[];
}

/** Selects records that are found by an index. */
export function found(args: Arguments, selecting: SelectedBy, level: Level, { page, extent }: ListPlan): Selected {
  const count = level.row.at(level.named('"count"'));
  const [key] = extent.keys.map((column) => level.row.at(level.expression(String(column))));
  return {
    conditions: [
      ...selectedBy(args, selecting, level),
      ...page.bounds.map(({ field, key: [zone] }) => zoneBeyond(field, zone)),
      ...onPage(page),
    ],
    extent: { ...extent, page: sortedFound },
    inPage: (rows) => {
      const [first] = rows;
      if (Number(first?.[count]) > mostFound) return giveUp();
      return first?.[key as number] === null ? [] : rows;
    },
  };
}

/** Selects records by a walk through the zones. */
export function walked(args: Arguments, selecting: SelectedBy, level: Level, { page, extent }: ListPlan): Selected {
  const selected = (isWanted: (name: string) => boolean) =>
    selectedBy(new Map([...args].filter(([name]) => isWanted(name))), selecting, level);
  const ofRecords = [
    ...selected((name) => !ofZones.has(name)),
    ...page.bounds.map(({ field, key }) => beyondInZone(field, key)),
  ];
  return {
    conditions: [
      ...selected((name) => ofZones.has(name)),
      ...page.bounds.map(({ field, key: [zone] }) => zoneBeyond(field, zone)),
    ],
    extent: { ...extent, from: walkOfZones(ofRecords, { last: page.isLast ? 1 : null }, extent.limit) },
  };
}
