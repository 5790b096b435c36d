/** The types that the rows of a sheet can be filtered by. */
import { expect, test } from "@jest/globals";
import { typeChoices } from "../../../../console/sheet/view/filter.ts";

const offered = ["A", "AAAA", "MX", "CAA"];

test.each([
  ["those of the zone, in the order in which they are offered", ["MX", "A"], true, "", ["A", "MX"], []],
  [
    "types that no record can be created of come last",
    ["TYPE65280", "SOA", "A"],
    true,
    "",
    ["A", "SOA", "TYPE65280"],
    [],
  ],
  ["all others, while not all records are here", ["A"], false, "MX", ["A"], ["AAAA", "MX", "CAA"]],
  ["what is chosen, although the zone has none of it", ["A"], true, "CAA", ["A"], ["CAA"]],
  ["what is chosen, although the service does not know it", ["A"], false, "X", ["A"], ["AAAA", "MX", "CAA", "X"]],
] as const)("%s", (_what, present, isComplete, chosen, inZone, others) => {
  const choices = typeChoices({ present: new Set<string>(present), isComplete, offered, chosen });
  expect(choices).toEqual({ present: inZone, others });
});
