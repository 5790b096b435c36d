/**
 * Labels of domains and notes of RRsets by the command line.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { parse, validate } from "graphql";
import { labelRow, labelsDocument, notesRow, setNoteRow, shownLabelsRow } from "../../../src/cli/annotations.ts";
import { createSchema } from "../../../src/graphql/schema/schema.ts";
import { runToEnd } from "../../setup/process/process.ts";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService();
let userId: string;
beforeAll(async () => {
  userId = await service.user("annotations@example.com");
});

/** Runs the command on the service; answers its exit code and what it printed. */
const run = (...words: string[]) => runToEnd(words, { ZONESMITH_URL: service.url, ZONESMITH_API_KEY: adminKey });

async function printed(line: string): Promise<string> {
  const [code, stdout, stderr] = await run(...line.split(" "));
  if (code !== 0) throw new Error(`${line}: ${stderr}`);
  return stdout;
}

test("the command line shows, sets and removes labels, and lists by them", async () => {
  const schema = await createSchema();
  const documents = [labelRow.document, shownLabelsRow.document, labelsDocument];
  expect(documents.flatMap((document) => validate(schema, parse(document)))).toEqual([]);
  await service.domain("c.example.com", userId);
  expect(await printed("label c.example.com env=test team=dns draft")).toBe(
    "zone    c.example.com\nlabels  draft\n        env=test\n        team=dns\n",
  );
  expect(await printed("label c.example.com team- env=prod")).toMatch(/^labels {2}draft\n {8}env=prod\n$/m);
  expect(await printed("label c.example.com")).toBe("zone    c.example.com\nlabels  draft\n        env=prod\n");
  expect(await printed("domain list --label env=prod")).toMatch(/^ZONE .*\nc\.example\.com .*\n$/);
  expect(await printed("domain show c.example.com")).toMatch(/^labels +draft$/m);
});

test("the command line writes, lists and removes notes", async () => {
  const schema = await createSchema();
  expect([notesRow, setNoteRow].flatMap(({ document }) => validate(schema, parse(document)))).toEqual([]);
  const zone = "noted.example.com";
  await service.domain(zone, userId);
  expect(await run("note", zone, "@", "NS", "one\ntwo")).toEqual([0, "@ NS has the note.\n", ""]);
  expect(await run("note", zone, "www", "CNAME", "ask", "Jane")).toEqual([0, "www CNAME has the note.\n", ""]);
  expect((await run("note", zone))[1]).toMatch(
    /^OWNER +TYPE +BY +WHEN +NOTE\n[\s\S]*^www +CNAME +administrator .* ask Jane$/m,
  );
  expect((await run("note", zone))[1]).toMatch(/^@ +NS +.* one \/ two$/m);
  expect(await run("note", zone, "later", "A", "x")).toEqual([
    0,
    expect.any(String),
    expect.stringMatching(/^warning: There is no A/),
  ]);
  expect(await run("note", zone, "www", "CNAME", "--remove")).toEqual([0, "www CNAME has no note.\n", ""]);
  expect((await run("note", zone))[1]).not.toContain("www");
  for (const words of [["www"], ["www", "A"], ["www", "A", "x", "--remove"]])
    expect(await run("note", zone, ...words)).toEqual([
      2,
      "",
      expect.stringMatching(/an owner, a type and a text, or --remove/),
    ]);
});
