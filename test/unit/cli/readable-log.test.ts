import { expect, test } from "@jest/globals";
import { textOf } from "../../../src/cli/terminal/readable-log.ts";

const common = { level: 30, time: 1, pid: 2, hostname: "h" };

test.each<[Record<string, unknown>, string]>([
  [
    { msg: "request", requestId: "x", method: "GET", path: "/api/user/list", status: 200, ms: 3, completed: true },
    "GET /api/user/list  200  3 ms",
  ],
  [
    {
      msg: "request",
      method: "POST",
      path: "/graphql",
      operation: "AddUser",
      status: 200,
      refusals: ["FORBIDDEN"],
      ms: 1.5,
      actor: "laptop (0123abcd)",
    },
    "POST /graphql  AddUser  200  FORBIDDEN  1.5 ms  laptop (0123abcd)",
  ],
  [{ msg: "publishing", term: 3 }, "publishing  term=3"],
  [
    { msg: "it failed", err: { message: "no", stack: "Error: no\n    at x" } },
    "it failed  \n    Error: no\n        at x",
  ],
])("a line of the log is one for a person: %j", (line, text) => {
  expect(textOf({ ...common, ...line })).toBe(text);
});
