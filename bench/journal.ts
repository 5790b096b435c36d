/**
 * The bench of the journal: what PostgreSQL needs for the questions of the console, on 10,000 zones and 1,000,000 changes. README.md has the
 * results.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { headers } from "./harness/cases.ts";
import { largeZone, userId } from "./harness/data.ts";
import { makeAudit, makeChangeSets, makeJournal, makeRefusals, makeSightings } from "./harness/journal.ts";
import { askOnce, cpuBetween, cpuOfConnections, fill, startPostgres, startService } from "./harness/processes.ts";
import { median } from "./harness/rounds.ts";
import { machineText, row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const size = values.quick ? { zones: 1000, records: 5000 } : { zones: 10_000, records: 50_000 };
const changes = values.quick ? 100_000 : 1_000_000;
const rounds = 15;

/** The time so many hours ago. */
const before = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

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

const activity = "entries { kind count at since node { id __typename } } endCursor";
const questionsOfActivity = {
  "`activity`, the first 50": `{ activity { ${activity} } }`,
  "the same of a zone": `{ activity(filter: { zone: "zone-00001.example" }) { ${activity} } }`,
  "the same of a key": `{ activity(filter: { who: "key-7" }) { ${activity} } }`,
  "the same of the console": `{ activity(filter: { source: CONSOLE }) { ${activity} } }`,
  "the same of the last hour": `{ activity(filter: { since: "${before(1)}" }) { ${activity} } }`,
  "the same before a month ago": `{ activity(filter: { until: "${before(720)}" }) { ${activity} } }`,
  ...Object.fromEntries(
    ["CHANGES", "REVIEWS", "REFUSED", "ACCESS"].map((kind) => [
      `the same of ${kind}`,
      `{ activity(filter: { kind: ${kind} }) { ${activity} } }`,
    ]),
  ),
};

const groups = ["records", "domains", "changes", "users", "apiKeys", "tsigKeys", "secondaries"];
const found = groups.map((group) => `${group} { nodes { id } count }`).join(" ");
const questionOfSearch = (text: string) => `{ search(text: "${text}") { ${found} } }`;
const questionsOfSearch = Object.fromEntries(
  ["192.0.2.150", "192.0.2.0/24", "2026010150", "www mx", "host-0123", "release", "release 7", "nowhere"].map(
    (text) => [`\`search\` of \`${text}\``, questionOfSearch(text)],
  ),
);

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
  await makeAudit(client);
  await makeChangeSets(client);
  await client.end();
  const { port } = await startService(url, [], undo);
  const made = `mutation { createApiKey(input: { name: "bench", userId: "${userId(1)}" }) { key } }`;
  const { createApiKey } = JSON.parse(
    await askOnce(port, { method: "POST", path: "/graphql", body: { query: made } }),
  ).data;
  const ofUser = { ...headers, "X-API-Key": createApiKey.key as string };
  const asked: [name: string, query: string, headers?: Readonly<Record<string, string>>][] = [
    ...Object.entries({ ...questions, ...questionsOfActivity, ...questionsOfSearch }),
    ["`activity`, the first 50 of a user of 100 zones", `{ activity { ${activity} } }`, ofUser],
    ["`search` of `www mx` by this user", questionOfSearch("www mx"), ofUser],
    ["`search` of `192.0.2.0/24` by this user", questionOfSearch("192.0.2.0/24"), ofUser],
    ["`search` of `release` by this user", questionOfSearch("release"), ofUser],
  ];
  for (const [name, query, as = headers] of asked) {
    const times: { cpu: number; whole: number }[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const [cpu, begun] = [cpuOfConnections(postgres), performance.now()];
      const text = await askOnce(port, { method: "POST", path: "/graphql", body: { query }, headers: as });
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
if (values.write) writeTable(`${text}\n`, "journal");
