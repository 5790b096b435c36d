/**
 * Measures the cases: short rounds of the floor and of the service in turn, so that the machine's other work meets both alike.
 */
import { isDeepStrictEqual } from "node:util";
import { type Case, cases } from "./cases.ts";
import type { Size } from "./data.ts";
import { askOnce, cpuOf, cpuOfChildren, type Stage } from "./processes.ts";

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
}

/** What one side came to: medians over the rounds. Times are ms; CPU is that of the process and that of PostgreSQL, for one answer. */
export interface Figures {
  readonly rate: number;
  readonly median: number;
  readonly cpu: number;
  readonly postgres: number;
}

/** A case at a number of connections. `ratio` is the median over the pairs of rounds of the service's rate to the floor's. */
export interface Result {
  readonly name: string;
  readonly connections: number;
  readonly floor: Figures;
  readonly service: Figures;
  readonly ratio: number;
}

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
    await check(stage, size, asked, counter);
    for (const side of ["floor", "service"] as const) await round(stage, asked, side, 16, effort.warmUp, counter);
    for (const connections of [1, 16]) {
      const pairs: { floor: Figures; service: Figures }[] = [];
      for (let n = 0; n < effort.rounds; n++) {
        const floor = await round(stage, asked, "floor", connections, effort.seconds, counter);
        pairs.push({ floor, service: await round(stage, asked, "service", connections, effort.seconds, counter) });
      }
      const result = {
        name: asked.name,
        connections,
        floor: medians(pairs.map(({ floor }) => floor)),
        service: medians(pairs.map(({ service }) => service)),
        ratio: median(pairs.map(({ floor, service }) => service.rate / floor.rate)),
      };
      tell(result);
      results.push(result);
    }
  }
  return results;
}

/** Compares the first answers of both sides, parsed; of writes, all but ids and serials, which differ. */
async function check(stage: Stage, size: Size, asked: Case, counter: { next: number }): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const number = counter.next++;
    const fromFloor = await askOnce(stage.floor.port, asked.floor(number, size));
    const fromService = await askOnce(stage.service.port, asked.service(asked.writes ? counter.next++ : number, size));
    const [expected, given] = [fromFloor, fromService].map((text) =>
      JSON.parse(asked.writes ? text.replace(/\d{7,}/g, (digits) => "1".repeat(digits.length)) : text),
    );
    if (!isDeepStrictEqual(expected, given))
      throw new Error(`${asked.name}: the answers differ.\n${fromFloor}\n${fromService}`);
  }
}

async function round(
  stage: Stage,
  asked: Case,
  side: "floor" | "service",
  connections: number,
  seconds: number,
  counter: { next: number },
): Promise<Figures> {
  const used = () => ({ cpu: cpuOf(stage[side].pid), postgres: cpuOfChildren(stage.postgres) });
  const before = used();
  const outcome = await stage.ask({ case: asked.name, side, connections, seconds, from: counter.next });
  const after = used();
  counter.next += outcome.answers;
  return {
    rate: outcome.answers / outcome.seconds,
    median: outcome.median,
    cpu: (after.cpu - before.cpu) / outcome.answers,
    postgres: (after.postgres - before.postgres) / outcome.answers,
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
