/** A real Prometheus that scrapes a service of the tests, and promtool. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import type { Json } from "../service/service.ts";

/** The folder of the rules. */
const rulesFolder = resolve(import.meta.dirname, "../../../deploy/prometheus");

export class Prometheus {
  readonly #folder = temporaryFolder();
  #child: ChildProcess | undefined;
  #url = "";
  #output = "";

  /** Starts it on the rules of `deploy` and a target, `host:port`, with the key that it scrapes with. */
  async start(target: string, key: string): Promise<void> {
    const port = await freePort();
    const times = { scrape_interval: "500ms", scrape_timeout: "500ms" };
    const scraped = { authorization: { credentials: key }, static_configs: [{ targets: [target] }] };
    const configuration = {
      global: { ...times, evaluation_interval: "200ms" },
      rule_files: [join(rulesFolder, "zonesmith.rules.yml")],
      scrape_configs: [{ job_name: "zonesmith", ...scraped }],
    };
    // JSON is YAML.
    const file = join(this.#folder, "prometheus.yml");
    writeFileSync(file, JSON.stringify(configuration));
    const place = [`--storage.tsdb.path=${this.#folder}/data`, `--web.listen-address=127.0.0.1:${port}`];
    const words = [`--config.file=${file}`, ...place];
    const child = spawn("prometheus", words, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (this.#output += data));
    this.#child = child;
    this.#url = `http://127.0.0.1:${port}`;
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(this.#output);
      return (await fetch(`${this.#url}/-/ready`)).ok;
    });
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null) {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    }
  }

  /** What a path of its API returns; throws what it says is wrong. */
  async get(path: string, parameters: Readonly<Record<string, string>> = {}): Promise<Json> {
    const response = await fetch(`${this.#url}/api/v1/${path}?${new URLSearchParams(parameters)}`);
    const { status, data, error } = (await response.json()) as Json;
    if (status !== "success") throw new Error(`${JSON.stringify(parameters)}: ${error}`);
    return data;
  }

  /** The values of an expression now, by their labels. */
  async values(query: string): Promise<{ readonly metric: Json; readonly value: number }[]> {
    const { result } = await this.get("query", { query });
    return result.map(({ metric, value }: Json) => ({ metric, value: Number(value[1]) }));
  }
}

/** Runs promtool in the folder of the rules with this input; returns the exit code, and all that it printed. */
export async function promtool(words: readonly string[], input = ""): Promise<{ code: number; printed: string }> {
  const child = spawn("promtool", words, { cwd: rulesFolder, stdio: ["pipe", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (printed += data));
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number];
  return { code, printed };
}
