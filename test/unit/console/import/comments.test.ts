/** Comments of a master file: those directly before an RRset can be its note, the others are listed by their lines. */
import { expect, test } from "@jest/globals";
import { noteChanges, readComments } from "../../../../console/import/comments.ts";

const zone = "example.com";
const read = (...lines: string[]) => readComments(lines.join("\n"), zone);
const notesOf = ({ rrsets }: ReturnType<typeof read>) =>
  Object.fromEntries([...rrsets].filter(([, { text }]) => text !== "").map(([name, { text }]) => [name, text]));

test.each([
  [
    "the first record of an RRset",
    ["; the web", "www.example.com. 300 IN A 192.0.2.1", "www 300 A 192.0.2.2"],
    "www A",
  ],
  ["a relative owner", ["; the web", "WWW 1h30m A 192.0.2.1"], "www A"],
  ["the apex", ["; the web", "@ IN MX 10 mail"], "@ MX"],
  ["an owner below $ORIGIN", ["$ORIGIN sub", "; the web", "www A 192.0.2.1"], "www.sub A"],
  ["the origin itself", ["$ORIGIN sub.example.com.", "; the web", "@ TXT x"], "sub TXT"],
])("a comment before %s is the note of its RRset", (_what, lines, name) => {
  const comments = read(...lines);
  expect(notesOf(comments)).toEqual({ [name]: "the web" });
  expect(comments.others).toEqual([]);
});

test("comments on several lines are one note, with what else is behind a semicolon", () => {
  expect(notesOf(read("; one; two", ";", ";three ", "www A 192.0.2.1"))).toEqual({ "www A": "one; two\n\nthree" });
});

test.each([
  ["behind a record", ["www A 192.0.2.1 ; the web"]],
  ["before an empty line", ["; the web", "", "www A 192.0.2.1"]],
  ["before a directive", ["; the web", "$TTL 300"]],
  ["before a record without an owner", ["www A 192.0.2.1", "; the web", "  A 192.0.2.2"]],
  ["within an RRset", ["www A 192.0.2.1", "; the web", "www A 192.0.2.2"]],
  ["at the end", ["www A 192.0.2.1", "; the web"]],
  ["inside of parentheses", ["@ SOA a b (", " 1 ; serial", " 2 3 4 5 )"]],
])("a comment %s is no note", (_where, lines) => {
  const comments = read(...lines);
  expect(notesOf(comments)).toEqual({});
  expect(comments.others).toEqual([
    { line: 1 + lines.findIndex((line) => line.includes(";")), text: expect.stringMatching(/^(the web|serial)$/) },
  ]);
});

test("a semicolon in quotes or behind a backslash begins no comment", () => {
  const comments = read('www TXT "a; b"', String.raw`www TXT a\; b`);
  expect([comments.others, comments.hasSoa]).toEqual([[], false]);
});

test("notes differ by what is written, changed and, where the file has all notes, left out", () => {
  const present = [
    { owner: "www", type: "A", text: "same  \nas before" },
    { owner: "www", type: "AAAA", text: "old" },
    { owner: "mail", type: "A", text: "goes" },
    { owner: "elsewhere", type: "A", text: "is not in the file" },
  ];
  const comments = read(
    "; same",
    "; as before",
    "www A 192.0.2.1",
    "; new",
    "www AAAA ::1",
    "mail A 192.0.2.1",
    "; first",
    "b A 192.0.2.2",
  );
  const written = [
    { owner: "www", type: "AAAA", text: "new", former: "old" },
    { owner: "b", type: "A", text: "first", former: "" },
  ];
  expect(noteChanges(comments, present, false)).toEqual(written);
  const gone = { owner: "mail", type: "A", text: "", former: "goes" };
  expect(noteChanges(comments, present, true)).toEqual([written[0], gone, written[1]]);
});
