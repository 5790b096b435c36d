import { describe, expect, test } from "@jest/globals";
import { Refusal } from "../../src/errors.ts";

const nameOf = (field: string) => (field === "type" ? "rtype" : field);

describe("a refusal with other names for its fields", () => {
  test("has them in every reason, and where one begins a sentence", () => {
    const refusal = Refusal.of([
      { code: "INVALID_NAME", field: "owner", message: 'owner: "a..b" is not a domain name.' },
      { code: "UNSUPPORTED_TYPE", field: "type", message: "type: write a mnemonic." },
    ]).withFieldNames(nameOf);
    expect([refusal.code, refusal.field]).toEqual(["INVALID_NAME", "owner"]);
    expect(refusal.message).toBe('owner: "a..b" is not a domain name. rtype: write a mnemonic.');
    expect(refusal.reasons.map(({ field }) => field)).toEqual(["owner", "rtype"]);
  });

  test.each([
    ["type is missing; send it in the body.", "rtype is missing; send it in the body."],
    ["types of records differ.", "types of records differ."],
    ["The type is missing.", "The type is missing."],
  ])("of %j is %j", (message, renamed) => {
    expect(new Refusal("MISSING_FIELD", message, { field: "type" }).withFieldNames(nameOf).message).toBe(renamed);
  });

  test("keeps its details, and lines of a file as they are", () => {
    const details = { domains: 2 };
    expect(new Refusal("USER_HAS_DOMAINS", "The user owns domains.", { details }).withFieldNames(nameOf).details).toBe(
      details,
    );
    const lines = Refusal.of([{ code: "BAD_REQUEST", line: 3, message: "line 3: type is missing." }]);
    expect(lines.withFieldNames(nameOf).reasons).toEqual(lines.reasons);
  });
});
