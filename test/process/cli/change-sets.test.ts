/**
 * The commands of change sets: what they print, what they ask, and what they leave behind.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { changeSetRows, readRecord } from "../../../src/cli/change-set-rows.ts";
import { applyDocument, reviewDocument, scheduleDocument } from "../../../src/cli/change-sets.ts";
import { previewDocument } from "../../../src/cli/preview.ts";
import { rowLimit } from "../../../src/graphql/row-limit.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { runToEnd, zonesmith } from "../../setup/process/process.ts";
import { adminKey, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const [zone, other] = ["sets.example.com", "sets.example.net"];
let userId: string;
beforeAll(async () => {
  userId = await service.user("sets@example.com");
  for (const name of [zone, other]) await service.domain(name, userId);
});

/** Runs a command line against the service; returns its exit code and what it printed. */
const run = (words: readonly string[], key = adminKey) =>
  runToEnd(["changeset", ...words], { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: key });

/** What a command prints; throws when it fails. */
async function printed(...words: string[]): Promise<string> {
  const [code, stdout, stderr] = await run(words);
  if (code !== 0) throw new Error(`${words.join(" ")}: ${stderr}`);
  return stdout;
}

test("every operation is one of the schema, and within its limits", async () => {
  const schema = await createSchema();
  const documents = [
    ...changeSetRows.map(({ document }) => document),
    applyDocument,
    previewDocument,
    reviewDocument,
    scheduleDocument,
  ];
  expect(documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message))).toEqual([]);
  const checkRows = rowLimit(schema);
  for (const document of [previewDocument, ...changeSetRows.map((row) => row.document)]) {
    const parsed = parse(document);
    const [operation] = parsed.definitions;
    expect(() => checkRows(parsed, operation as never, { id: "1" })).not.toThrow();
  }
});

test("a record is read as it is written", () => {
  expect(readRecord("www 300 A 192.0.2.1")).toEqual({ owner: "www", ttl: 300, type: "A", rdata: "192.0.2.1" });
  expect(readRecord("@ MX 10 mail")).toEqual({ owner: "@", type: "MX", rdata: "10 mail" });
  expect(() => readRecord("www A")).toThrow("no record");
});

test("a set is created, staged, looked at, reviewed by another key and applied", async () => {
  const create = await printed("create", "new web", "--approvals", "1", "--json");
  const { id } = JSON.parse(create);
  await printed("stage", id, zone, "--add", "web 300 A 192.0.2.1", "web 300 A 192.0.2.2");
  await printed("stage", id, other, "--add", "web A 192.0.2.1");
  expect(await printed("preview", id)).toBe(
    [
      `+++ ${zone}`,
      "@@ web A @@",
      "+web 300 IN A 192.0.2.1",
      "+web 300 IN A 192.0.2.2",
      `+++ ${other}`,
      "@@ web A @@",
      "+web 3600 IN A 192.0.2.1",
      "2 of 2 zones change: 0 records go, 3 come.",
      "No zone is changed before it has 1 approval.",
      "",
    ].join("\n"),
  );
  expect((await run(["apply", id, "--yes"]))[2]).toContain("is DRAFT");
  expect(await printed("submit", id, "--text", "please look")).toMatch(/^state +IN_REVIEW$/m);
  expect((await run(["approve", id, "--yes"]))[2]).toContain("cannot review it");
  const document = mutation("createApiKey", "key");
  const { key } = (await service.data(document, { input: { name: "reviewer", userId } })).createApiKey;
  expect((await run(["approve", id], key))[2]).toContain("Write --yes if it is meant.");
  expect((await run(["approve", id, "--yes"], key))[1]).toContain("is APPROVED with 1 of 1 approvals.");
  expect(await printed("apply", id, "--dry-run")).toContain("Nothing was changed.");
  expect(await printed("apply", id, "--yes")).toMatch(new RegExp(`${id} is APPLIED\\.\\n$`));
  expect(await printed("show", id)).toMatch(new RegExp(`^zones +${zone} edit applied$`, "m"));
  const done = await printed("preview", id);
  expect(done).toContain(`+++ ${zone}\n@@ web A @@\n+web 300 IN A 192.0.2.1\n`);
  expect(done).toContain(`2 of 2 zones were changed: 0 records went, 3 came.\nThe change set is APPLIED.\n`);
  expect(await printed("list", "--state", "applied", "--zone", other)).toMatch(
    new RegExp(`^${id} +new web +APPLIED`, "m"),
  );
  const { records } = await service.data(`{ records(filter: { zone: "${zone}", owner: "web" }) { totalCount } }`);
  expect(records.totalCount).toBe(2);
});

test("what is staged for a zone is replaced when that is meant, and taken out; a set gets other words, and is withdrawn", async () => {
  const { id } = JSON.parse(await printed("create", "firts", "--approvals", "1", "--json"));
  await printed("stage", id, zone, "--add", "one A 192.0.2.1", "two A 192.0.2.1");
  const [code, , refused] = await run(["stage", id, zone, "--add", "three A 192.0.2.1"]);
  expect([code, refused]).toEqual([1, expect.stringMatching(/2 edits are staged already.* append .* replace /)]);
  const [, , warned] = await run(["stage", id, zone, "--replace", "--add", "three A 192.0.2.1"]);
  expect(warned).toContain(`warning: What was staged for ${zone} before, 2 edits, is replaced.`);
  await printed("stage", id, other, "--add", "four A 192.0.2.1");
  expect(await printed("unstage", id, other)).not.toContain(`${other} edit`);
  expect((await run(["unstage", id, other]))[2]).toContain(other);
  expect((await run(["change", id]))[0]).toBe(2);
  const changed = await printed("edit", id, "--title", "first", "--description", "a word", "--each-zone");
  expect(changed).toMatch(/^title +first\ndescription +a word\nstate +DRAFT\nmode +EACH_ZONE$/m);
  expect((await run(["change", id, "--each-zone", "--all-zones"]))[2]).toContain("one of them");
  await printed("submit", id);
  expect(await printed("withdraw", id, "--text", "not yet")).toMatch(/^state +DRAFT$/m);
  expect(await printed("preview", id)).toContain("1 of 1 zones change: 0 records go, 1 come.");
});

test("a set is scheduled as it is shown, and unscheduled", async () => {
  const { id } = JSON.parse(await printed("create", "later", "--json"));
  await printed("stage", id, zone, "--add", "later A 192.0.2.1");
  expect((await run(["schedule", id, "tomorrow", "--yes"]))[2]).toContain("in how long: 2h");
  expect((await run(["schedule", id, "2h"]))[2]).toContain("Write --yes if it is meant.");
  expect(await printed("schedule", id, "2h", "--skip-missed", "--yes")).toMatch(/\+later .*\n.*\n.* is SCHEDULED for /);
  expect(await printed("show", id)).toMatch(/^due at +\d{4}-.*Z\napplied at +-$/m);
  expect(await printed("unschedule", id, "--text", "not yet")).toMatch(/^state +DRAFT$/m);
});

test("edits that others are in conflict with are kept or left out", async () => {
  const { id } = JSON.parse(await printed("create", "in conflict", "--json"));
  const change = async (add: object[], remove: string[] = []) => {
    const document = mutation("changeRecords", "records { id }");
    return (await service.data(document, { input: { zone, add, remove } })).changeRecords.records;
  };
  const [record] = await change([{ owner: "both", type: "A", rdata: "192.0.2.1", ttl: 300 }]);
  await printed("stage", id, zone, "--remove", record.id);
  await change([{ owner: "both", type: "A", rdata: "192.0.2.2", ttl: 300 }]);
  expect((await run(["resolve", id, zone, "--mine"]))[2]).toContain("no such conflict");
  const update = mutation("updateRecord", "record { id }");
  await service.data(update, { input: { id: record.id, rdata: "192.0.2.3" } });
  const [code, preview] = await run(["preview", id]);
  expect(code).toBe(3);
  expect(preview).toContain(
    [
      "! both A was changed since it was staged; keep what the set makes of it, or leave it as it is now.",
      "!   when staged: both 300 IN A 192.0.2.1",
      "!   this set:    nothing",
      "!   now:         both 300 IN A 192.0.2.3",
      "",
    ].join("\n"),
  );
  expect(preview).toContain(`"changeset resolve ${id} ${zone} --mine" keeps`);
  const resolve = `zonesmith changeset resolve ${id} ${zone} --mine (or --theirs)`;
  for (const step of [
    ["submit", id],
    ["apply", id, "--yes"],
  ])
    expect(await run(step)).toEqual([3, expect.any(String), expect.stringContaining(resolve)]);
  expect((await run(["resolve", id, zone, "--owner", "both"]))[2]).toContain("--mine or --theirs");
  expect((await run(["apply", id, "--dry-run"]))[0]).toBe(3);
  expect(await printed("resolve", id, zone, "--mine", "--owner", "both", "--type", "a")).toMatch(
    new RegExp(
      `^id +${id}\ntitle +in conflict\nstate +DRAFT\nrevision +3\nzones +1\ndone +\\S+Z staged by .*: ${zone}: kept what is in conflict\n$`,
    ),
  );
  expect(await printed("apply", id, "--yes")).toContain("-both 300 IN A 192.0.2.3");
  expect(await printed("list", "--awaiting-me")).not.toContain(id);
});

test("of a set over many zones the first are shown, what is in the way in others, and on demand all", async () => {
  const names = Array.from({ length: 18 }, (_, at) => `z${String(at).padStart(2, "0")}.many.example`);
  for (const name of names) await service.domain(name, userId);
  const add = [{ owner: "made", type: "A", rdata: "192.0.2.1" }];
  const last = names.at(-1) as string;
  const find = `{ records(filter: { zone: "${last}", types: ["CNAME"] }) { nodes { id } } }`;
  const [cname] = (await service.data(find)).records.nodes;
  const zones = names.map((name) => (name === last ? { zone: name, remove: [cname.id] } : { zone: name, add }));
  const create = mutation("createChangeSet", "changeSet { id }");
  const { id } = (await service.data(create, { input: { title: "many", zones } })).createChangeSet.changeSet;
  const [fine, first] = await run(["preview", id]);
  expect([fine, first]).toEqual([0, expect.stringContaining(`... and 3 more zones; "changeset preview ${id} --all"`)]);
  const edit = mutation("updateRecord", "record { id }");
  await service.data(edit, { input: { id: cname.id, ttl: 60 } });
  // Also where the other zones are changed all the same.
  await printed("change", id, "--each-zone");
  const [code, page] = await run(["preview", id]);
  expect([code, page]).toEqual([3, expect.stringContaining(`+++ ${last}\n! www CNAME was changed`)]);
  expect(page).toContain("... and 2 more zones; ");
  expect(page).not.toContain(names[16]);
  const all = await run(["preview", id, "--all"]);
  expect(all[0]).toBe(3);
  expect(all[1].match(/^\+\+\+ .*$/gm)).toEqual(names.map((name) => `+++ ${name}`));
  expect(all[1]).not.toContain("more zones");
});

test("what is in the way is shown, and a set is asked to be changed, commented and cancelled", async () => {
  const { id } = JSON.parse(await printed("create", "in the way", "--json"));
  expect(await printed("preview", id)).toContain("Nothing is staged.");
  await printed("stage", id, zone, "--add", "www A 192.0.2.1");
  const [refused, preview] = await run(["preview", id]);
  expect(refused).toBe(1);
  expect(preview).toContain("! RECORD_CONFLICT: ");
  expect(preview).toContain("0 of 1 zones change");
  expect(preview).toContain("It cannot be applied");
  expect((await run(["apply", id, "--yes"]))[0]).toBe(1);
  const find = `{ records(filter: { zone: "${zone}", types: ["CNAME"] }) { nodes { id } } }`;
  const [cname] = (await service.data(find)).records.nodes;
  await printed("stage", id, zone, "--replace", "--remove", cname.id);
  const edit = mutation("updateRecord", "record { id }");
  await service.data(edit, { input: { id: cname.id, ttl: 60 } });
  // What others changed meanwhile ends it in another way than what is refused.
  expect((await run(["apply", id, "--yes"]))[0]).toBe(3);
  expect(await printed("comment", id, "not so")).toContain(": not so");
  expect(await printed("cancel", id)).toMatch(/^state +CANCELLED$/m);
  expect((await run(["stage", id, zone]))[0]).toBe(2);
});

test("a zone's return to a moment, and a master file, are staged as what they change", async () => {
  const { id } = JSON.parse(await printed("create", "back and file", "--json"));
  const { serial } = (await service.data("query ($zone: String!) { domain(by: { zone: $zone }) { serial } }", { zone }))
    .domain;
  await service.mutate("createRecord", { zone, owner: "mistake", type: "A", rdata: "192.0.2.66" }, "record { id }");
  await printed("stage", id, zone, "--revert-to", String(serial));
  const file = join(temporaryFolder(), "file.zone");
  await writeFile(file, "$TTL 300\nfiled A 192.0.2.7\n");
  await printed("stage", id, other, "--import", file);
  const shown = await printed("preview", id);
  expect(shown).toContain("-mistake 3600 IN A 192.0.2.66");
  expect(shown).toContain("+filed 300 IN A 192.0.2.7");
  expect(shown).toContain("2 of 2 zones change: 1 records go, 1 come.");
  const both = await run(["stage", id, other, "--import", file, "--import-replace", file]);
  expect([both[0], both[2]]).toEqual([1, expect.stringContaining("one of them")]);
});

test("a zone is created, and a deleted one restored, by parts of a set", async () => {
  const [created, deleted] = ["created.example.com", "deleted.example.com"];
  await service.domain(deleted, userId);
  const remove = mutation("deleteDomain", "deletedId");
  const { deleteDomain } = await service.data(remove, { input: { zone: deleted } });
  const { id } = JSON.parse(await printed("create", "two parts", "--json"));
  await printed("stage", id, created, "--create", "--user", "sets@example.com", "--add", "www A 192.0.2.1");
  await printed("stage", id, deleted, "--restore", "--id", deleteDomain.deletedId);
  expect(await printed("show", id)).toContain(`${deleted} restore`);
  const preview = await printed("preview", id);
  expect(preview).toContain(`+++ ${created} (created)`);
  expect(preview).toContain(`+++ ${deleted} (restored)`);
  expect(await printed("apply", id, "--yes")).toContain("APPLIED");
  const { a, b } = await service.data(
    `{ a: domain(by: { zone: "${created}" }) { id } b: domain(by: { zone: "${deleted}" }) { id } }`,
  );
  expect(a.id).not.toBeNull();
  expect(b.id).toBe(deleteDomain.deletedId);
});

test("a template's dry run shows what would change, and leaves no change set behind", async () => {
  const create = mutation("createTemplate", "template { id }");
  const records = [{ owner: "made", type: "A", rdata: "192.0.2.77" }];
  await service.data(create, { input: { name: "dry", records } });
  const count = async () => (await service.data("{ changeSets { totalCount } }")).changeSets.totalCount;
  const before = await count();
  const line = ["template", "apply", "dry", "--zones", zone, "--dry-run"];
  const command = zonesmith(line, { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });
  expect(await command.ended()).toBe(0);
  const { stdout } = command.output();
  expect(stdout).toContain("+made 3600 IN A 192.0.2.77");
  expect(stdout).toContain("Nothing was changed.");
  expect(await count()).toBe(before);
});
