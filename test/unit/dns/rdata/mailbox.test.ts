/** Mailboxes in record data (RFC 1035 §3.3.13, §8): an @ is the dot behind the local part, in a field of an API and in a master file. */
import { describe, expect, test } from "@jest/globals";
import { parseName, rootName } from "../../../../src/dns/name.ts";
import { parseRdata, printRdata } from "../../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../../src/dns/rdata/record-type-registry.ts";

const origin = parseName("example.com", rootName);

const reader = (context: "field" | "master") => (type: string, text: string) =>
  printRdata(recordType(type), parseRdata(recordType(type), text, { origin, context }));

describe.each(["field", "master"] as const)("in the context of a %s", (context) => {
  const read = reader(context);
  const soa = (mailbox: string) => read("SOA", `ns.example.net. ${mailbox} 1 2 3 4 5`).split(" ")[1];

  test.each([
    ["h@b.", "h.b."],
    ["hostmaster@example.com.", "hostmaster.example.com."],
    ["jane.doe@example.net.", "jane\\046doe.example.net."],
    ["jane\\.doe@example.net.", "jane\\046doe.example.net."],
    ["jane.doe.example.net.", "jane.doe.example.net."],
    ["a+b@example.net.", "a\\043b.example.net."],
    ["h@mail", "h.mail.example.com."],
    ["h", "h.example.com."],
    ["@", "example.com."],
    ["a\\@b.", "a\\064b."],
    ["a\\064b@c.", "a\\064b.c."],
  ])("%s is the mailbox %s", (text, name) => {
    expect(soa(text)).toBe(name);
  });

  test("of RP, MINFO, MG and MR too, but of no other name", () => {
    expect(read("RP", "a.b@c. d@e.")).toBe("a\\046b.c. d\\064e.");
    expect(read("MINFO", "a@b. c@d.")).toBe("a.b. c.d.");
    expect([read("MG", "a@b."), read("MR", "a@b.")]).toEqual(["a.b.", "a.b."]);
    expect(read("NS", "a@b.")).toBe("a\\064b.");
  });

  test.each(["h@", "@b.", "h@@", "@@", "a@b@c.", "h@."])("%s is no mailbox", (text) => {
    expect(() => soa(text)).toThrow(/rname.*write|empty label/);
  });
});

test("an address without the dot at its end is ambiguous in an API field, which says both names that it may be", () => {
  const text = "ns.example.net. jane.doe@example.net 1 2 3 4 5";
  const read = () => reader("field")("SOA", text);
  expect(read).toThrow(
    "write jane\\.doe.example.net. for the full name, or jane\\.doe.example.net.example.com. for the name in this zone.",
  );
  expect(read).toThrow(expect.objectContaining({ reason: "ambiguous-name" }));
  expect(reader("master")("SOA", text)).toContain("jane\\046doe.example.net.example.com.");
});
