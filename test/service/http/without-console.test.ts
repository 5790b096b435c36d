/**
 * CONSOLE=off: none of the pages is served, and all the rest is.
 */
import { expect, test } from "@jest/globals";
import { adminKey, testService } from "../../setup/service/service.ts";

const service = testService({ CONSOLE: "off" });

test.each(["/", "/console/", "/console/zones"])("%s is nothing", async (path) => {
  const headers = { Accept: "text/html", "X-API-Key": adminKey };
  expect((await fetch(service.url + path, { headers, redirect: "manual" })).status).toBe(404);
});

test("the API answers", async () => {
  expect((await service.data("{ viewer { role } }")).viewer.role).toBe("ADMINISTRATOR");
});
