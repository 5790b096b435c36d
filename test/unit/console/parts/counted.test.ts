import { expect, test } from "@jest/globals";
import { counted } from "../../../../console/parts/text/counted.ts";

test("one thing is one, and none are many", () => {
  expect([0, 1, 1204].map((count) => counted(count, "record"))).toEqual(["0 records", "1 record", "1,204 records"]);
});
