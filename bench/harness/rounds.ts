/** Measures the cases in short rounds of all sides in turn, in every shape, so that other work on the machine affects all sides alike. */
import { isDeepStrictEqual } from "node:util";
import { type Case, cases, type SideName } from "./cases.ts";
import type { Size } from "./data.ts";
import { askOnce, cpuBetween, cpuOf, cpuOfAll, cpuOfConnections, type Side } from "./processes.ts";
import { questionOf, type Shape, shapes } from "./shapes.ts";
import type { Stage } from "./stage.ts";

/** The factor of rounds for writing cases: checkpoints and vacuums of PostgreSQL make one round less exact. */
const writeRounds = 2;

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  /** How long each side first runs the first case in its first shape, s: the code that all cases share is compiled then. */
  readonly settling: number;
  /** How long each side runs each shape before it is measured, s: code is compiled while it runs. */
  readonly warmUp: number;
}

/**
 * The results of one side: medians over the rounds. Times are ms; CPU is the time of the process and of PostgreSQL for one answer. `others`
 * is the number of processors that other programs used meanwhile.
 */
export interface Figures {
  readonly rate: number;
  readonly median: number;
  readonly cpu: number;
  readonly postgres: number;
  readonly others: number;
}

/** A case in a shape at a number of connections. `ratios` are the median rates of the service relative to each other side. */
export interface Result {
  readonly name: string;
  readonly shape: string;
  readonly connections: number;
  readonly figures: Readonly<Partial<Record<SideName, Figures>>>;
  readonly ratios: Readonly<Partial<Record<SideName, number>>>;
}

/** Measures the cases whose names match `only`, in one shape or in all shapes; passes each result on as it comes. */
export async function measure(
  stage: Stage,
  size: Size,
  effort: Effort,
  { only, shape }: { readonly only: RegExp; readonly shape: string | undefined },
  tell: (result: Result) => void,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const asked of cases.filter(({ name }) => only.test(name))) {
    const counter = { next: 0 };
    const isAsked = ({ name, asks = () => true }: Shape) => asks(asked) && (shape ?? name) === name;
    const asking = shapes.filter(isAsked);
    for (const [at, shape] of asking.entries()) {
      await check(stage, size, asked, shape, counter);
      const seconds = results.length + at === 0 ? effort.settling : effort.warmUp;
      for (const side of sidesOf(stage, shape)) await round(stage, { asked, shape, side }, 16, seconds, counter);
    }
    for (const connections of [1, 16]) {
      const targets = asking
        .filter((shape) => shape.connections.includes(connections))
        .flatMap((shape) => sidesOf(stage, shape).map((side) => ({ asked, shape, side })));
      const rounds: Figures[][] = [];
      for (let n = 0; n < (asked.writes ? writeRounds : 1) * effort.rounds; n++)
        for (const [at, target] of targets.entries()) {
          rounds[at] ??= [];
          rounds[at].push(await round(stage, target, connections, effort.seconds, counter));
        }
      for (const [shape, its] of Map.groupBy(targets.entries(), ([, { shape }]) => shape)) {
        const of = Object.fromEntries(its.map(([at, { side }]) => [side, rounds[at] as Figures[]]));
        const result = { name: asked.name, shape: shape.name, connections, ...resultOf(of) };
        tell(result);
        results.push(result);
      }
    }
  }
  return results;
}

/** The sides of a shape. */
const sidesOf = (stage: Stage, shape: Shape) => shape.sides.filter((side) => stage.sides[side]);

/** The results of the rounds of all sides. */
function resultOf(rounds: Readonly<Partial<Record<SideName, readonly Figures[]>>>): Pick<Result, "figures" | "ratios"> {
  const { service = [], ...others } = rounds;
  const ratio = (other: readonly Figures[]) =>
    median(service.map(({ rate }, at) => rate / (other[at] as Figures).rate));
  return {
    figures: Object.fromEntries(Object.entries(rounds).map(([side, figures]) => [side, medians(figures)])),
    ratios: Object.fromEntries(Object.entries(others).map(([side, figures]) => [side, ratio(figures)])),
  };
}

/**
 * Compares the first answers of all sides, without the additional field of an unplanned query, and for writing cases without ids and
 * serials, which differ. The peer has other names and writes numbers as text: for its answers only the values are compared, in any order.
 */
async function check(stage: Stage, size: Size, asked: Case, shape: Shape, counter: { next: number }): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const number = counter.next++;
    const answers: [SideName, unknown][] = [];
    for (const side of sidesOf(stage, shape)) {
      const at = asked.writes && side !== "floor" ? counter.next++ : number;
      const question = questionOf(asked, shape, side, at, size, stage.cursors);
      const text = await askOnce((stage.sides[side] as Side).port, question);
      const same = asked.writes ? text.replace(/\d{5,}/g, (found) => "1".repeat(found.length)) : text;
      answers.push([side, JSON.parse(same, (name, value) => (name === "__type" ? undefined : value))]);
    }
    const [[, expected] = [], ...others] = answers;
    for (const [side, given] of others) {
      const isSame =
        side === "peer" ? isDeepStrictEqual(valuesOf(given), valuesOf(expected)) : isDeepStrictEqual(given, expected);
      if (!isSame)
        throw new Error(
          `${asked.name}, ${shape.name}: the answers differ.\n${JSON.stringify(expected)}\n${side}: ${JSON.stringify(given)}`,
        );
    }
  }
}

/** The distinct values of an answer as text, without type names: the peer repeats the id and serial of a change with each record. */
function valuesOf(answer: unknown): string[] {
  const values = new Set<string>();
  JSON.stringify(answer, (name, value) => {
    if (typeof value !== "object" && name !== "__typename") values.add(String(value));
    return value;
  });
  return [...values].toSorted();
}

async function round(
  stage: Stage,
  { asked, shape, side }: { readonly asked: Case; readonly shape: Shape; readonly side: SideName },
  connections: number,
  seconds: number,
  counter: { next: number },
): Promise<Figures> {
  const used = () => ({
    all: cpuOfAll(),
    cpu: cpuOf((stage.sides[side] as Side).pid),
    postgres: cpuOfConnections(stage.postgres),
  });
  const before = used();
  const job = { case: asked.name, shape: shape.name, side, connections, seconds, from: counter.next };
  const outcome = await stage.ask(job);
  const after = used();
  counter.next += outcome.answers;
  const [cpu, postgres] = [after.cpu - before.cpu, cpuBetween(before.postgres, after.postgres)];
  return {
    rate: outcome.answers / outcome.seconds,
    median: outcome.median,
    cpu: cpu / outcome.answers,
    postgres: postgres / outcome.answers,
    others: (after.all - before.all - cpu - postgres - outcome.cpu) / (outcome.seconds * 1000),
  };
}

function medians(figures: readonly Figures[]): Figures {
  const of = (field: keyof Figures) => median(figures.map((each) => each[field]));
  return { rate: of("rate"), median: of("median"), cpu: of("cpu"), postgres: of("postgres"), others: of("others") };
}

/** The median of some numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/** The quantile of some numbers, such as 0.99; NaN of none. */
export const quantile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? Number.NaN;
