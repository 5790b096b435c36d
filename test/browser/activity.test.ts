/** Activity: one stream of what happened, folded, by day, filtered by chips that are in the address, along which the keys go. */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";

const { test, service, browser } = testConsole({});
const [zone, other] = ["stream.example.com", "beside.example.com"];
let [owner, laptop] = ["", ""];

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  laptop = await browser.key({ name: "laptop", userId: owner });
  await service.domain(zone, owner);
  await service.domain(other, owner);
  for (const at of [1, 2, 3]) {
    const add = [{ owner: `build${at}`, type: "A", rdata: "192.0.2.1" }];
    await service.mutate("changeRecords", { zone, add, note: `release ${at}` }, "serial", laptop);
  }
  await service.rest("POST", "/record/add", {
    form: { zone, owner: "rest", rtype: "A", rdata: "192.0.2.3", ttl: 300 },
  });
  const refused = { zone, owner: "www", type: "A", rdata: "<b>none</b>" };
  await service.mutate("createRecord", refused, "record { id }", laptop).catch(() => undefined);
  await eventually(async () =>
    expect(await service.sql("select from audit_entry where code = 'INVALID_RDATA'")).toHaveLength(1),
  );
});

const rows = (page: Page) => page.locator("main section > ul > li");
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
const open = async (search = "", key?: string) => (await browser.open(`/console/activity${search}`, key)).page;

test("changes of a key in a zone are one row, what is not theirs another; each says the zone and who", async () => {
  const page = await open(`?zone=${zone}&kind=changes`);
  await page.getByRole("heading", { name: "Today" }).waitFor();
  await eventually(async () => expect(await rows(page).count()).toBe(3));
  expect(await rows(page).allInnerTexts()).toEqual([
    expect.stringMatching(/\+ rest A 192\.0\.2\.3\s+stream\.example\.com\s+\+1\s+you/),
    expect.stringMatching(/release 3\s+and 2 more\s+stream\.example\.com\s+laptop/),
    expect.stringMatching(/stream\.example\.com was created\s+with \d records\s+you/),
  ]);
});

test("a refusal says its sentence, and opens to all that is known of it, without what was sent", async () => {
  const page = await open(`?zone=${zone}&kind=refused`);
  const refused = page.locator("summary").filter({ hasText: "Create record refused" });
  await refused.getByText("The record data is not valid for its type.").waitFor();
  await refused.click();
  const opened = page.locator("details[open]");
  for (const text of ["127.0.0.1", "INVALID_RDATA", "rdata", "GraphQL"])
    await opened.getByText(text, { exact: true }).waitFor();
  expect(await page.getByText("none").count()).toBe(0);
});

test("sign-ins and keys are told by sentences; a user sees what is of the user", async () => {
  const page = await open("?kind=access");
  await rows(page).filter({ hasText: "Key laptop was made for owner@example.com" }).waitFor();
  const own = await open("?kind=access", laptop);
  await rows(own).filter({ hasText: "Signed in from 127.0.0.1" }).first().waitFor();
  const shown = await rows(own).allInnerTexts();
  expect(shown.filter((text) => text.includes("@") && !text.includes("owner@example.com"))).toEqual([]);
});

test("the menus filter by zone, key, interface and time, and the address says so; one button clears them", async () => {
  const page = await open();
  await rows(page).filter({ hasText: other }).first().waitFor();
  await page.keyboard.press("/");
  await page.getByRole("button", { name: "Zone" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("Zone, such as example.com").and(page.locator(":focus")).waitFor();
  await page.keyboard.type(`${zone}\n`);
  await rows(page).filter({ hasText: other }).first().waitFor({ state: "detached" });
  await clickButtons(page, "Who", "laptop");
  await eventually(async () => expect(await rows(page).count()).toBe(2));
  await clickButtons(page, "Any time", "in the last hour", "Changes");
  await eventually(() => expect(searchOf(page)).toEqual({ zone, who: "laptop", time: "1h", kind: "changes" }));
  await page.reload();
  await eventually(async () => expect(await rows(page).count()).toBe(1));
  await clickButtons(page, "Through", "import");
  await page.getByText(`Nothing of laptop in ${zone} through import in the last hour.`).waitFor();
  await clickButtons(page, "Clear filters");
  await eventually(() => expect(searchOf(page)).toEqual({ kind: "changes" }));
  await rows(page).filter({ hasText: other }).first().waitFor();
});

test("a former address of the audit has its filters still", async () => {
  const { page } = await browser.open(`/console/history?actor=laptop&source=GRAPHQL&zone=${zone}`);
  await page.getByRole("button", { name: "Who: laptop" }).waitFor();
  await page.getByRole("button", { name: "Through: GraphQL" }).waitFor();
  await eventually(async () => expect(await rows(page).count()).toBe(2));
});

test("arrow keys go from row to row, and Enter opens one: its change, or all of it", async () => {
  const page = await open(`?zone=${zone}`);
  const [refused, rest] = [rows(page).locator("summary"), rows(page).getByRole("link", { name: /^\+ rest/ })];
  await refused.focus();
  await page.keyboard.press("Enter");
  await page.getByText("INVALID_RDATA").waitFor();
  await page.keyboard.press("ArrowDown");
  await rest.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowUp");
  await refused.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/console\/changes\/\d+$/);
});
