/**
 * The bench of the journal: what PostgreSQL needs for the questions of the console, on 10,000 zones and 1,000,000 changes. README.md has the
 * results.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { largeZone } from "./harness/data.ts";
import { makeJournal, makeRefusals, makeSightings } from "./harness/journal.ts";
import { askOnce, cpuBetween, cpuOfConnections, fill, startPostgres, startService } from "./harness/processes.ts";
import { median } from "./harness/rounds.ts";
import { machineText, row, writeReadme } from "./harness/summary.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const size = values.quick ? { zones: 1000, records: 5000 } : { zones: 10_000, records: 50_000 };
const changes = values.quick ? 100_000 : 1_000_000;
const rounds = 15;

const ofLarge = (fields: string) => `{ domain(by: { zone: "${largeZone}" }) { ${fields} } }`;
const questions = {
  "a page of 1,000 records": ofLarge("records(first: 1000) { nodes { id owner rdata } }"),
  "the same with `changedAt` and `changedBy`": ofLarge(
    "records(first: 1000) { nodes { id owner rdata changedAt changedBy { id actor } } }",
  ),
  "`recordCounts` and `defaultTtl` of the largest zone": ofLarge("defaultTtl recordCounts { type count }"),
  "the same of 50 zones": "{ domains(first: 50) { nodes { defaultTtl recordCounts { type count } } } }",
  "a page of 1,000 changes": "{ changes(first: 1000) { nodes { id } } }",
  "the same with `undoneBy`": "{ changes(first: 1000) { nodes { id undoneBy { id serial } } } }",
  "the first 50 zones by exception": "{ domains(first: 50, orderBy: EXCEPTION) { nodes { zone } } }",
  "`attention`": "{ attention { kind count at secondary { name } refusal { keyName code } apiKey { name } } }",
};

const undo: (() => unknown)[] = [];
const rows = [row("", "PostgreSQL, ms", "whole answer, ms"), row("---", "---:", "---:")];

async function run(): Promise<void> {
  const url = await startPostgres(undo);
  const postgres = await fill(url, size);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await makeJournal(client, changes);
  await makeSightings(client);
  await makeRefusals(client);
  await client.end();
  const { port } = await startService(url, [], undo);
  for (const [name, query] of Object.entries(questions)) {
    const times: { cpu: number; whole: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [cpu, begun] = [cpuOfConnections(postgres), performance.now()];
      const text = await askOnce(port, { method: "POST", path: "/graphql", body: { query } });
      const whole = performance.now() - begun;
      if (text.includes('"errors"')) throw new Error(`${name}: ${text.slice(0, 300)}`);
      if (round > 0) times.push({ cpu: cpuBetween(cpu, cpuOfConnections(postgres)), whole });
    }
    const figures = [median(times.map(({ cpu }) => cpu)), median(times.map(({ whole }) => whole))];
    const line = row(name, ...figures.map((each) => each.toFixed(1)));
    console.error(line);
    rows.push(line);
  }
}

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}
const machine = machineText();
const text = `${machine}\n\n${rows.join("\n")}`;
console.log(text);
if (values.write) writeReadme(`${text}\n`, "journal");
