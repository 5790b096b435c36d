/** The values of one metric by their labels, for the registry of prom-client. Who counts often keeps the `Value`. */
import type { Metric } from "./table.ts";

type Labels = Readonly<Record<string, string>>;

export interface Value {
  readonly labels: Labels;
  value: number;
}

/** A sample in the form of prom-client; `metricName` is the name of a part of a histogram. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

const keyOf = (labels: Labels) => Object.values(labels).join("\u0000");

export class Family {
  readonly name: string;
  readonly metric: Metric;
  readonly #values = new Map<string, Value>();

  constructor(name: string, metric: Metric) {
    this.name = name;
    this.metric = metric;
  }

  /** Returns the value with these labels, which begins at 0. The caller adds to its number or sets it. */
  with(labels: Labels): Value {
    const key = keyOf(labels);
    let value = this.#values.get(key);
    if (!value) {
      value = { labels, value: 0 };
      this.#values.set(key, value);
    }
    return value;
  }

  set(values: Iterable<Value>): void {
    this.#values.clear();
    for (const value of values) this.#values.set(keyOf(value.labels), value);
  }

  /** Called by the registry of prom-client at a scrape. */
  async get() {
    const { name, metric } = this;
    return {
      name,
      help: metric.help,
      type: metric.type,
      aggregator: metric.isShared ? "max" : "sum",
      values: [...this.samples()],
    };
  }

  protected samples(): Iterable<Sample> {
    return this.#values.values();
  }
}

export class Observations {
  readonly labels: Labels;
  readonly #bounds: readonly number[];
  /**
   * The count of each bucket: observations above the previous bound and up to this one. The last count is for observations above all
   * bounds.
   */
  readonly #counts: number[];
  #sum = 0;

  constructor(labels: Labels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = [...bounds, 0].map(() => 0);
  }

  add(value: number): void {
    let at = 0;
    while (at < this.#bounds.length && value > (this.#bounds[at] as number)) at += 1;
    (this.#counts[at] as number) += 1;
    this.#sum += value;
  }

  *samples(name: string): Generator<Sample> {
    let count = 0;
    for (const [at, each] of this.#counts.entries()) {
      count += each;
      yield { metricName: `${name}_bucket`, labels: { ...this.labels, le: this.#bounds[at] ?? "+Inf" }, value: count };
    }
    yield { metricName: `${name}_sum`, labels: this.labels, value: this.#sum };
    yield { metricName: `${name}_count`, labels: this.labels, value: count };
  }
}

export class HistogramFamily extends Family {
  readonly #observations = new Map<string, Observations>();

  observations(labels: Labels): Observations {
    const key = keyOf(labels);
    let observations = this.#observations.get(key);
    if (!observations) {
      observations = new Observations(labels, this.metric.bounds ?? []);
      this.#observations.set(key, observations);
    }
    return observations;
  }

  protected override *samples(): Generator<Sample> {
    for (const observations of this.#observations.values()) yield* observations.samples(this.name);
  }
}
