/** What the service folds by pages is one row across them. */
import { expect, test } from "@jest/globals";
import { type Entry, foldPages } from "../../../../console/activity/fold.ts";

/** A change of a key, at a minute. */
const change = (actor: string, minute: number, count = 1): Entry => {
  const at = new Date(minute * 60_000).toISOString();
  return {
    kind: "CHANGES",
    count,
    at,
    since: at,
    node: { __typename: "Change", id: at, kind: "EDIT", actor, zone: "z" },
  } as Entry;
};
const textOf = ({ node, count, since }: Entry) => [
  (node as { actor: string }).actor,
  count,
  Date.parse(since) / 60_000,
];

test("the same within an hour is one row with the newest, whatever is between", () => {
  const entries = [change("a", 100, 7), change("b", 90), change("a", 50, 2), change("a", 39)];
  expect(foldPages(entries).map(textOf)).toEqual([
    ["a", 9, 50],
    ["b", 1, 90],
    ["a", 1, 39],
  ]);
});
