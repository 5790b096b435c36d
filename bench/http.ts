/**
 * The bench: the service over HTTP beside a floor, on the same PostgreSQL and the same data in the same run. README.md tells how to
 * run it and what it showed.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { regressions } from "./harness/guard.ts";
import { measureLists } from "./harness/lists.ts";
import { measure, type Result } from "./harness/rounds.ts";
import { openStage } from "./harness/stage.ts";
import { summary, writeReadme } from "./harness/summary.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    peer: { type: "boolean", default: false },
    guard: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    profile: { type: "string" },
  },
});
const size = values.quick ? { zones: 500, records: 20_000 } : { zones: 2000, records: 100_000 };
const effort = values.quick ? { rounds: 3, seconds: 0.3, warmUp: 200 } : { rounds: 5, seconds: 0.7, warmUp: 2000 };
const flags = values.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${values.profile}`];

const tell = ({ name, connections, figures, ratios }: Result) =>
  console.error(
    `${name}, ${connections}: ${Object.entries(ratios)
      .map(([side, ratio]) => `${ratio.toFixed(2)} of ${side}`)
      .join(", ")}; CPU ${Object.entries(figures)
      .map(([side, { cpu, postgres }]) => `${side} ${cpu.toFixed(2)}+${postgres.toFixed(2)}`)
      .join(", ")} ms`,
  );

/** What `--only` calls the whole lists over REST. */
const nameOfLists = "list of all records, REST";

const stage = await openStage(size, flags, values.peer);
try {
  const isListed = nameOfLists.includes(values.only);
  const lists = isListed ? await measureLists(stage, size, values.quick ? 3 : 5) : [];
  const results = await measure(stage, size, effort, values.only, tell);
  const machine = `Node ${process.versions.node}, PostgreSQL on the same machine, ${cpus().length} cores (${cpus()[0]?.model.trim()}).`;
  const text = `${machine} In pairs the service comes first, then the floor.\n\n${summary(results, lists)}`;
  console.log(text);
  const slower = values.guard ? regressions(results) : [];
  for (const line of slower) console.error(`slower: ${line}`);
  if (slower.length > 0) process.exitCode = 1;
  if (values.write) writeReadme(text);
} finally {
  await stage.close();
}
