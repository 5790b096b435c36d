/** A test for each screen of the console, which looks at it with axe. */
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import { has, testWith } from "../basics/programs.ts";
import { testService } from "../service/service.ts";
import { Company, settings } from "./company.ts";
import { ConsoleBrowser, expectAccessible, type Looks, type WatchedPage } from "./console-browser.ts";
import { expectRoomy } from "./roomy.ts";
import { screens } from "./screens.ts";

/** Screens that show what was refused or not answered, which the browser reports. */
const reported = /^(sign-in|lost|held|no-zone)|-(refused|exceeded|none)$/;

export function testScreens(looks?: Looks): void {
  const test = testWith("chromium");
  const service = testService(settings);
  const company = new Company(service);
  const browser = new ConsoleBrowser(service);
  let signedIn: WatchedPage;

  beforeAll(async () => {
    await company.open();
    if (!has("chromium")) return;
    await browser.start();
    signedIn = await browser.open("/console/settings/about");
  });
  afterAll(async () => {
    await browser.stop();
    await company.close();
  });

  let screen = "";
  let watched: WatchedPage;

  // They share a page, whose scripts are compiled once.
  test.each(screens)("%s", async (...[name, path, shows, open]) => {
    screen = name;
    watched = name.startsWith("sign-in") ? await browser.open("/console/settings/about", null) : signedIn;
    const { page } = watched;
    await page.goto(`${service.url}${company.addressOf(path)}`);
    if (shows) await page.getByText(shows).first().waitFor();
    await open?.(page, company);
    await expectAccessible(page, looks);
    await expectRoomy(page);
  });

  // What the page reports until it is left is wrong with this screen, and with no other.
  afterEach(async () => {
    const { page, problems } = watched;
    const found = await watched.allProblems();
    problems.length = 0;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.evaluate("localStorage.clear()");
    await page.goto("about:blank");
    found.push(...problems.splice(0));
    const isReported = (problem: string) =>
      reported.test(screen) && /status of 4\d\d|ERR_|There is no zone/.test(problem);
    expect(found.filter((problem) => !isReported(problem))).toEqual([]);
  });
}
