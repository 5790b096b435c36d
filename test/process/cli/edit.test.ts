/**
 * `edit`: what it prints, what it asks, and what it leaves behind.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { cancelDocument, needsDocument } from "../../../src/cli/apply-draft.ts";
import { applyDocument, progressDocument, publicationDocument } from "../../../src/cli/change-sets.ts";
import { dryEditDocument, editDocument, readInput } from "../../../src/cli/edit.ts";
import { allChangesRow } from "../../../src/cli/history-rows.ts";
import { dryRevertManyDocument, revertManyDocument } from "../../../src/cli/revert-many.ts";
import { rowLimit } from "../../../src/graphql/row-limit.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { runToEnd } from "../../setup/process/process.ts";
import { adminKey, mutation, testService } from "../../setup/service/service.ts";

const service = testService();
const [zone, other] = ["edit.example.com", "edit.example.net"];
beforeAll(async () => {
  const userId = await service.user("edit@example.com");
  for (const name of [zone, other]) {
    await service.domain(name, userId);
    await service.mutate(
      "createRecord",
      { zone: name, owner: "@", type: "MX", rdata: "10 old.example.org." },
      "record { id }",
    );
  }
});

/** Runs the command; returns its exit code and what it printed. */
const run = (...words: string[]) => runCommand("edit", ...words);

const runCommand = (...words: string[]) => runToEnd(words, { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });

const states = async () =>
  (await service.data("{ changeSets { nodes { state } } }")).changeSets.nodes.map(
    ({ state }: { state: string }) => state,
  );

test("every operation is one of the schema", async () => {
  const schema = await createSchema();
  const documents = [
    ...[editDocument, dryEditDocument, revertManyDocument, dryRevertManyDocument],
    ...[cancelDocument, needsDocument, publicationDocument, allChangesRow.document, applyDocument, progressDocument],
  ];
  expect(documents.flatMap((document) => validate(schema, parse(document)).map(({ message }) => message))).toEqual([]);
  const checkRows = rowLimit(schema);
  const input = { filter: {}, set: { ttl: 1 }, changeSetId: "1", id: "1" };
  for (const document of documents) {
    const parsed = parse(document);
    expect(() => checkRows(parsed, parsed.definitions[0] as never, { id: "1", input })).not.toThrow();
  }
});

test("options are read as the filter and the edit", () => {
  const refuse = (message: string) => {
    throw new Error(message);
  };
  const read = (options: Parameters<typeof readInput>[0]) => readInput(options, refuse);
  expect(read({ type: ["mx"], name: "a.test", to: "b.test" })).toMatchObject({
    filter: { types: ["MX"] },
    set: { replace: { name: { from: "a.test", to: "b.test" } } },
  });
  expect(read({ rdata: "10 mail", remove: true })).toMatchObject({
    filter: { rdata: { equals: "10 mail" } },
    set: { remove: true },
  });
  expect(() => read({ to: "x" })).toThrow("--to goes with one of");
  expect(() => read({ name: "x" })).toThrow("nothing to change");
  for (const options of [{ remove: true }, { ttl: "60" }])
    expect(() => read(options)).toThrow(
      "nothing selects the records; write an option such as --zones or --type, or --all",
    );
  expect(read({ remove: true, all: true })).toMatchObject({ set: { remove: true } });
  expect(() => read({ ttl: "1h" })).toThrow("write seconds");
  expect(() => read({ name: "x", contains: "y", ttl: "60" })).toThrow("write one of");
});

test("an edit is shown, asked for, applied in all zones, and leaves no draft where it is not meant", async () => {
  const words = ["--type", "MX", "--name", "old.example.org", "--to", "new.example.org", "--ttl", "300"];
  const difference = [zone, other].flatMap((name) => [
    `+++ ${name}`,
    "@@ @ MX @@",
    "-@ 3600 IN MX 10 old.example.org.",
    "+@ 300 IN MX 10 new.example.org.",
  ]);
  const shown = [
    "2 records match, 2 change in 2 zones; others may know the old ones for 3600 s.",
    ...difference,
    "2 of 2 zones change: 2 records go, 2 come.",
    "",
  ].join("\n");
  expect(await run(...words, "--dry-run")).toEqual([0, `${shown}Nothing was changed.\n`, ""]);
  expect(await states()).toEqual([]);
  const [code, , asked] = await run(...words);
  expect([code, asked]).toEqual([1, expect.stringContaining("Write --yes if it is meant.")]);
  expect(await states()).toEqual(["CANCELLED"]);
  expect((await run(...words, "--draft"))[1]).toMatch(
    /Change set \d+ is a draft; "changeset apply \d+" applies it\.\n$/,
  );
  expect(await states()).toEqual(["DRAFT", "CANCELLED"]);
  expect((await run(...words, "--yes"))[1]).toMatch(/ is APPLIED\.\n$/);
  const records = (await service.data('{ records(filter: { types: ["MX"] }) { nodes { zone ttl rdata } } }')).records;
  expect(records.nodes.map(({ ttl, rdata }: { ttl: number; rdata: string }) => `${ttl} ${rdata}`)).toEqual([
    "300 10 new.example.org.",
    "300 10 new.example.org.",
  ]);
  for (const how of ["--yes", "--dry-run"])
    expect(await run(...words, how)).toEqual([4, expect.stringContaining("Nothing was changed."), ""]);
  expect((await run("--type", "MX"))[0]).toBe(2);
  expect((await runCommand("history", "--since", "1h", "--type", "MX"))[1]).toMatch(
    /^edit\.example\.com .* @ MX .*10 old\.example\.org\. → .*10 new\.example\.org\./m,
  );
  expect((await runCommand("history", "--type", "MX"))[2]).toBe(
    "zonesmith: --since is missing; --type goes with it.\n",
  );
});

test("an edit that a zone demands approvals of is kept as a draft, and says what comes next", async () => {
  const review = mutation("updateDomain", "domain { id }");
  const demand = (policy: string) => service.data(review, { input: { zone: other, review: policy } });
  await demand("ONE");
  const words = ["--type", "MX", "--ttl", "600"];
  const before = (await states()).length;
  const next =
    /"changeset submit (\d+)" submits it to review, another person approves it by "changeset approve \1", and then "changeset apply \1" applies it\./;
  const [code, shown, refused] = await run(...words, "--yes");
  expect([code, shown]).toEqual([1, expect.stringContaining("2 of 2 zones change")]);
  expect(refused).toContain(`needs 1 approval, as demanded by ${other}. It is kept as a draft: `);
  expect(refused).toMatch(next);
  expect(refused).toMatch(
    / Or "changeset unstage \d+ ZONE" takes such zones out, and the others are applied without\.\n$/,
  );
  expect((await run(...words, "--draft"))[1]).toMatch(next);
  const warned = `No zone is changed before it has 1 approval, as demanded by ${other}. It would be kept as a draft for that; --zones selects without some.\nNothing was changed.\n`;
  expect(await run(...words, "--dry-run")).toEqual([0, expect.stringContaining(warned), ""]);
  const { error } = JSON.parse((await run(...words, "--yes", "--json"))[1]);
  expect(error).toBe("REVIEW_REQUIRED");
  expect((await states()).slice(0, -before)).toEqual(["DRAFT", "DRAFT", "DRAFT"]);
  await demand("NONE");
});

test("the exit code tells what others stand in the way of from what there is nothing left to undo of", async () => {
  const created = await service.data('mutation { createApiKey(input: { name: "exit-bot" }) { key } }');
  const change = mutation("changeRecords", "change { id }");
  const add = (rdata: string, key?: string) =>
    service.data(change, { input: { zone, add: [{ owner: "x", type: "A", rdata }] } }, key);
  await add("192.0.2.1", created.createApiKey.key);
  await add("192.0.2.2");
  const revert = ["revert", "--by", "exit-bot", "--since", "1h", "--yes"];
  expect(await runCommand(...revert)).toEqual([3, "", expect.stringContaining("zonesmith: --skip-conflicts leaves")]);
  expect(await runCommand(...revert, "--skip-conflicts")).toEqual([3, expect.stringContaining("left out: "), ""]);
  expect(await runCommand("revert", "--by", "nobody", "--since", "1h", "--yes")).toEqual([
    4,
    "0 changes are selected.\nNothing was changed.\n",
    "",
  ]);
});

test("a set that changes each zone for itself is applied zone by zone, and what is refused of it is staged anew", async () => {
  const idOf = (text: string) => /\b\d{16}\b/.exec(text)?.[0] as string;
  const id = idOf((await runCommand("changeset", "create", "each", "--each-zone"))[1]);
  for (const name of [zone, other])
    expect((await runCommand("changeset", "stage", id, name, "--add", "@ CNAME other.example."))[0]).toBe(0);
  await runCommand("changeset", "stage", id, zone, "--replace", "--add", "each A 192.0.2.1");
  const [code, applied] = await runCommand("changeset", "apply", id, "--yes");
  expect([code, applied]).toEqual([1, expect.stringContaining(`${id} is PARTIAL: 1 of 2 zones were refused`)]);
  const [, shown] = await runCommand("changeset", "show", id);
  expect(shown).toContain("1 of 2, 1 refused");
  expect(shown).toContain(`${other} edit refused: `);
  const [restaged, anew] = await runCommand("changeset", "restage", id);
  expect([restaged, anew]).toEqual([0, expect.stringMatching(/^zones +1$/m)]);
  const [, shownAnew] = await runCommand("changeset", "show", idOf(anew));
  expect(shownAnew).toContain(`${other} edit\n`);
  expect(shownAnew).not.toContain(zone);
});
