/** The question before a command whose effect cannot be undone. */
import { PassThrough } from "node:stream";
import { expect, test } from "@jest/globals";
import { consequenceOf } from "../../../src/cli/changes/preview.ts";
import { confirm } from "../../../src/cli/terminal/confirmation.ts";

const question = { consequence: "This deletes a.example.", expected: "a.example", called: "the zone's name" };

/** A terminal on which this was typed. */
function terminalWith(typed: string) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  input.end(typed);
  return { input, output: new PassThrough() };
}

test("is answered by the name, in any spelling of it", async () => {
  const terminal = terminalWith("A.example.\n");
  await confirm(question, terminal);
  expect(String(terminal.output.read())).toContain("This deletes a.example.\nType the zone's name if it is meant: ");
});

test.each(["b.example\n", "y\n", "\n", ""])("changes nothing after %j", async (typed) => {
  await expect(confirm(question, terminalWith(typed))).rejects.toThrow(
    "That is not the zone's name; nothing was changed.",
  );
});

test("away from a terminal asks nobody", async () => {
  const elsewhere = { input: new PassThrough(), output: new PassThrough() };
  await expect(confirm(question, elsewhere)).rejects.toThrow("This deletes a.example. Write --yes if it is meant.");
});

test.each([
  [0, 0, "This changes the zones as shown, at 3."],
  [1, 1, "This changes the zones as shown, at 3: it deletes 1 zone."],
  [
    2,
    3,
    "This changes the zones as shown, at 3: it deletes 2 zones, and removes more than a tenth of the records of 1 zone.",
  ],
])("says how many zones a change set deletes, %d, among those that lose much, %d", (deletedZoneCount, count, text) => {
  expect(consequenceOf({ deletedZoneCount, largeLossCount: count }, ", at 3")).toBe(text);
});
