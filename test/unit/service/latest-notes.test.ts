import { expect, test } from "@jest/globals";
import { LatestNotes } from "../../../src/service/latest-notes.ts";
import { eventually } from "../../setup/basics/eventually.ts";

test("the first note of a name is written at once, and then only the last of those that came meanwhile", async () => {
  const written: string[] = [];
  const notes = new LatestNotes<string>(async (note) => void written.push(note), 5);
  for (const note of ["a1", "a2", "a3"]) notes.add("a", note);
  notes.add("b", "b1");
  expect(written).toEqual(["a1"]);
  await eventually(() => expect(written).toEqual(["a1", "a3", "b1"]));
  notes.add("a", "a4");
  await eventually(() => expect(written.at(-1)).toBe("a4"));
});

test("once stopped, what is there is written without a pause, and nothing that comes later", async () => {
  const written: string[] = [];
  const notes = new LatestNotes<string>(async (note) => void written.push(note), 600_000);
  for (const note of ["a1", "a2"]) notes.add("a", note);
  const stopped = notes.stop();
  notes.add("a", "a3");
  await stopped;
  expect(written).toEqual(["a1", "a2"]);
});
