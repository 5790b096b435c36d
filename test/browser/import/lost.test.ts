/**
 * An import, or a zone saved as text, while others change the zone and when its answer is lost: what is imported is what was shown, once.
 */
import { beforeAll, beforeEach, expect } from "@jest/globals";
import type { Route } from "playwright-core";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { testBrowser } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
// The browser reports answers that do not come, and the refused serial.
const browser = testBrowser(service, /Failed to load resource|ERR_/);
let [owner, zone] = ["", ""];
let count = 0;
let user: SheetUser;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
});

/** Opens a tab of a zone of its own. */
async function open(tab: string): Promise<void> {
  const { page } = await browser.open(`/console/zones/${zone}/${tab}`);
  user = new SheetUser(page);
}

beforeEach(async () => {
  zone = `import${count++}.example`;
  await service.domain(zone, owner);
});

/** Handles the first request that imports for good; what follows goes its way. */
async function onImport(handle: (route: Route) => Promise<void>): Promise<void> {
  let isFirst = true;
  await user.page.route("**/api/domain/zonefile/**", (route) => {
    const isImport = route.request().method() === "POST" && !route.request().url().includes("dry_run");
    if (!isImport || !isFirst) return route.fallback();
    isFirst = false;
    return handle(route);
  });
}

async function previewFile(text: string): Promise<void> {
  await open("import");
  await user.page.getByLabel("Text of the master file").fill(text);
  await user.button("Look at the difference").click();
  await user.button(/^Import \+/).waitFor();
}

const dataOf = async (name: string) => {
  const { body } = await service.rest("GET", `/record/list?zone=${zone}`);
  const records = body as { owner: string; rdata: string }[];
  return records.filter((record) => record.owner === name).map(({ rdata }) => rdata);
};

test("a change by somebody else, however late, shows the difference again", async () => {
  await previewFile("a 300 A 192.0.2.1\nb 300 A 192.0.2.2\n");
  await onImport(async (route) => {
    await service.record(zone, "b", "A", "192.0.2.2", 300);
    await route.fallback();
  });
  await user.button("Import +2 −0").click();
  await user.page.getByText("The zone was changed meanwhile; this is the difference now.").waitFor();
  expect(await dataOf("a")).toEqual([]);
  await user.button("Import +1 −0").click();
  await user.page.getByText(/^Imported as \d+: \+1 −0\.$/).waitFor();
  expect(await dataOf("a")).toEqual(["192.0.2.1"]);
});

test("an import that was committed without an answer is found in the journal", async () => {
  await previewFile("a 300 A 192.0.2.1\nb 300 TXT two\n");
  await onImport(async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  const serial = (await service.serial(zone)) + 1;
  await user.button("Import +2 −0").click();
  await user.page.getByText(`Imported as ${serial}: +2 −0.`).waitFor();
  expect(await dataOf("a")).toEqual(["192.0.2.1"]);
});

test("an import that did not arrive is said not to be committed, and is imported again by the person alone", async () => {
  await previewFile("a 300 A 192.0.2.1\n");
  await onImport((route) => route.abort("connectionrefused"));
  await user.button("Import +1 −0").click();
  await user.page.getByText("The answer was lost. It was not imported; import it again.").waitFor();
  expect(await dataOf("a")).toEqual([]);
  await user.button("Import +1 −0").click();
  await user.page.getByText(/^Imported as/).waitFor();
});

test("somebody else's change in place of a lost import is not taken for it", async () => {
  await previewFile("a 300 A 192.0.2.1\n");
  await onImport(async (route) => {
    const body = "a 300 A 192.0.2.77\n";
    await service.rest("POST", `/domain/zonefile/${zone}`, { body, headers: { "Content-Type": "text/dns" } });
    await route.abort("connectionreset");
  });
  await user.button("Import +1 −0").click();
  await user.page.getByText("Nothing was imported.").waitFor();
  expect(await dataOf("a")).toEqual(["192.0.2.77"]);
});

test("a zone that is saved as text without an answer is found in the journal too, and its draft is done with", async () => {
  await open("text");
  await user.page.getByText("As it is committed.").waitFor();
  const area = user.page.getByLabel(`Master file of ${zone}`);
  await area.fill(`${await area.inputValue()}saved 300 A 192.0.2.1\n`);
  await user.button("Review and save").click();
  await onImport(async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await user.button(/^Apply/).click();
  await user.page.getByText(/^Committed as/).waitFor();
  const kept = () => user.page.evaluate("JSON.stringify({ ...localStorage })");
  await eventually(async () => expect(await kept()).not.toContain("saved"));
  expect(await dataOf("saved")).toEqual(["192.0.2.1"]);
});
