/**
 * A service that is stopped while somebody edits, and while a change is applied: nothing is lost, and nothing is applied twice.
 */
import { beforeAll, beforeEach, expect } from "@jest/globals";
import type { Route } from "playwright-core";
import { freePort } from "../../setup/basics/free-port.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { testBrowser } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("chromium");
// A service that is started again listens where it did before.
const service = testService({ HTTP_PORT: String(await freePort()) });
// The browser reports requests that have no answer.
const browser = testBrowser(service, /Failed to load resource|ERR_/);
const zone = "lost.example";
let user: SheetUser;

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});
beforeEach(async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  user = await new SheetUser(page).ready();
});

const isApply = (route: Route) => {
  const body = route.request().postDataJSON();
  return /changeRecords/.test(body?.query ?? "") && body.variables.input.dryRun === false;
};

async function recordsOf(owner: string): Promise<number> {
  const rows = await service.sql("select r.id from zone_record r where r.owner = $1", [owner]);
  return rows.length;
}

test("while somebody edits, the edits are kept and said to be, and are applied when it is back", async () => {
  await user.add("edited", "A", "192.0.2.1");
  await user.page.getByText("1 staged:").waitFor();
  await service.pause();
  await user.add("meanwhile", "A", "192.0.2.2");
  await user.press("Control+Enter");
  await user.page.getByText("No answer. Your changes are kept here").waitFor();
  await user.press("Escape");
  await user.page.getByText("What is shown is from before").waitFor();
  await user.page.getByText("Your 2 changes are kept here.").waitFor();
  await service.run();
  await user.page.getByText("What is shown is from before").waitFor({ state: "detached" });
  expect(await recordsOf("edited")).toBe(0);
  await user.review();
  await user.apply();
  expect([await recordsOf("edited"), await recordsOf("meanwhile")]).toEqual([1, 1]);
});

test("an answer that is lost after the change was committed is found out", async () => {
  await user.add("committed", "A", "192.0.2.1");
  await user.review();
  await user.page.route("**/graphql", async (route) => {
    if (!isApply(route)) return route.fallback();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await user.press("Control+Enter");
  await user.page.getByText(/^Committed as \d+\.$/).waitFor();
  expect(await recordsOf("committed")).toBe(1);
  await user.press("Escape");
  await user.page.getByText("1 staged:").waitFor({ state: "detached" });
});

test("a change that did not arrive is said not to be committed, and is applied again by the person alone", async () => {
  await user.add("again", "A", "192.0.2.1");
  await user.review();
  let attempts = 0;
  await user.page.route("**/graphql", async (route) => {
    if (!isApply(route)) return route.fallback();
    attempts++;
    if (attempts > 1) return route.fallback();
    await route.abort("connectionrefused");
  });
  await user.press("Control+Enter");
  await user.page.getByText("The answer was lost. It was not committed; apply it again.").waitFor();
  expect([await recordsOf("again"), attempts]).toEqual([0, 1]);
  await user.apply();
  expect([await recordsOf("again"), attempts]).toEqual([1, 2]);
});

test("a service that is stopped while it applies is asked when it is back", async () => {
  await user.add("stopped", "A", "192.0.2.1");
  await user.review();
  await service.pause();
  await user.press("Control+Enter");
  await user.page.getByText("The answer was lost. Whether").waitFor();
  await service.run();
  await user.page.getByText("It was not committed; apply it again.").waitFor();
  await user.apply();
  expect(await recordsOf("stopped")).toBe(1);
});
