/**
 * The bench of the past: a page and the whole of a zone of 50,000 records at its oldest moment, compared with the present, and the
 * difference of its last 100 changes. It runs after 10,000 changes of 2 edits, and again after 10,000 changes of 100 edits. Then the bench
 * of change sets over 1,000 zones. README.md has the results.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { measureSets } from "./harness/change-sets.ts";
import { largeZone } from "./harness/data.ts";
import { askOnce, fill, startPostgres, startService } from "./harness/processes.ts";
import { median } from "./harness/rounds.ts";
import { row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, write: { type: "boolean", default: false } },
});
const size = { zones: values.quick ? 100 : 1000, records: values.quick ? 5000 : 50_000 };
const changes = values.quick ? 500 : 10_000;
const rounds = values.quick ? 3 : 9;

/** $1 the zone, $2 the number of changes, $3 the edits of each change, each of one record: stored as the one door does. */
const editsText = `
  with zone as materialized (
    select id, serial from domain where zone = $1
  ), made as materialized (
    insert into change (domain_id, zone, kind, previous_serial, serial, actor, door)
    select id, $1, 'EDIT', serial + n - 1, serial + n, 'bench', 'graphql' from zone, generate_series(1, $2::int) n order by n
    returning id, serial - (select serial from zone) as n
  ), host as materialized (
    select r.*, row_number() over (order by r.id) - 1 as k from zone_record r
    where r.domain_id = (select id from zone) and r.type = 'A' order by r.id limit $2::int * $3::int
  ), ended as (
    insert into change_record (change_id, ordinal, domain_id, record_id, since, since_ordinal, owner, type, ttl, rdata, wire)
    select made.id, k % $3::int, domain_id, host.id, change_id, 0, owner, type, 300, rdata, wire
    from host join made on made.n = k / $3::int + 1
  ), begun as (
    update zone_record r set change_id = made.id from host join made on made.n = k / $3::int + 1 where r.id = host.id
  )
  update domain d set serial = d.serial + $2::int from zone where d.id = zone.id`;

/** Inserts a CREATE change of the zone, and makes it the change of every record of the zone. */
const createdText = `
  with made as (
    insert into change (domain_id, zone, kind, serial, actor, door)
    select id, zone, 'CREATE', serial, 'bench', 'graphql' from domain where zone = $1 returning id, domain_id
  ) update zone_record r set change_id = made.id from made where r.domain_id = made.domain_id`;

const record = "nodes { owner type ttl rdata }";
const undo: (() => unknown)[] = [];
const rows = [row("ms", "2 edits a change", "100 edits a change"), row("---", "---:", "---:")];

/** A request, and the check of its answer. */
interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly check: (text: string) => boolean;
}

/** The times of requests, sent in turn, ms, by round. */
async function measure(port: number, questions: readonly Question[]): Promise<number[][]> {
  const times = questions.map(() => [] as number[]);
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, { check, ...question }] of questions.entries()) {
      const begun = performance.now();
      const text = await askOnce(port, question);
      const time = performance.now() - begun;
      if (!check(text)) throw new Error(`${question.path}, question ${at}: ${text.slice(0, 300)}`);
      if (round > 0) times[at]?.push(time);
    }
  return times;
}

const countOf = (text: string, part: string) => text.split(part).length - 1;

async function run(): Promise<void> {
  const url = await startPostgres(undo);
  await fill(url, size);
  const { port } = await startService(url, [], undo);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  undo.push(() => client.end());
  // Without statistics for the new rows PostgreSQL would join a million edits by nested loops.
  await client.query("set enable_nestloop = off");
  await client.query(createdText, [largeZone]);
  const ask = (field: string, check: Question["check"]): Question => ({
    method: "POST",
    path: "/graphql",
    body: { query: `{ domain(by: { zone: "${largeZone}" }) { ${field} } }` },
    check,
  });
  const changeAt = async (offset: number) =>
    (
      await client.query<{ id: string }>("select id from change where zone = $1 order by id desc offset $2 limit 1", [
        largeZone,
        offset,
      ])
    ).rows[0]?.id ?? "";
  const { rows: first } = await client.query<{ id: string }>("select min(id) as id from change where zone = $1", [
    largeZone,
  ]);
  const oldest = first[0]?.id ?? "";
  const figures: number[][][] = [];
  for (const edits of [2, 100]) {
    const together = Math.min(changes, Math.floor((size.records - 10) / edits));
    for (let done = 0; done < changes; done += together)
      await client.query(editsText, [largeZone, Math.min(together, changes - done), edits]);
    console.error(`${changes} changes of ${edits} edits are there`);
    await client.query("vacuum analyze");
    const recent = await changeAt(100);
    const file = `/api/domain/zonefile/${largeZone}`;
    const { rows: edited } = await client.query<{ count: string }>(
      "select count(*) from change_record where since = $1",
      [oldest],
    );
    // The edits have changed the TTL of this record.
    const isFile = (others: number) => (text: string) =>
      countOf(text, "\n") === size.records && countOf(text, "\t300\t") === others;
    const isPage = (others: boolean) => (text: string) =>
      countOf(text, '"owner"') === 1000 && text.includes('"ttl":300') === others;
    const isDifference = (text: string) => countOf(text, '"REMOVED"') === 50 && countOf(text, '"ADDED"') === 50;
    const differing = "rrsets(first: 50) { nodes { owner type lines { op rdata } } }";
    figures.push(
      await measure(port, [
        ask(`records(first: 1000) { ${record} }`, isPage(false)),
        ask(`at(moment: { changeId: "${oldest}" }) { records(first: 1000) { ${record} } }`, isPage(true)),
        { method: "GET", path: file, check: isFile(0) },
        { method: "GET", path: `${file}?at=${oldest}`, check: isFile(Number(edited[0]?.count)) },
        ask(`diff(from: { changeId: "${recent}" }) { ${differing} }`, isDifference),
        ask(`diff(from: { changeId: "${oldest}" }) { ${differing} }`, isDifference),
      ]),
    );
  }
  const names = [
    "a page of 1,000 records of the present, GraphQL",
    "the same at the oldest moment",
    "the whole present as a master file, REST",
    "the same at the oldest moment",
    "the first 50 RRsets that the last 100 changes left different",
    "the same of all changes",
  ];
  const medians = figures.map((each) => each.map(median));
  for (const [at, name] of names.entries())
    rows.push(row(name, ...medians.map((each) => (each[at] ?? Number.NaN).toFixed(0))));
  const ratio = (present: number) => (each: readonly number[][]) =>
    median(each[present + 1]?.map((oldest, round) => (each[present]?.[round] as number) / oldest) ?? []).toFixed(2);
  rows.push(row("the page, as fast as the present's (goal 0.5)", ...figures.map(ratio(0)).map(bold)));
  rows.push(row("the whole, as fast as the present's (goal 0.6)", ...figures.map(ratio(2)).map(bold)));
  rows.push("", ...(await measureSets({ port, client, zones: size.zones, rounds })));
}

const bold = (text: string) => `**${text}**`;

try {
  await run();
} finally {
  for (const each of undo.toReversed()) await each();
}
console.log(rows.join("\n"));
if (values.write) writeTable([...rows, ""].join("\n"), "history");
