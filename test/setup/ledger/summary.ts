/** The report of a run: a line for each cycle, and a table at the end. */
import { doors } from "./client.ts";
import { kinds } from "./laws.ts";
import type { Cycle } from "./run.ts";

export function lineOf({ number, disturbance, database, seed, tally, restarts, recovery, breaches }: Cycle): string {
  const recovered = Number.isNaN(recovery) ? "not recovered" : `recovered in ${recovery.toFixed(1)} s`;
  const writes = doors.map((door) => `${door} ${tally.acknowledged[door]}`).join(", ");
  const others = ["applyChangeSet", "revertChange", "restoreDomain"];
  const more = others.map((mutation) => `${mutation} ${tally.mutations.get(mutation) ?? 0}`).join(", ");
  const result = breaches.length === 0 ? "all laws hold" : `${breaches.length} BREACHES`;
  return `${number} ${disturbance} (${database}, --only ${disturbance} --seed ${seed}): ${writes} (${more}); ${tally.unavailable} unavailable, ${tally.unanswered} unanswered, ${restarts} restarts, ${recovered}: ${result}`;
}

/** Breaches of one kind that are printed of a cycle. */
const shownOfKind = 4;

/** The lines below that of a cycle: the first breaches of each kind. */
export function breachLines({ breaches }: Cycle): string[] {
  return kinds.flatMap((kind) => {
    const found = breaches.filter((breach) => breach.kind === kind).map(({ what }) => `    ${kind}: ${what}`);
    const more = found.length > shownOfKind ? [`    ${kind}: and ${found.length - shownOfKind} more`] : [];
    return [...found.slice(0, shownOfKind), ...more];
  });
}

/** What the columns count, of one cycle; in rows of several they are summed, but the slowest recovery. */
const columns: Readonly<Record<string, (cycle: Cycle) => number>> = {
  cycles: () => 1,
  ...Object.fromEntries(doors.map((door) => [door, ({ tally }: Cycle) => tally.acknowledged[door]])),
  unavailable: ({ tally }) => tally.unavailable,
  "no hint": ({ tally }) => tally.withoutRetryAfter,
  unanswered: ({ tally }) => tally.unanswered,
  "by IXFR": ({ replayed }) => replayed,
  restarts: ({ restarts }) => restarts,
  "slowest s": ({ recovery }) => recovery || 0,
  ...Object.fromEntries(
    kinds.map((kind) => [kind, ({ breaches }: Cycle) => breaches.filter((breach) => breach.kind === kind).length]),
  ),
};

/** The table of a run: a row for each disturbance, and one for all. Below it what the columns mean. */
export function summary(cycles: readonly Cycle[]): string {
  const valuesOf = (some: readonly Cycle[]) =>
    Object.entries(columns).map(([name, value]) =>
      name === "slowest s"
        ? Math.max(0, ...some.map(value)).toFixed(1)
        : String(some.reduce((sum, cycle) => sum + value(cycle), 0)),
    );
  const rows = [...Map.groupBy(cycles, ({ disturbance }) => disturbance)].map(([name, some]) => [
    name,
    ...valuesOf(some),
  ]);
  const table = [["", ...Object.keys(columns)], ...rows, ["all", ...valuesOf(cycles)]];
  const widths = Object.keys(table[0] ?? []).map((at) => Math.max(...table.map((row) => row[Number(at)]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join("  "));
  return `${lines.join("\n")}

rest, graphql, update: acknowledged writes. unavailable: 503 and SERVFAIL; no hint: those without Retry-After. unanswered: the connection was lost.
by IXFR: how often the differences that were sent led to a zone.
slowest s: from the end of the disturbance until twelve concurrent writes were acknowledged. The columns after it count breaches of laws.`;
}
