/** The types that are offered for a record that is being written, and how it is kept. */
import { expect, test } from "@jest/globals";
import type { RecordTypeInfo } from "../../../../console/api/record-types.ts";
import { keepRecord, nothing, readRecord } from "../../../../console/sheet/composer/record.ts";
import { reasonAgainst, typesLike } from "../../../../console/sheet/form/type-choice.ts";

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

test("what was typed is read again as it was kept, and forgotten where it is empty or has another form", () => {
  const texts = new Map<string, string>();
  const storage = {
    length: 0,
    key: () => null,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  };
  const written = { values: { owner: "www", type: "MX" }, fields: { preference: "10" }, isText: false };
  keepRecord(storage, "key", "example.com", written);
  expect(readRecord(storage, "key", "example.com")).toEqual(written);
  const [name = ""] = texts.keys();
  for (const text of ["", "null", "[]", '{"values":{"owner":1},"fields":{}}']) {
    texts.set(name, text);
    expect(readRecord(storage, "key", "example.com")).toBe(nothing);
  }
  keepRecord(storage, "key", "example.com", nothing);
  expect(texts.size).toBe(0);
});
