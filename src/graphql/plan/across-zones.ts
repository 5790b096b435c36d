/**
 * Lists across zones. Records come in the order of their zones' names, by the statements of zone/record-list.ts: rows
 * that an index finds are sorted, other lists are read zone by zone. Changes come by the statement of
 * zone/change-list.ts, domain by domain.
 */
import type { Cells } from "../../database/pipelined-statement.ts";
import { orderBy } from "../../lists/pagination.ts";
import type { Actor } from "../../session/authorization.ts";
import { slot } from "../../sql/slot.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { usersOfChanges } from "../../zone/change.ts";
import { ofZone, walkOfDomains } from "../../zone/change-list.ts";
import { beyondInZone, mostFound, sortedFound, walkOfZones, zoneBeyond } from "../../zone/record-list.ts";
import type { Arguments } from "./arguments.ts";
import type { Extent, Level } from "./nested-rows.ts";
import { onPage, selectedBy } from "./page.ts";
import { type Given, giveUp } from "./plan-run.ts";
import type { SelectedBy } from "./planned-types.ts";
import type { ListPlan } from "./selection.ts";

/** The arguments that select zones; the others select records. */
const ofZones: ReadonlySet<string> = new Set(["userId"]);

/** The source of a list's rows, and the function that selects the rows of its page from those of the statement. */
export interface Selected {
  readonly conditions: readonly Sql[];
  readonly extent: Extent;
  readonly inPage?: (rows: readonly Cells[]) => readonly Cells[];
}

/** Selects the records that an index finds. */
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

/** Selects records zone by zone. */
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

/**
 * Selects changes domain by domain, deleted ones included, of all domains that the actor sees or of those with one
 * name.
 */
export function ofDomains(
  args: Arguments,
  selecting: SelectedBy,
  level: Level,
  { page, extent }: ListPlan,
  actor: Actor,
): Selected {
  const others = new Map([...args].filter(([name]) => name !== "zone"));
  const source = args.get("zone")?.source;
  const zone = source && slot((given: Given) => ofZone.read(source(given) as string));
  const walk = walkOfDomains(actor, zone, {
    conditions: [...selectedBy(others, selecting, level), ...onPage(page)],
    sorting: orderBy(page.order, { last: page.isLast ? 1 : null }),
    limit: extent.limit,
  });
  return { conditions: [], extent: { ...extent, from: sql`${walk} ${usersOfChanges}` } };
}
