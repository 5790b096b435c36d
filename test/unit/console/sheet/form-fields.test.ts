/** Record data as the fields of a form and back. */
import { expect, test } from "@jest/globals";
import type { RecordField, RecordTypeInfo } from "../../../../console/api/record-types.ts";
import {
  joinFields,
  octetsOf,
  plainText,
  quoted,
  splitFields,
  splitText,
} from "../../../../console/sheet/form/form-fields.ts";
import {
  gapOf,
  spread,
  untouched,
  writeField,
  writeType,
  writeValue,
  writtenRdata,
} from "../../../../console/sheet/form/form-state.ts";
import type { SheetRow } from "../../../../console/sheet/view/view.ts";
import fc from "../../../setup/basics/property.ts";

const field = (name: string, form: RecordField["form"], isQuoted = false): RecordField => ({
  name,
  form,
  quoted: isQuoted,
  kind: "",
  max: null,
  range: "",
  description: "",
  optional: false,
});
const mx = [field("preference", "INTEGER"), field("exchange", "TEXT")];
const caa = [field("flags", "INTEGER"), field("tag", "TEXT"), field("value", "TEXT", true)];
const dnskey = [field("flags", "INTEGER"), field("publicKey", "TEXT")];
const txt = [field("strings", "TEXTS", true)];
const svcb = [field("priority", "INTEGER"), field("target", "TEXT"), field("parameters", "TEXTS")];

test.each([
  ["10 mail", mx, { preference: "10", exchange: "mail" }],
  ['0 issue "ca.example; account=\\"1\\""', caa, { flags: "0", tag: "issue", value: 'ca.example; account="1"' }],
  ["256 AwEA AQ==", dnskey, { flags: "256", publicKey: "AwEA AQ==" }],
  ['1 . alpn="h2,h3" port=8443', svcb, { priority: "1", target: ".", parameters: 'alpn="h2,h3" port=8443' }],
  ["", mx, { preference: "", exchange: "" }],
] as const)("%s is split by its fields", (text, fields, values) => {
  expect(splitFields(text, fields)).toEqual(values);
});

test("the text of a TXT is plain, and is quoted and split at 255 octets by itself", () => {
  expect(splitFields('"a b" "c\\"d\\\\" "\\195\\169"', txt)).toEqual({ strings: 'a bc"d\\é' });
  expect(joinFields({ strings: `${"x".repeat(300)}` }, txt)).toBe(`"${"x".repeat(255)}" "${"x".repeat(45)}"`);
  expect(joinFields({ strings: "" }, txt)).toBe('""');
  expect(splitFields("v=spf1", txt)).toEqual({ strings: "v=spf1" });
});

test("any text is itself again after it was quoted, split and read, and no part is too long or ends in a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 600 }), (text) => {
      const parts = splitText(text);
      expect(parts.join("")).toBe(text);
      expect(parts.every((part) => octetsOf(part) <= 255)).toBe(true);
      expect(parts.map(quoted).map(plainText).join("")).toBe(text);
      expect(splitFields(joinFields({ strings: text }, txt), txt)).toEqual({ strings: text });
    }),
  );
});

const row = (rdata: string): SheetRow => ({
  key: rdata,
  state: "stored",
  stored: undefined,
  before: undefined,
  values: { owner: "a", type: "MX", ttl: "300", rdata },
  ttl: 300,
});

test("a field that is written in several rows leaves their other fields as they are", () => {
  const state = writeField(untouched, "preference", "5");
  expect(["10 a", "20 b"].map((rdata) => writtenRdata(state, row(rdata), mx))).toEqual(["5 a", "5 b"]);
  const text = writeValue(state, "rdata", "30 c");
  expect(writtenRdata(text, row("10 a"), mx)).toBe("30 c");
  expect(writtenRdata(untouched, row('0  issue "x"'), caa)).toBe('0  issue "x"');
});

test.each([
  ["of a type with the same fields", mx, "10 mail"],
  ["of none of them", undefined, ""],
  ["of other fields", caa, ""],
])("the data after the type became one %s", (_what, fields, rdata) => {
  const typeOf = (of: RecordField[] | undefined) => of && ({ fields: of } as unknown as RecordTypeInfo);
  const state = writeType(untouched, "T", typeOf(mx), typeOf(fields));
  expect(state.values.type).toBe("T");
  expect(writtenRdata(state, row("10 mail"), fields ?? [])).toBe(rdata);
});

test("a whole value that is pasted into a field is spread, one value is not", () => {
  expect(spread(untouched, "10 mail", mx)?.fields).toEqual({ preference: "10", exchange: "mail" });
  expect(spread(untouched, "10", mx)).toBeUndefined();
  expect(spread(untouched, "a b", txt)).toBeUndefined();
});

test.each([
  ["10 mail", mx, { exchange: "other" }, undefined],
  ["10 mail", mx, { preference: "" }, "preference"],
  ["10 mail", mx, { preference: "1 0" }, "preference"],
  ["10 mail", mx, { exchange: "" }, "exchange"],
  ["", mx, { preference: "", exchange: "" }, undefined],
  ["", mx, {}, undefined],
  ["0 issue ca.example", caa, { tag: "" }, "tag"],
  ["0 issue ca.example", caa, { value: "" }, undefined],
  ["1 . alpn=h2", svcb, { target: "" }, "target"],
  [
    "1 . alpn=h2",
    [...svcb.slice(0, 2), { ...field("parameters", "TEXTS"), optional: true }],
    { parameters: "" },
    undefined,
  ],
] as const)(
  "of %s, a field is named whose value moves the others from their places: %#",
  (rdata, fields, written, part) => {
    const row = { key: "1", state: "added", values: { owner: "a", type: "T", ttl: "", rdata } } as SheetRow;
    expect(gapOf({ values: {}, fields: written }, row, fields)?.part).toBe(part);
  },
);
