/**
 * The test of acknowledged writes as a command: `npm run ledger -- --cycles 100`. With a seed the same operations and disturbances come in
 * the same order; `--only` makes one disturbance. A cluster of PostgreSQL, which fails over, has disturbances of its own:
 * `--database hosts --database haproxy`. It ends with status 1 when a law was broken.
 */
import { parseArgs } from "node:util";
import { disturbances, failovers } from "../setup/ledger/disturbances.ts";
import { run } from "../setup/ledger/run.ts";
import { summary } from "../setup/ledger/summary.ts";
import { type Database, databases, isCluster } from "../setup/ledger/world.ts";
import { PatroniCluster } from "../setup/servers/patroni-cluster.ts";

const names = Object.keys({ ...disturbances, ...failovers });
const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true, default: names },
    database: { type: "string", multiple: true, default: ["embedded", "url"] },
  },
});
const problems = [
  ...[values.cycles, values.seed].filter((text) => !/^\d+$/.test(text)),
  ...values.only.filter((name) => !names.includes(name)),
  ...values.database.filter((name) => !databases.includes(name as Database)),
];
if (problems.length > 0) {
  console.error(`There is no ${problems.join(", ")}. Usage: npm run ledger -- --cycles 100 --seed 1 --only <disturbance>
  --database ${databases.join("|")}; disturbances: ${names.join(", ")}`);
  process.exit(2);
}

const chosen = values.database as Database[];
const cluster = chosen.some(isCluster) ? await PatroniCluster.start() : undefined;
const cycles = await run({
  cycles: Number(values.cycles),
  seed: Number(values.seed),
  only: values.only,
  databases: chosen,
  ...(cluster && { cluster }),
  print: (line) => console.log(line),
}).finally(() => cluster?.stop());
console.log(`\n${summary(cycles)}`);
process.exitCode = cycles.some(({ breaches }) => breaches.length > 0) ? 1 : 0;
