/**
 * The guard against regressions: compares the ratios of a run with those that README.md has.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Result } from "./rounds.ts";
import { rowName } from "./summary.ts";

/** A ratio may be this much of the recorded one: runs on a busy machine differ by a fifth. */
const least = 0.75;

/** A sentence for each case that is slower beside the floor than it was when the figures were written. */
export function regressions(results: readonly Result[]): string[] {
  const recorded = recordedRatios(readFileSync(join(process.cwd(), "bench/README.md"), "utf8"));
  return results.flatMap((result) => {
    const name = rowName(result);
    const [before, now] = [recorded.get(name), result.ratios.floor];
    if (before === undefined || now === undefined || now >= before * least) return [];
    return [`${name}: ${now.toFixed(2)} of the floor, where it was ${before.toFixed(2)}`];
  });
}

/** The ratios to the floor by the name of their row: the first figures that are written in bold. */
function recordedRatios(readme: string): Map<string, number> {
  const rows = readme.matchAll(/^\| ([^|]+) \| \*\*([\d.]+)\*\* \|/gm);
  return new Map([...rows].map(([, name = "", ratio]) => [name, Number(ratio)]));
}
