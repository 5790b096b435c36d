/**
 * The commands that look back and go back: what they print, what they ask, and what they leave behind.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { deletedZoneRow } from "../../../src/cli/command-row.ts";
import { colouredLine, wantsColour } from "../../../src/cli/difference.ts";
import {
  changeDocument,
  restoreDocument,
  revertChangeDocument,
  revertDomainDocument,
  serialDocument,
} from "../../../src/cli/history.ts";
import { blameRow, changesRow, deletedRow, newestDocument, versionsRow } from "../../../src/cli/history-rows.ts";
import { readMoment } from "../../../src/cli/moment.ts";
import { showAtRow, showRow } from "../../../src/cli/show.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { runToEnd, zonesmith } from "../../setup/process/process.ts";
import { adminKey, type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const [zone, neighbour] = ["cli.example.com", "cli.example.net"];

/** Runs a command line against the service; returns its exit code and what it printed. */
const run = (line: string) => runToEnd(line.split(" "), { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });

/** What a command prints; throws when it fails. */
async function printed(line: string): Promise<string> {
  const [code, stdout, stderr] = await run(line);
  if (code !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout;
}

beforeAll(async () => {
  const userId = await service.user("cli@example.com");
  for (const name of [zone, neighbour]) await service.domain(name, userId);
});

const change = async (input: object) =>
  await service.mutate("changeRecords", { zone, ...input }, "records { id } change { id serial }");

test("every operation is one of the schema", async () => {
  const schema = await createSchema();
  const past = [changesRow, versionsRow, blameRow, showAtRow];
  const rows = [...past, ...past.map(deletedZoneRow), deletedRow, showRow].map(({ document }) => document);
  const others = [changeDocument, restoreDocument, revertChangeDocument, revertDomainDocument, serialDocument];
  const documents = [...rows, ...others, newestDocument];
  expect(documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message))).toEqual([]);
});

test("a mistake is found, looked at, and undone", async () => {
  const added = await change({ add: [{ owner: "@", type: "MX", rdata: "10 mail.example.org." }] });
  const removed = await change({ remove: [added.records[0].id], note: "clean up" });
  await change({ add: [{ owner: "later", type: "TXT", rdata: "x" }] });

  const history = (await printed(`history ${zone}`)).split("\n");
  expect(history[0]).toMatch(/^SERIAL +WHAT +WHEN +BY +DOOR +CHANGE +NOTE$/);
  expect(history[2]).toMatch(
    new RegExp(
      `^${removed.change.serial} +− @ MX 10 mail\\.example\\.org\\. .* graphql +${removed.change.id} +clean up$`,
    ),
  );
  expect(history).toHaveLength(6);
  expect((await printed(`history ${zone} --since 2h`)).split("\n")).toHaveLength(6);
  expect((await printed(`history ${zone} @ MX`)).split("\n")[1]).toMatch(
    /administrator.*administrator.*3600 +10 mail\.example\.org\.$/,
  );
  expect(await printed(`blame ${zone} --at ${added.change.serial}`)).toMatch(
    new RegExp(`^@ +3600 +MX +10 mail\\.example\\.org\\. .* ${added.change.id} +- +-$`, "m"),
  );
  expect(await printed(`blame ${zone}`)).not.toContain("MX");
  expect(await printed(`export ${zone} --at ${added.change.id}`)).toContain("MX\t10 mail.example.org.");
  expect((await printed(`diff ${zone} ${added.change.serial}`)).split("\n").slice(2)).toEqual([
    expect.stringMatching(/^@@ @ MX @@ administrator .*: clean up$/),
    "-@ 3600 IN MX 10 mail.example.org.",
    expect.stringMatching(/^@@ later TXT @@ /),
    '+later 3600 IN TXT "x"',
    "",
  ]);

  const plan = "@@ @ MX @@\n+@ 3600 IN MX 10 mail.example.org.\n";
  const undo = `revert --change ${removed.change.id}`;
  expect(await printed(`${undo} --dry-run`)).toBe(`${plan}${zone} would be changed as shown; nothing was changed.\n`);
  expect(await run(undo)).toEqual([1, plan, `zonesmith: This changes ${zone} as shown. Write --yes if it is meant.\n`]);
  expect(await printed(`${undo} --yes`)).toMatch(/^@@ @ MX[\s\S]* is at serial \d+ by change \d+\.\n$/);
  const nothing = `${zone} is so already; nothing was changed.\n`;
  for (const how of ["--yes", "--dry-run"]) expect(await run(`${undo} ${how}`)).toEqual([4, nothing, ""]);
  expect((await run(`revert ${zone} ${removed.change.serial} --dry-run`))[0]).toBe(0);
  expect(await printed(`revert ${zone} ${removed.change.serial} --yes`)).toMatch(
    /^@@ @ MX @@\n-@[\s\S]*@@ later TXT @@\n-later/,
  );
  expect((await run(`revert --change ${added.change.id}`))[2]).toBe("");
  const again = await change({ add: [{ owner: "again", type: "TXT", rdata: "x" }] });
  const other = await change({ remove: [again.records[0].id], add: [{ owner: "again", type: "TXT", rdata: "y" }] });
  expect(await run(`revert --change ${again.change.id} --yes`)).toEqual([
    3,
    "",
    expect.stringMatching(/^zonesmith: again TXT was changed again by administrator/),
  ]);
  await change({ remove: [other.records[0].id] });
  const unlike = `Change ${removed.change.id} is of ${zone}, not of ${neighbour}; leave out the zone, or write ${zone}.`;
  expect(await run(`revert ${neighbour} --change ${removed.change.id}`)).toEqual([1, "", `zonesmith: ${unlike}\n`]);
  expect((await run(`revert ${zone} --change ${removed.change.id} --dry-run`))[0]).toBe(0);
  for (const option of ["--draft", "--skip-conflicts", "--since 5m", "--zones *"])
    expect(await run(`revert ${zone} ${removed.change.serial} ${option} --yes`)).toEqual([
      2,
      "",
      expect.stringContaining("--draft go with --by or --changeset"),
    ]);
  expect(await run(`revert --change ${removed.change.id} ${zone} 2h`)).toEqual([
    2,
    "",
    expect.stringMatching(/write a zone and/),
  ]);
});

test("a zone is shown as it is and as it was", async () => {
  const added = await change({ add: [{ owner: "shown", ttl: 300, type: "A", rdata: "192.0.2.1" }] });
  await change({ remove: [added.records[0].id] });
  const ofType = await printed(`history ${zone} --type a --json`);
  expect(JSON.parse(ofType).map(({ id }: { id: string }) => id)).toContain(added.change.id);
  expect(await printed(`history ${zone} --type LOC`)).not.toContain(added.change.id);
  expect(await printed(`show ${zone} --type NS`)).toMatch(/^ID +OWNER +TTL +TYPE +RDATA\n\d{16} +@ +3600 +NS +/);
  expect(await printed(`show ${zone}`)).not.toContain("shown");
  for (const moment of [added.change.serial, added.change.id])
    expect(await printed(`show ${zone} --at ${moment}`)).toMatch(
      new RegExp(`^${added.records[0].id} +shown +300 +A +192\\.0\\.2\\.1$`, "m"),
    );
  const [{ id }] = added.records;
  expect(await printed(`show ${zone} --at ${added.change.id} --owner shown --type a --json`)).toBe(
    `${JSON.stringify([{ id, owner: "shown", ttl: 300, type: "A", rdata: "192.0.2.1" }], null, 2)}\n`,
  );
  expect(await run(`show ${zone} --at 2h`)).toEqual([
    1,
    "",
    expect.stringMatching(/did not exist at .*its journal begins/),
  ]);
  expect(await run(`show ${zone} --at tomorrow`)).toEqual([
    1,
    "",
    expect.stringMatching(/is no moment; write a serial/),
  ]);
});

test("an export whose reader has enough ends without a word", async () => {
  const program = resolve(import.meta.dirname, "../../../bin/zonesmith");
  const environment = { PATH: process.env.PATH, ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey };
  const child = spawn(program, ["export", zone], { env: environment });
  const ended = once(child, "close");
  child.stdout.destroy();
  expect([await text(child.stderr), await ended]).toEqual(["", [0, null]]);
});

test("a deleted domain is listed, and brought back", async () => {
  const before = await printed(`blame ${zone}`);
  const [, newest = ""] = (await printed(`history ${zone} --json`).then(JSON.parse)).map(({ id }: Json) => id);
  await printed(`domain remove ${zone} --yes`);
  expect(await printed(`blame ${zone}`)).toBe(before);
  expect(await printed(`show ${zone} --at ${newest}`)).toMatch(/^\d{16} +@ +3600 +NS /m);
  const deletion = new RegExp(`^warning: ${zone} was deleted at \\d{4}-`);
  for (const line of [`show ${zone} --at ${newest}`, `blame ${zone}`, `history ${zone}`, `diff ${zone} ${newest}`])
    expect(await run(line)).toEqual([0, expect.any(String), expect.stringMatching(deletion)]);
  expect((await printed(`history ${zone}`)).split("\n")[1]).toMatch(/ deleted with 4 records /);
  const gone = /^zonesmith: There is no zone cli\.example\.com; check the name \(zonesmith deleted lists /;
  expect((await run(`show ${zone}`))[2]).toMatch(gone);
  expect((await run("history none.example"))[2]).toMatch(/^zonesmith: There is no zone none\.example; check the name/);
  expect(await printed("deleted --zone cli.example.com")).toMatch(
    /^ZONE .*\ncli\.example\.com .* cli@example\.com +\d{16}\n$/,
  );
  expect(await printed(`restore ${zone} --dry-run`)).toBe(`${zone} would come back with 4 records.\n`);
  expect((await run(`restore ${zone}`))[2]).toMatch(/Write --yes if it is meant/);
  expect((await run("restore 1000000000000001"))[2]).toMatch(/If 1000000000000001 is the id of a domain, write --id/);
  expect(await printed(`restore ${zone} --yes --note back`)).toMatch(/is back with 4 records, at serial \d+\.\n$/);
  expect(await printed("deleted --zone cli.")).toMatch(/^ZONE [^\n]*\n$/);
  expect((await printed(`history ${zone}`)).split("\n")[1]).toMatch(/restored with 4 records .* back$/);
  const [restored] = (await printed(`blame ${zone} --json`).then(JSON.parse)).filter(({ type }: Json) => type === "NS");
  expect(restored.blame.id).not.toBe(restored.restoredBy.id);
});

test("who made a change is a user and a key, by which the changes are found", async () => {
  const [user] = (await service.data(`{ users(filter: { email: "cli@example.com" }) { nodes { id } } }`)).users.nodes;
  const key = await service.key({ name: "laptop", userId: user.id });
  const input = { zone, owner: "mine", type: "TXT", rdata: "x" };
  await service.mutate("createRecord", input, "record { id }", key);
  const [, newest = ""] = (await printed(`history ${zone}`)).split("\n");
  const [, who = ""] = /(cli@example\.com · laptop \([\da-f]{8}\)) +graphql/.exec(newest) ?? [];
  const command = zonesmith(["history", zone, "--by", who], {
    ZONESMITH_URL: service.url,
    ZONESMITH_API_KEY: adminKey,
  });
  expect(await command.ended()).toBe(0);
  const [, found = "", ...others] = command.output().stdout.trimEnd().split("\n");
  expect([found.replace(/ +/g, " "), others]).toEqual([newest.replace(/ +/g, " "), []]);
});

test("a difference from before a zone was created is all of it, and a sentence says so", async () => {
  const [code, stdout, stderr] = await run(`diff ${zone} 2h`);
  expect(stdout.split("\n")[0]).toBe(`--- ${zone}\tbefore it was created`);
  expect(stdout).toMatch(/^\+@ 3600 IN NS /m);
  expect([code, stderr]).toEqual([0, `warning: ${zone} was created later; all that it has came since.\n`]);
});

test.each([
  ["2026112104", { serial: 2026112104 }],
  ["1000000000000123", { changeId: "1000000000000123" }],
  ["2h", { time: "2030-01-01T10:00:00.000Z" }],
  ["90s", { time: "2030-01-01T11:58:30.000Z" }],
  ["2030-01-01", { time: "2030-01-01" }],
  ["yesterday", { time: "2029-12-31T12:00:00.000Z" }],
  ["2030-01-01T10:00:00+02:00", { time: "2030-01-01T10:00:00+02:00" }],
  ["2030-01-01 10:00Z", { time: "2030-01-01 10:00Z" }],
])("the moment %s is read", (text, expected) => {
  expect(readMoment(text, Date.parse("2030-01-01T12:00:00Z"))).toEqual(expected);
});

test("a time without an offset is no moment, and what to write is said", () => {
  for (const text of ["2030-01-01 10:00", "2030-01-01T10:00:00"])
    expect(() => readMoment(text)).toThrow(`"${text}" has no time zone; write ${text}Z for UTC, or`);
  expect(() => readMoment("09:51")).toThrow(/^"09:51" has no time zone; write \d{4}-\d\d-\d\dT09:51Z for UTC, or/);
});

test.each(["", "-1", "2y", "tomorrow", "2030-02-30", "2030-02-30 10:00Z", "2030-02-30 10:00", "25:00"])(
  "%j is no moment",
  (text) => {
    expect(() => readMoment(text)).toThrow(/is no moment; write/);
  },
);

test("a difference is in colour on a terminal alone, and not with NO_COLOR", () => {
  expect(wantsColour({ isTTY: true }, {})).toBe(true);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
  expect(wantsColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColour({}, {})).toBe(false);
  const line = "-@ 3600 IN MX 10 mail.example.org.";
  expect([colouredLine(line, false), colouredLine(line, true)]).toEqual([line, `\x1b[31m${line}\x1b[0m`]);
  expect(colouredLine("--- example.com 1", true)).toBe("\x1b[1m--- example.com 1\x1b[0m");
});
