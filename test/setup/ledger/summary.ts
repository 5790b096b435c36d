/**
 * The report of a run: a line for each cycle, and a table at the end.
 */
import { type Kind, kinds } from "./laws.ts";
import type { Cycle } from "./run.ts";
import { doors } from "./tally.ts";

/** The line of a cycle. */
export function lineOf(cycle: Cycle): string {
  const { number, disturbance, database, seed, tally, restarts, recovery } = cycle;
  const recovered = Number.isNaN(recovery) ? "not recovered" : `recovered in ${recovery.toFixed(1)} s`;
  const writes = doors.map((door) => `${door} ${tally.acknowledged[door]}`).join(", ");
  const others = ["applyChangeSet", "revertChange", "restoreDomain"];
  const more = others.map((mutation) => `${mutation} ${tally.mutations.get(mutation) ?? 0}`).join(", ");
  const result = cycle.breaches.length === 0 ? "all laws hold" : `${cycle.breaches.length} BREACHES`;
  return `${number} ${disturbance} (${database}, --only ${disturbance} --seed ${seed}): ${writes} (${more}); ${tally.unavailable} unavailable, ${tally.unanswered} unanswered, ${restarts} restarts, ${recovered}: ${result}`;
}

/** Breaches of one kind that are printed of a cycle. */
const shownOfKind = 4;

/** The lines below that of a cycle: the first breaches of each kind. */
export function breachLines({ breaches }: Cycle): string[] {
  return kinds.flatMap((kind) => {
    const found = breaches.filter((breach) => breach.kind === kind);
    const more = found.length > shownOfKind ? [`    ${kind}: and ${found.length - shownOfKind} more`] : [];
    return [...found.slice(0, shownOfKind).map(({ what }) => `    ${kind}: ${what}`), ...more];
  });
}

type Column = readonly [name: string, value: (cycles: readonly Cycle[]) => number];

const sum = (cycles: readonly Cycle[], value: (cycle: Cycle) => number) =>
  cycles.reduce((total, cycle) => total + value(cycle), 0);

const countOf = (kind: Kind): Column => [
  kind === "internal" ? "500" : kind,
  (cycles) => sum(cycles, ({ breaches }) => breaches.filter((breach) => breach.kind === kind).length),
];

/** The slowest recovery there was, seconds. */
function slowest(cycles: readonly Cycle[]): number {
  const recoveries = cycles.map(({ recovery }) => recovery).filter((seconds) => !Number.isNaN(seconds));
  return Math.round(Math.max(0, ...recoveries) * 10) / 10;
}

const columns: readonly Column[] = [
  ["cycles", (cycles) => cycles.length],
  ...doors.map((door): Column => [door, (cycles) => sum(cycles, ({ tally }) => tally.acknowledged[door])]),
  ["503", (cycles) => sum(cycles, ({ tally }) => tally.unavailable)],
  ["no hint", (cycles) => sum(cycles, ({ tally }) => tally.withoutRetryAfter)],
  ["unanswered", (cycles) => sum(cycles, ({ tally }) => tally.unanswered)],
  ["restarts", (cycles) => sum(cycles, ({ restarts }) => restarts)],
  ["slowest s", slowest],
  ...kinds.map(countOf),
];

/** The table of a run: a row for each disturbance, and one for all. Below it what the columns mean. */
export function summary(cycles: readonly Cycle[]): string {
  const names = [...new Set(cycles.map(({ disturbance }) => disturbance))];
  const rows = names.map((name) => [name, ...valuesOf(cycles.filter((cycle) => cycle.disturbance === name))]);
  const table = [["", ...columns.map(([name]) => name)], ...rows, ["all", ...valuesOf(cycles)]];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = table.map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  "));
  return `${lines.join("\n")}

rest, graphql, update: acknowledged writes. 503: also SERVFAIL; no hint: those without Retry-After. unanswered: the connection was lost.
slowest s: from the end of the disturbance until twelve concurrent writes were acknowledged. The columns after it count breaches of laws.`;
}

const valuesOf = (cycles: readonly Cycle[]) => columns.map(([, value]) => String(value(cycles)));
