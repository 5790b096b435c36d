/**
 * The metrics of a process: counts what it is given, and asks for the rest when it is scraped. Those of Node have the names that prom-client
 * gives them.
 */
import { collectDefaultMetrics, type Metric as RegisteredMetric, Registry } from "prom-client";
import { Family, HistogramFamily, type Observations, type Value } from "./family.ts";
import { type LabelsOf, type MetricName, metrics } from "./table.ts";

/** Sets metrics before they are written. */
export type Source = (metrics: Metrics) => void | Promise<void>;

export class Metrics {
  readonly #registry = new Registry();
  readonly #families = new Map<string, Family>();
  readonly #sources: Source[] = [];

  constructor() {
    for (const [name, metric] of Object.entries(metrics)) {
      const family = metric.type === "histogram" ? new HistogramFamily(name, metric) : new Family(name, metric);
      this.#families.set(name, family);
      // The registry uses the name and what get() returns, and nothing else of a metric.
      this.#registry.registerMetric(family as unknown as RegisteredMetric);
    }
  }

  /** Adds the metrics of Node and of the process, which Node measures from now on. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** A counter or gauge with these labels. */
  value<Name extends MetricName>(name: Name, labels: LabelsOf<Name>): Value {
    return this.#family(name).with(labels);
  }

  /** Counts one more, or as many as are given. */
  count<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, more = 1): void {
    this.value(name, labels).value += more;
  }

  /** Replaces the values of a metric: what is not among them is not shown any more. */
  set<Name extends MetricName>(name: Name, values: Iterable<readonly [LabelsOf<Name>, number]>): void {
    this.#family(name).set([...values].map(([labels, value]) => ({ labels, value })));
  }

  /** The observations of a histogram with these labels. */
  observations<Name extends MetricName>(name: Name, labels: LabelsOf<Name>): Observations {
    return (this.#family(name) as HistogramFamily).observations(labels);
  }

  /** Has a source asked at every scrape; one that fails leaves the others as they are. */
  addSource(source: Source): void {
    this.#sources.push(source);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics as text. */
  async text(): Promise<string> {
    await Promise.allSettled(this.#sources.map(async (source) => source(this)));
    return this.#registry.metrics();
  }

  #family(name: MetricName): Family {
    return this.#families.get(name) as Family;
  }
}
