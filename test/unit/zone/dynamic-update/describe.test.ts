/** Updates as the log and the audit show them: as nsupdate writes them, whatever the message holds. */
import { expect, test } from "@jest/globals";
import { Section } from "../../../../src/dns/message/header.ts";
import { readMessage } from "../../../../src/dns/message/message-reader.ts";
import { parseName } from "../../../../src/dns/name.ts";
import { describeRefusal, describeUpdate } from "../../../../src/zone/dynamic-update/describe.ts";
import { updateMessage } from "../../../setup/dns/update-client.ts";

const messageOf = (...lines: string[]) => readMessage(updateMessage("example.com", lines));

test("a line for each prerequisite, then for each update", () => {
  const lines = describeUpdate(
    messageOf(
      "yxdomain a",
      "nxdomain b",
      "yxrrset a A",
      "nxrrset a MX",
      "yxrrset a A 192.0.2.1",
      "add a 300 A 192.0.2.2",
      "del a A",
      "del a",
      "del a MX 10 mail.example.net.",
    ),
  );
  expect(lines).toEqual([
    "prereq yxdomain a.example.com.",
    "prereq nxdomain b.example.com.",
    "prereq yxrrset a.example.com. A",
    "prereq nxrrset a.example.com. MX",
    "prereq yxrrset a.example.com. A 192.0.2.1",
    "update add a.example.com. 300 A 192.0.2.2",
    "update delete a.example.com. A",
    "update delete a.example.com.",
    "update delete a.example.com. MX 10 mail.example.net.",
  ]);
});

test("what cannot be read is shown as octets (RFC 3597)", () => {
  const record = { name: parseName("a.example.com."), type: 1, class: 1, ttl: 300, rdata: Uint8Array.of(1, 2, 3) };
  const message = readMessage(updateMessage("example.com", [], [{ section: Section.AUTHORITY, record }]));
  expect(describeUpdate(message)).toEqual(["update add a.example.com. 300 A \\# 3 010203"]);
});

test("twenty lines at most, each of two hundred characters at most", () => {
  const lines = describeUpdate(
    messageOf(...Array.from({ length: 30 }, (_, at) => `add h${at} 300 TXT ${"x".repeat(250)}`)),
  );
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe("and 10 more");
  expect(lines.every(({ length }) => length <= 200)).toBe(true);
});

test("a refusal names the zone as it was asked for, the key, the algorithm and the lines", () => {
  expect(describeRefusal(messageOf("del a"), "k.example.com")).toEqual({
    zone: "example.com",
    keyName: "k.example.com",
    keyAlgorithm: null,
    requestLines: ["update delete a.example.com."],
  });
  expect(describeRefusal({ ...messageOf(), questions: [] }, undefined)).toMatchObject({ zone: "", keyName: null });
});
