/** How many requests one edited cell costs, from writing it until the page of its change says that it is applied. */
import { expect } from "@jest/globals";
import type { Page, Request } from "playwright-core";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let zone = "";

zonePerTest(service, "zone", async (name) => {
  zone = name;
  await service.mutate("importZone", { zone, text: "host A 192.0.2.1\n", mode: "MERGE" }, "addedCount");
});

/** What a page reads again after 20 seconds or more, whatever is done on it: that may fall into the time of the test. */
const polled = ["Attention", "Holds", "OpenChangeSets"];

/** Notes the requests of a page to the service: their operations, and how many have no answer yet. */
function requestsOf(page: Page) {
  const operations: string[] = [];
  const open = new Set<Request>();
  page.on("request", (request) => {
    if (request.method() !== "POST" || !request.url().endsWith("/graphql")) return;
    const [, operation = ""] = /(?:query|mutation|subscription) (\w+)/.exec(request.postDataJSON()?.query ?? "") ?? [];
    operations.push(operation);
    if (!request.headers().accept?.includes("event-stream")) open.add(request);
  });
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => void open.delete(request));
  return { operations, open };
}

test("one edited cell is checked, reviewed and applied with four requests", async () => {
  const user = await browser.sheet(zone);
  const { operations, open } = requestsOf(user.page);
  await user.page.reload();
  await user.ready();
  await eventually(() => expect(open.size).toBe(0));
  operations.length = 0;
  await user.cell("host").click();
  await user.type("192.0.2.7");
  await user.press("Enter");
  // Who waits has the record checked, and then the zone with it.
  await eventually(() => expect(operations).toContain("SheetChange"));
  await user.commit();
  await eventually(() => expect(open.size).toBe(0));
  expect(await service.stored(zone, "host")).toEqual(["host A 3600 192.0.2.7"]);
  expect(operations.filter((name) => !polled.includes(name))).toEqual([
    "SheetCheck",
    "SheetChange",
    "SheetChange",
    "SheetChange",
  ]);
});
