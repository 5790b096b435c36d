/**
 * The bench of the console: a zone of 50,000 records in a headless Chromium, compared with fetching the same pages and drawing idle frames
 * in the same browser. README.md says how to run it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "playwright-core";
import { adminKey, headers } from "./harness/cases.ts";
import { startPostgres, startService } from "./harness/processes.ts";
import { quantile } from "./harness/rounds.ts";
import { row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const rounds = values.quick ? 1 : 7;
const recordCount = 50_000;
const zone = "console.example";
/** The script for the page; the bench runs from the compiled output, at the top of the project. */
const script = readFileSync(join(process.cwd(), "bench/harness/in-console.js"), "utf8");
const undo: (() => unknown)[] = [];

const median = (figures: readonly number[]) => quantile(figures, 0.5);

/** The results of one page: times in ms from the navigation or from a key, memory in MB. */
interface Round {
  readonly firstPaint: number;
  readonly firstRows: number;
  readonly allRows: number;
  /** The time for the same pages with only fetch and JSON.parse. */
  readonly fetched: number;
  readonly filterKeys: readonly number[];
  readonly arrowKeys: readonly number[];
  readonly scrolledFrames: readonly number[];
  readonly idleFrames: readonly number[];
  readonly memory: number;
}

/** Presses keys, each after the previous key was painted; returns their times. */
async function press(page: Page, keys: readonly string[]): Promise<number[]> {
  await page.evaluate("bench.keys.length = 0");
  for (const [at, key] of keys.entries()) {
    await page.keyboard.press(key);
    await page.evaluate(`bench.painted(${at + 1})`);
  }
  return (await page.evaluate("bench.keys")) as number[];
}

async function measure(browser: Browser, url: string): Promise<Round> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const signedIn = { data: { key: adminKey }, headers: { "X-Zonesmith-Console": "1" } };
    await context.request.post(`${url}/sign-in`, signedIn);
    const page = await context.newPage();
    await page.addInitScript(`${script}; bench.ready = bench.watch();`);
    await page.goto(`${url}/console/zones/${zone}`);
    await page.evaluate("bench.ready");
    const { firstRows, allRows } = (await page.evaluate("bench.marks")) as Record<"firstRows" | "allRows", number>;
    const paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
    const firstPaint = (await page.evaluate(paint)) as number;
    await page.locator("[role=gridcell]:focus").waitFor();
    const arrowKeys = await press(page, Array<string>(20).fill("ArrowDown"));
    await page.getByLabel("Filter records").focus();
    const filterKeys = await press(page, [..."4999", ...Array<string>(4).fill("Backspace")]);
    const scrolledFrames = (await page.evaluate("bench.frames(180, 400)")) as number[];
    const idleFrames = (await page.evaluate("bench.frames(180, 0)")) as number[];
    const session = await context.newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    await session.send("Performance.enable");
    const { metrics } = await session.send("Performance.getMetrics");
    const memory = (metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN) / 1e6;
    const fetched = (await page.evaluate(`bench.fetchAll("${zone}")`)) as number;
    return { firstPaint, firstRows, allRows, fetched, filterKeys, arrowKeys, scrolledFrames, idleFrames, memory };
  } finally {
    await context.close();
  }
}

async function fill(url: string): Promise<void> {
  const ask = async (path: string, body: string, type: string) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...headers, "Content-Type": type },
      body,
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { id?: string };
  };
  const { id } = await ask("/api/user/add", "email=bench@example.com", "application/x-www-form-urlencoded");
  await ask("/api/domain/add", `user_id=${id}&zone=${zone}`, "application/x-www-form-urlencoded");
  const lines = Array.from({ length: recordCount }, (_, at) => `host${at} A 192.0.${at >> 8}.${at & 255}\n`);
  await ask(`/api/domain/zonefile/${zone}?mode=merge`, lines.join(""), "text/dns");
}

function table(results: readonly Round[]): string[] {
  const of = (figure: (round: Round) => number) => median(results.map(figure));
  const all = (figures: (round: Round) => readonly number[], share: number) =>
    median(results.map((round) => quantile(figures(round), share)));
  const ms = (time: number) => `${time.toFixed(0)} ms`;
  const beside = (time: number, floor: number, what: string) =>
    `${what} ${ms(floor)}; **${(time / floor).toFixed(2)}**`;
  const [fetched, frame] = [of((round) => round.fetched), all((round) => round.idleFrames, 0.95)];
  const allRows = of((round) => round.allRows);
  const timed = (what: string, time: number, budget: number, floor = "") => row(what, ms(time), floor, ms(budget));
  const keys = (figures: (round: Round) => readonly number[], what: string) =>
    timed(what, all(figures, 0.95), 50, beside(all(figures, 0.95), frame, "a frame"));
  const scrolled = all((round) => round.scrolledFrames, 0.95);
  return [
    row("from the navigation or the key to the paint", "median", "beside", "budget"),
    row("---", "---:", "---", "---:"),
    timed(
      "first paint",
      of((round) => round.firstPaint),
      500,
    ),
    timed(
      "first rows",
      of((round) => round.firstRows),
      700,
    ),
    timed("all 50,004 rows", allRows, 3000, beside(allRows, fetched, "the same pages fetched and parsed")),
    keys((round) => round.filterKeys, "a key in the filter, p95"),
    keys((round) => round.arrowKeys, "an arrow key in the grid, p95"),
    timed("a frame while scrolling, p95", scrolled, 34, beside(scrolled, frame, "at rest")),
    row("memory of the page after a collection", `${of((round) => round.memory).toFixed(0)} MB`, "", "100 MB"),
  ];
}

try {
  const { port } = await startService(await startPostgres(undo), [], undo);
  const url = `http://127.0.0.1:${port}`;
  await fill(url);
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
  const browser = await chromium.launch({ executablePath, args });
  undo.push(() => browser.close());
  const load = loadavg()[0]?.toFixed(1);
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await measure(browser, url));
  const machine = `Node ${process.versions.node}, Chromium ${browser.version()}, everything on one machine, ${cpus().length} cores (${cpus()[0]?.model.trim()}), whose load was ${load} before.`;
  const text = [machine, "", ...table(results), ""].join("\n");
  console.log(text);
  if (values.write) writeTable(text, "console");
} finally {
  for (const each of undo.toReversed()) await each();
}
