/** The types that are offered for a record that is being written. */
import { expect, test } from "@jest/globals";
import type { RecordTypeInfo } from "../../../../console/api/record-types.ts";
import { reasonAgainst, typesLike } from "../../../../console/sheet/composer/record.ts";

const types = ["A", "AAAA", "CNAME", "MX", "TXT", "CAA"].map((type) => ({ type, description: type }) as RecordTypeInfo);

test.each([
  ["m", [], ["MX"]],
  ["a", [], ["A", "AAAA"]],
  ["c", [], ["CNAME", "CAA"]],
  ["c", ["A"], ["CAA", "CNAME"]],
  ["C", ["CNAME"], ["CNAME", "CAA"]],
  ["x", [], []],
] as const)("for %s at a name with %j", (text, present, offered) =>
  expect(typesLike(text, types, new Set<string>(present)).map(({ type }) => type)).toEqual(offered),
);

test.each([
  ["A", [], undefined],
  ["A", ["MX"], undefined],
  ["A", ["CNAME"], "This name is a CNAME, beside which there is no other record."],
  ["CNAME", ["A", "MX"], "This name has A, MX, and a CNAME is alone at its name."],
] as const)("%s beside %j", (type, present, reason) =>
  expect(reasonAgainst(type, new Set<string>(present))).toBe(reason),
);
