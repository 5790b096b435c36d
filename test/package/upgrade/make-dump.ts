/**
 * Makes a version's folder: loads the database of the version before into the one at DATABASE_URL, which must be empty, lets the service of
 * this checkout migrate it and write, dumps it with `pg_dump`, and records how the service answers on it. README.md says when and how.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../setup/basics/eventually.ts";
import { query } from "../../setup/database/database.ts";
import { RunningService } from "../../setup/process/running-service.ts";
import type { Json } from "../../setup/service/client.ts";
import { fill } from "./fill.ts";
import { questionsOf } from "./question-list.ts";
import { type Answered, ask, files, type Question, readRecorded, type Setup } from "./questions.ts";
import { holdPublisher, openSecondaries } from "./surroundings.ts";

const [version = ""] = process.argv.slice(2);
const databaseUrl = process.env.DATABASE_URL ?? "";
if (!/^\d+\.\d+$/.test(version) || databaseUrl === "") {
  console.error(
    "Usage: DATABASE_URL=postgresql://... npm run dump -- <version>, such as 0.1; see test/package/upgrade/README.md.",
  );
  process.exit(2);
}
const folder = join(import.meta.dirname, version);
if (existsSync(join(folder, files.dump))) {
  console.error(`${version} is recorded already; its folder is never made again.`);
  process.exit(2);
}
const operations = readFileSync(join(folder, files.operations), "utf8");
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

/** The version before, whose database this version goes on with. */
const before = readdirSync(import.meta.dirname).filter((name) => /^\d+\.\d+$/.test(name) && name !== version);
const latest = before.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1) as string;
const { dump: earlier, setup: earlierSetup } = readRecorded(join(import.meta.dirname, latest));
await query(databaseUrl, earlier);
const administratorKey = earlierSetup.apiKeys.administrator as string;
const setup = await migrateAndFill();
write(files.setup, `${JSON.stringify(setup, null, 2)}\n`);
write(files.dump, dump());
const release = await holdPublisher(databaseUrl);
const service = await start(setup);
try {
  const recorded = { setup, operations };
  const answered: Answered[] = [];
  for (const question of await questionsOf(databaseUrl, (each) => ask(service, recorded, each), setup))
    answered.push({ ...question, answer: await ask(service, recorded, question) } as Answered);
  refuseDoubtful(answered);
  write(files.answers, answered.map((each) => `${JSON.stringify(each)}\n`).join(""));
  console.log(`${answered.length} questions`);
} finally {
  await service.end();
  await release();
}

/** Starts the service of this checkout on the database; it logs its errors. */
function start({ settings }: Setup): Promise<RunningService> {
  return RunningService.start({ DATABASE_URL: databaseUrl, LOG_LEVEL: "error", ...settings }, administratorKey);
}

/** Starts the service on what the version before left, and lets it write and its publisher look at the secondaries, until nothing is pending. */
async function migrateAndFill(): Promise<Setup> {
  const filled = await start(earlierSetup);
  const secondaries = await openSecondaries(databaseUrl, earlierSetup);
  const states = "{ domains(first: 1000) { nodes { publication { state } } } }";
  try {
    const written = await fill(filled, earlierSetup, version);
    await eventually(async () => {
      const { domains } = await filled.data(states);
      return domains.nodes.every(({ publication }: Json) => /^(LIVE|LATE)$/.test(publication.state));
    });
    return written;
  } finally {
    await filled.end();
    for (const secondary of secondaries) await secondary.close();
  }
}

/** The database as statements that any client can run: no commands of psql, nothing of the server's roles. */
function dump(): string {
  const bare = ["--no-owner", "--no-privileges", "--no-comments", "--no-tablespaces", "--no-security-labels"];
  const args = [...bare, "--inserts", "--rows-per-insert=100", `--dbname=${databaseUrl}`];
  const text = execFileSync("pg_dump", args, { encoding: "utf8", maxBuffer: 1e8 });
  const kept = text
    .split("\n")
    .filter((line) => !/^(--( .*)?|\\(un)?restrict .*|SET default_table_access_method .*|)$/.test(line));
  return `${kept.join("\n")}\n`;
}

/** Refuses answers that a clock could change, and lists that do not end where they should. */
function refuseDoubtful(answered: readonly Answered[]): void {
  const doubtful = (question: Question & { answer: unknown }) => {
    const text = JSON.stringify(question.answer);
    return (
      "graphql" in question && (/"PENDING"|"UNSERVED"/.test(text) || /"error":"(?!NOT_FOUND|FORBIDDEN)/.test(text))
    );
  };
  const found = answered.filter(doubtful);
  if (found.length > 0) throw new Error(`these cannot be expected: ${JSON.stringify(found, null, 2)}`);
}
