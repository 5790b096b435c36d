/**
 * Measures the cases: short rounds of all who are asked in turn, so that the machine's other work meets them alike.
 */
import { isDeepStrictEqual } from "node:util";
import { type Case, cases, questionOf, type SideName, sides } from "./cases.ts";
import type { Size } from "./data.ts";
import { askOnce, cpuBetween, cpuOf, cpuOfConnections, type Side } from "./processes.ts";
import type { Stage } from "./stage.ts";

/** Writes meet the checkpoints and vacuums of PostgreSQL, so that a round says less: they have so many times as many. */
const writeRounds = 3;

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** How many answers each side gives at least before it is measured: code is compiled while it runs, one part after the other. */
  readonly warmUp: number;
}

/** What one side came to: medians over the rounds. Times are ms; CPU is that of the process and that of PostgreSQL, for one answer. */
export interface Figures {
  readonly rate: number;
  readonly median: number;
  readonly cpu: number;
  readonly postgres: number;
}

/**
 * A case at a number of connections. `ratios` are the medians over the rounds of the service's rate to that of each of the
 * others.
 */
export interface Result {
  readonly name: string;
  readonly connections: number;
  readonly figures: Readonly<Partial<Record<SideName, Figures>>>;
  readonly ratios: Readonly<Partial<Record<Exclude<SideName, "service">, number>>>;
}

/** Those who answer a case. */
const sidesOf = (stage: Stage, asked: Case) =>
  sides.filter((side) => stage.sides[side] && (side !== "peer" || asked.peer));

/** Measures the cases whose name contains `only`; tells each result as it comes. */
export async function measure(
  stage: Stage,
  size: Size,
  effort: Effort,
  only: string,
  tell: (result: Result) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const asked of cases.filter(({ name }) => name.includes(only))) {
    const counter = { next: 0 };
    const names = sidesOf(stage, asked);
    await check(stage, size, asked, counter);
    for (const side of names) await warmUp(stage, asked, side, effort, counter);
    for (const connections of [1, 16]) {
      const rounds: Partial<Record<SideName, Figures>>[] = [];
      for (let n = 0; n < (asked.writes ? writeRounds : 1) * effort.rounds; n++) {
        const figures: Partial<Record<SideName, Figures>> = {};
        for (const side of names) figures[side] = await round(stage, asked, side, connections, effort.seconds, counter);
        rounds.push(figures);
      }
      const of = (side: SideName) => rounds.map((figures) => figures[side] as Figures);
      const ratio = (side: SideName) =>
        median(of("service").map((service, at) => service.rate / (of(side)[at] as Figures).rate));
      const result: Result = {
        name: asked.name,
        connections,
        figures: Object.fromEntries(names.map((side) => [side, medians(of(side))])),
        ratios: Object.fromEntries(names.filter((side) => side !== "service").map((side) => [side, ratio(side)])),
      };
      tell(result);
      results.push(result);
    }
  }
  return results;
}

/**
 * Compares the first answers of all sides; of writes, without ids and serials, which differ. The peer has names of its own
 * and numbers as texts, so that of its answer only the values are compared, in any order.
 */
async function check(stage: Stage, size: Size, asked: Case, counter: { next: number }): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const number = counter.next++;
    const answers: [SideName, unknown][] = [];
    for (const side of sidesOf(stage, asked)) {
      const at = asked.writes && side !== "floor" ? counter.next++ : number;
      const text = await askOnce((stage.sides[side] as Side).port, questionOf(asked, side, at, size, stage.cursors));
      answers.push([
        side,
        JSON.parse(asked.writes ? text.replace(/\d{7,}/g, (found) => "1".repeat(found.length)) : text),
      ]);
    }
    const [[, expected] = [], ...others] = answers;
    for (const [side, given] of others) {
      const isSame =
        side === "peer" ? isDeepStrictEqual(valuesOf(given), valuesOf(expected)) : isDeepStrictEqual(given, expected);
      if (!isSame)
        throw new Error(
          `${asked.name}: the answers differ.\n${JSON.stringify(expected)}\n${side}: ${JSON.stringify(given)}`,
        );
    }
  }
}

/** The values of an answer as texts, without the id and serial of a change, which the peer repeats with each record. */
function valuesOf(answer: unknown): string[] {
  const values = new Set<string>();
  JSON.stringify(answer, (_name, value) => {
    if (typeof value !== "object") values.add(String(value));
    return value;
  });
  return [...values].toSorted();
}

async function warmUp(
  stage: Stage,
  asked: Case,
  side: SideName,
  { seconds, warmUp: answers }: Effort,
  counter: { next: number },
): Promise<void> {
  const from = counter.next;
  while (counter.next - from < answers) await round(stage, asked, side, 16, 2 * seconds, counter);
}

async function round(
  stage: Stage,
  asked: Case,
  side: SideName,
  connections: number,
  seconds: number,
  counter: { next: number },
): Promise<Figures> {
  const used = () => ({ cpu: cpuOf((stage.sides[side] as Side).pid), postgres: cpuOfConnections(stage.postgres) });
  const before = used();
  const outcome = await stage.ask({ case: asked.name, side, connections, seconds, from: counter.next });
  const after = used();
  counter.next += outcome.answers;
  return {
    rate: outcome.answers / outcome.seconds,
    median: outcome.median,
    cpu: (after.cpu - before.cpu) / outcome.answers,
    postgres: cpuBetween(before.postgres, after.postgres) / outcome.answers,
  };
}

function medians(figures: readonly Figures[]): Figures {
  const of = (field: keyof Figures) => median(figures.map((each) => each[field]));
  return { rate: of("rate"), median: of("median"), cpu: of("cpu"), postgres: of("postgres") };
}

/** The middle of some numbers; the mean of the two middle ones of an even count. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}
