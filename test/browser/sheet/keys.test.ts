/** The keys of a sheet as a spreadsheet has them: letters are text, Tab follows the columns, Esc stays, and what is blocked says so. */
import { describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let zone = "";

zonePerTest(service, "keys", async (name) => {
  zone = name;
  for (const at of [1, 2, 3]) await service.record(zone, `host${at}`, "A", `192.0.2.${at}`);
});

const open = (search = "") => browser.sheet(`${zone}${search}`);

// Which keys are text is in test/unit/console/sheet.
test("letters over a selected cell replace what it holds, also those that lead to pages after a g", async () => {
  const user = await open();
  await user.cell("host2", "owner").click();
  await user.type("gz");
  await user.press("Enter");
  await user.row("gz").getByText("was host2").waitFor();
  expect(new URL(user.page.url()).pathname).toBe(`/console/zones/${zone}`);
});

test("a letter that is typed as soon as the page is there is text, and leads to no page", async () => {
  const { page: first } = await browser.open("/console/settings/about");
  const page = await first.context().newPage();
  // As on a machine that is so fast that the key comes a moment after the page was loaded.
  await page.addInitScript("Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 1 })");
  await page.goto(`${service.url}/console/zones/${zone}`);
  const user = await new SheetUser(page).ready();
  await user.cell("host2", "owner").click();
  await user.type("vpn");
  await user.press("Enter");
  await user.row("vpn").getByText("was host2").waitFor();
});

test("Enter while a cell is written keeps it and goes down within the rows, opens none, and stays on the last one", async () => {
  const user = await open();
  await user.cell("host3", "owner").click();
  await user.press("F2", "End");
  await user.type("a");
  await user.press("Enter");
  await user.cell("www", "owner").and(user.page.locator(":focus")).waitFor();
  await user.type("web");
  await user.press("Enter");
  await user.page.getByRole("status").filter({ hasText: "2 edits 2 changed" }).waitFor();
  await user.row("was www").locator("[data-column=owner]:focus").waitFor();
  await user.press("F2", "Escape");
  await user.row("was www").locator("[data-column=owner]:focus").waitFor();
});

test("Ctrl+K while a cell is written keeps it and opens the search, after which the grid has the focus again", async () => {
  const user = await open();
  await user.cell("host3").click();
  await user.type("192.0.2.9");
  await user.press("Control+k");
  await user.page.getByRole("combobox", { name: "Search or go to" }).and(user.page.locator(":focus")).waitFor();
  await user.row("192.0.2.9").getByText("was 192.0.2.3").waitFor();
  await user.press("Escape");
  await user.row("192.0.2.9").locator("[data-column=rdata]:focus").waitFor();
});

test("SOA and NS are one row that → unfolds and ← folds, a click as well, and that an edit or the filter unfolds", async () => {
  const user = await open();
  const { page } = user;
  const one = user.row("SOA NS");
  await one.getByText(/^serial \d+ · refresh 3 h · negative answers 1 h$/).waitFor();
  await one.getByText("2 servers").waitFor();
  await one.locator("[data-column=owner]:focus").waitFor();
  await user.press("ArrowRight");
  await user.row("hostmaster").locator("[data-column=owner]:focus").waitFor();
  await user.press("ArrowDown", "ArrowLeft");
  await one.locator("[data-column=owner]:focus").waitFor();
  await user.press("Control+ArrowDown");
  await user.cell("host1", "owner").and(page.locator(":focus")).waitFor();
  await one.click();
  await user.cell("ns2", "rdata").click();
  await user.press("Delete", "Control+Home", "ArrowLeft");
  await user.row("ns2").getByRole("button", { name: /^Keep/ }).waitFor();
  await user.press("Control+z");
  await page.getByRole("button", { name: "SOA and NS", expanded: true }).click();
  await one.waitFor();
  await page.getByLabel("Filter records").fill("ns2");
  await one.waitFor({ state: "detached" });
  await user.row("ns2").waitFor();
});

test("a zone with SOA and NS only says what can be done, and a filter without a match what it hides", async () => {
  const user = await open();
  const { page } = user;
  await user.cell("host1", "rdata").click();
  await user.press("Delete");
  await page.getByLabel("Filter records").fill("10.9.");
  await page.getByText("No record matches “10.9.”").waitFor();
  await page.getByText("1 of your edits is hidden by the filter.").waitFor();
  await user.button("Clear filter").click();
  await user.row("host2").waitFor();
  await user.press("Control+z");
  await user.cell("host1", "owner").click();
  await user.press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Delete");
  await user.commit();
  await user.back();
  await page.getByText("Only SOA and NS so far").waitFor();
  expect(await page.getByRole("link", { name: "Use a template…" }).count()).toBe(1);
  await page.getByRole("button", { name: "Import a file…" }).click();
  await page.waitForURL(/import/);
});

test("Esc deselects, then clears the filter, and does not leave the zone", async () => {
  const user = await open("?q=host2&type=A");
  await user.press("Space");
  await user.page.getByText("1 selected").waitFor();
  await user.press("Escape");
  await user.page.getByText("1 selected").waitFor({ state: "detached" });
  expect(await user.row("host1").count()).toBe(0);
  await user.press("Escape");
  await user.row("host1").waitFor();
  await user.press("Escape");
  await user.button(/^All /).focus();
  await user.press("Escape");
  await user.page.locator("[role=gridcell]:focus").waitFor();
  expect(new URL(user.page.url()).pathname).toBe(`/console/zones/${zone}`);
});

test("nothing moves when a row is selected, however wide the window is", async () => {
  const user = await open();
  const { page } = user;
  const box = async () => (await page.getByLabel("Select all rows").boundingBox())?.y;
  const filter = page.getByLabel("Filter records");
  for (const width of [1280, 1024, 320]) {
    await page.setViewportSize({ width, height: 800 });
    const before = await box();
    await user.row("host2").getByRole("checkbox").check();
    await page.getByText("1 selected").waitFor();
    expect(await box()).toBe(before);
    await filter.fill("192.0.2");
    await page.getByText(/^3 of \d+ records/).waitFor({ state: "attached" });
    expect(await box()).toBe(before);
    await filter.fill("");
    await user.row("host2").getByRole("checkbox").uncheck();
    await page.getByText("1 selected").waitFor({ state: "detached" });
  }
});

describe("the focus, when its row goes, is at the row that takes the place", () => {
  const focusedRow = (user: SheetUser, text: string) =>
    user.row(text).locator("[role=gridcell][data-column]:focus").waitFor();

  test("of a new one that is deleted, by key and by button, and of one that is undone", async () => {
    const user = await open();
    for (const take of [
      () => user.press("Delete"),
      () => user.button(/^(Undo|Remove|Keep) /).click(),
      () => user.press("Control+z"),
    ]) {
      await user.add("host1", "AAAA", "2001:db8::1");
      await user.cell("2001:db8::1").click();
      await take();
      await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor({ state: "detached" });
      await focusedRow(user, "host2");
    }
    await user.add("host1", "AAAA", "2001:db8::1");
    await user.cell("2001:db8::1").click();
    await user.press("Space");
    await user.page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
    await focusedRow(user, "host2");
  });

  test("of one that somebody else deletes, and of new ones that are discarded", async () => {
    const user = await open();
    await user.cell("host2").click();
    const [{ id } = { id: "" }] = await service.sql<{ id: string }>(
      "select r.id from zone_record r join domain d on d.id = r.domain_id where d.zone = $1 and r.owner = 'host2'",
      [zone],
    );
    await service.mutate("deleteRecord", { recordId: id }, "deletedId");
    await user.row("host2").waitFor({ state: "detached" });
    await focusedRow(user, "host3");
    await user.press("Delete");
    await user.button("Discard").click();
    await user.page.getByRole("status").filter({ hasText: "1 edit discarded." }).waitFor();
    await user.page.locator("[role=gridcell]:focus").waitFor();
    await user.button("Undo").click();
    await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
    await user.button("Discard").click();
    await user.page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .waitFor({ state: "detached" });
    await user.page.locator("[role=gridcell]:focus").waitFor();
  });

  test("of one that is applied and taken back: in the review that opens, and in the grid behind it", async () => {
    const user = await open();
    await user.add("applied", "A", "192.0.2.9");
    await user.press("ArrowDown");
    await user.commit();
    await user.button("Undo…").click();
    await user
      .button(/^Apply/)
      .and(user.page.locator(":focus"))
      .waitFor();
    await user.press("Escape");
    await user.page.locator("[role=gridcell]:focus").waitFor();
  });

  test("of one that a filter hides; where none is left, at the button that shows some again", async () => {
    const { page } = await browser.open(`/console/zones/${zone}?show=staged`);
    const user = new SheetUser(page);
    await user.button("Clear filter").click();
    await user.page.locator("[role=gridcell]:focus").waitFor();
    await user.add("host2", "AAAA", "2001:db8::1");
    await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
    await user.button("Edited 1").click();
    await user.row("host1").waitFor({ state: "detached" });
    await user.cell("2001:db8::1").click();
    await user.press("Delete");
    await user.button("Clear filter").and(user.page.locator(":focus")).waitFor();
  });
});

describe("what is blocked says what blocks it, and leads there", () => {
  test("a review of nothing", async () => {
    const user = await open();
    await user.press("Control+Enter");
    await user.page.getByRole("status").getByText("There are no edits: write into a cell first.").waitFor();
  });

  test("a review of more than one change takes", async () => {
    const user = await open();
    await user.paste(Array.from({ length: 600 }, (_, at) => `p${at} A 192.0.2.1`).join("\n"));
    await user.page.getByRole("status").filter({ hasText: "600 edits" }).waitFor();
    await user.paste(Array.from({ length: 600 }, (_, at) => `q${at} A 192.0.2.1`).join("\n"));
    await user.page.getByRole("status").filter({ hasText: "1,200 edits" }).waitFor();
    await user.press("Control+Enter");
    await user.page.getByRole("status").getByText("One change cannot take all of this").waitFor();
  });

  test("a removal of much of a zone, until it is agreed to", async () => {
    for (let at = 10; at < 20; at++) await service.record(zone, `host${at}`, "A", `192.0.2.${at}`);
    const user = await open("?q=192.0.2.");
    await user.row("host19").waitFor();
    await user.press("Control+a", "Delete");
    await user.page.getByRole("status").filter({ hasText: "13 edits" }).waitFor();
    await user.review();
    const consent = user.page.getByLabel(/^Yes, remove 13 of \d+ records/);
    await consent.and(user.page.locator(":focus")).waitFor();
    await user.button(/^Apply/).focus();
    await user.press("Control+Enter");
    await user.page.getByRole("alert").getByText("Nothing is applied before you agree to this.").waitFor();
    await consent.and(user.page.locator(":focus")).waitFor();
    await user.press("Space");
    await user.apply();
  });

  test("a refused row leads to its cell by its sentence", async () => {
    const user = await open();
    await user.addWrong("bad", "A", "192.0.2.300");
    await user.press("ArrowDown", "Control+Home");
    await user
      .row("bad")
      .getByRole("button", { name: /write an IPv4 address/ })
      .click();
    await user.row("bad").locator("[data-column=rdata]:focus").waitFor();
    await eventually(async () => expect(await user.cell("bad").getAttribute("aria-invalid")).toBe("true"));
  });
});
