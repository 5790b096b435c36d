/** The metrics of a process: counted as things happen, or set by sources at each scrape. Metrics of Node have prom-client's names. */
import { AggregatorRegistry, collectDefaultMetrics, type Metric as RegisteredMetric, Registry } from "prom-client";
import { Family, HistogramFamily, type Observations, type Value } from "./family.ts";
import { type LabelsOf, type MetricName, metrics } from "./table.ts";

export type Source = (metrics: Metrics) => void | Promise<void>;

/** The metrics of one process, as another may sum them up. */
export type MetricsOfProcess = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

export class Metrics {
  readonly #registry = new Registry();
  readonly #families = new Map<string, Family>();
  readonly #sources: Source[] = [];

  readonly #collect: (() => Promise<readonly MetricsOfProcess[]>) | undefined;

  /** `collect` returns the metrics of all processes that are scraped as one. */
  constructor(collect?: () => Promise<readonly MetricsOfProcess[]>) {
    this.#collect = collect;
    for (const [name, metric] of Object.entries(metrics)) {
      const family = metric.type === "histogram" ? new HistogramFamily(name, metric) : new Family(name, metric);
      this.#families.set(name, family);
      // The registry uses only the name of a metric and the result of its get().
      this.#registry.registerMetric(family as unknown as RegisteredMetric);
    }
  }

  /** Adds the metrics of Node and of the process, which Node measures from now on. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  value<Name extends MetricName>(name: Name, labels: LabelsOf<Name>): Value {
    return this.#family(name).with(labels);
  }

  count<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, more = 1): void {
    this.value(name, labels).value += more;
  }

  /** Replaces all values of a metric; labels without a new value disappear. */
  set<Name extends MetricName>(name: Name, values: Iterable<readonly [LabelsOf<Name>, number]>): void {
    this.#family(name).set([...values].map(([labels, value]) => ({ labels, value })));
  }

  observations<Name extends MetricName>(name: Name, labels: LabelsOf<Name>): Observations {
    return (this.#family(name) as HistogramFamily).observations(labels);
  }

  /** Adds a source, which is called at every scrape. When a source fails, the metrics of the others are right all the same. */
  addSource(source: Source): void {
    this.#sources.push(source);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  async text(): Promise<string> {
    if (this.#collect) return AggregatorRegistry.aggregate([...(await this.#collect())]).metrics();
    await this.#readSources();
    return this.#registry.metrics();
  }

  /** The metrics of this process alone. */
  async read(): Promise<MetricsOfProcess> {
    await this.#readSources();
    return this.#registry.getMetricsAsJSON();
  }

  async #readSources(): Promise<void> {
    await Promise.allSettled(this.#sources.map(async (source) => source(this)));
  }

  #family(name: MetricName): Family {
    return this.#families.get(name) as Family;
  }
}
