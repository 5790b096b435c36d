/** The text of a zone as it is edited: its fields are in columns, and its owners relative. */
import { expect, test } from "@jest/globals";
import { alignedText } from "../../../../console/text/aligned-text.ts";

const lines = (...texts: string[]) => `${texts.join("\n")}\n`;

test("fields are in columns, owners relative, and comments stay where they are", () => {
  const exported = lines(
    "example.com.\t3600\tIN\tNS\tns1.example.com.",
    "; the web\t; of all",
    "www.example.com.\t60\tIN\tCNAME\texample.com.",
    'notexample.com.\t60\tIN\tTXT\t"a\tb"',
  );
  expect(alignedText(exported, "example.com")).toBe(
    lines(
      "$ORIGIN example.com.",
      "@                3600  IN  NS     ns1.example.com.",
      "; the web\t; of all",
      "www                60  IN  CNAME  example.com.",
      'notexample.com.    60  IN  TXT    "a\tb"',
    ),
  );
});

test("an owner that is very long does not push all others", () => {
  const exported = lines(
    `${"a".repeat(60)}.example.com.\t60\tIN\tA\t192.0.2.1`,
    "b.example.com.\t60\tIN\tA\t192.0.2.2",
  );
  expect(alignedText(exported, "example.com")).toContain("\nb  60  IN  A  192.0.2.2\n");
});

test("a zone without records is empty", () => expect(alignedText("", "example.com")).toBe("$ORIGIN example.com.\n"));
