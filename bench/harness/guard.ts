/** The guard against regressions: compares the ratios of a run with those in README.md. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A ratio may fall to this share of the recorded ratio: runs on a busy machine differ by a fifth. */
const least = 0.75;

/** A sentence for each ratio that is too far below the recorded ratio. */
export function regressions(summary: string): string[] {
  const recorded = ratiosIn(readFileSync(join(process.cwd(), "bench/README.md"), "utf8"));
  return [...ratiosIn(summary)].flatMap(([name, now]) => {
    const before = recorded.get(name);
    if (before === undefined || now >= before * least) return [];
    return [`${name}: ${now.toFixed(2)}, where it was ${before.toFixed(2)}`];
  });
}

/** The bold figures of tables, by the names of row, table and column. */
export function ratiosIn(text: string): Map<string, number> {
  const found = new Map<string, number>();
  let titles: readonly string[] = [];
  for (const line of text.split("\n")) {
    const cells = line.startsWith("| ") ? line.slice(2, -2).split(" | ") : [];
    if (titles.length === 0 || cells.length === 0) titles = cells;
    for (const [at, cell] of cells.entries()) {
      const [, ratio] = /^\*\*([\d.]+)\*\*$/.exec(cell) ?? [];
      if (ratio !== undefined) found.set(`${cells[0]}, ${titles[0]}, ${titles[at]}`, Number(ratio));
    }
  }
  return found;
}
