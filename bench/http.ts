/**
 * The bench over HTTP: the service compared with a floor, on the same PostgreSQL and the same data in the same run. README.md says how to
 * run it, and has the results.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { regressions } from "./harness/guard.ts";
import { measureLists } from "./harness/lists.ts";
import { measure, median, type Result } from "./harness/rounds.ts";
import { shapes } from "./harness/shapes.ts";
import { openStage } from "./harness/stage.ts";
import { summary, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    peer: { type: "boolean", default: false },
    guard: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    shape: { type: "string" },
    profile: { type: "string" },
  },
});
const size = values.quick ? { zones: 500, records: 20_000 } : { zones: 2000, records: 100_000 };
const effort = values.quick
  ? { rounds: 3, seconds: 0.1, warmUp: 0.1, settling: 0.3 }
  : { rounds: 5, seconds: 0.25, warmUp: 0.4, settling: 4 };
const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];

const tell = ({ name, shape, connections, figures, ratios }: Result) =>
  console.error(
    `${name}, ${shape}, ${connections}: ${Object.entries(ratios)
      .map(([side, ratio]) => `${ratio.toFixed(2)} of ${side}`)
      .join(", ")}; CPU ${Object.entries(figures)
      .map(([side, { cpu, postgres }]) => `${side} ${cpu.toFixed(2)}+${postgres.toFixed(2)}`)
      .join(", ")} ms`,
  );

/** The name of the whole lists in `--only`; only REST requests them. */
const nameOfLists = "W7 list of all records";
const { shape } = values;
const only = new RegExp(values.only);
if (shape !== undefined && !shapes.some(({ name }) => name === shape))
  throw new Error(`There is no shape ${shape}: ${shapes.map(({ name }) => name).join(", ")}.`);

const stage = await openStage(size, flags, values.peer);
try {
  const isListed = only.test(nameOfLists) && (shape ?? "REST") === "REST";
  const lists = isListed ? await measureLists(stage, size, values.quick ? 3 : 5) : [];
  const results = await measure(stage, size, effort, { only, shape }, tell);
  const others = median(results.flatMap(({ figures }) => Object.values(figures).map((each) => each.others)));
  const machine = `Node ${process.versions.node}, PostgreSQL on the same machine, ${cpus().length} cores (${cpus()[0]?.model.trim()}), of which other processes had ${others.toFixed(1)}.`;
  const text = `${machine} In pairs the service comes first, then the floor.\n\n${summary(results, lists)}`;
  console.log(text);
  const slower = values.guard ? regressions(text) : [];
  for (const line of slower) console.error(`slower: ${line}`);
  if (slower.length > 0) process.exitCode = 1;
  if (values.write) writeTable(text);
} finally {
  await stage.close();
}
