/** What people do with the records of a zone, by keys and by clicks, which are counted: docs and design say how many each task may take. */
import { readFile } from "node:fs/promises";
import { describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let zone = "";

/** A zone of its own for each test, with hosts that all have one address. */
zonePerTest(service, "zone", async (name) => {
  zone = name;
  const hosts = Array.from({ length: 20 }, (_, at) => `host${at} A 192.0.2.1\n`).join("");
  await importText(hosts);
});

const importText = (text: string) => service.mutate("importZone", { zone, text, mode: "MERGE" }, "addedCount");
const open = () => browser.sheet(zone);
const stored = (owners: string) => service.stored(zone, owners);

describe("by keys", () => {
  test("1: a zone is opened from the list", async () => {
    const { page } = await browser.open("/console/zones");
    const user = new SheetUser(page);
    await page.getByRole("link", { name: zone }).waitFor();
    await user.press("/");
    await user.type(zone);
    await eventually(() => page.url().endsWith(`?q=${zone}`));
    await eventually(async () => expect(await page.locator("tbody tr").count()).toBe(1));
    await user.press("Enter");
    await user.ready();
    expect(user.keys).toBeLessThanOrEqual(2);
  });

  test("2: a record is added", async () => {
    const user = await open();
    await user.add("added", "a", "192.0.2.7");
    await user.commit();
    expect(await stored("added")).toEqual(["added A 3600 192.0.2.7"]);
    expect(user.keys).toBeLessThanOrEqual(6);
  });

  test("3: an address is changed", async () => {
    const user = await open();
    await user.cell("host3").click();
    await user.type("192.0.2.33");
    await user.press("Enter");
    await user.commit();
    expect(await stored("host3")).toEqual(["host3 A 3600 192.0.2.33"]);
    expect(user.keys).toBeLessThanOrEqual(3);
  });

  test("4: one value is changed in many records", async () => {
    const user = await open();
    await user.press("/");
    await user.type("192.0.2.1");
    await user.page.getByText("20 of 24 records").waitFor();
    await user.press("Control+a", "Control+a", "Alt+Enter");
    await user.page.getByLabel("address", { exact: true }).waitFor();
    await user.type("192.0.2.2");
    await user.press("Enter");
    await user.commit();
    expect(new Set((await stored("host%")).map((line) => line.split(" ")[3]))).toEqual(new Set(["192.0.2.2"]));
    expect(user.keys).toBeLessThanOrEqual(7);
  });

  test("5: 300 records are deleted", async () => {
    await importText(Array.from({ length: 300 }, (_, at) => `old${at} A 192.0.2.9\n`).join(""));
    await importText(Array.from({ length: 2700 }, (_, at) => `kept${at} A 192.0.2.8\n`).join(""));
    const user = await open();
    await user.press("/");
    await user.type("old");
    await user.page.getByText("300 of 3,024 records").waitFor();
    await user.press("Control+a", "Control+a", "Delete");
    await user.page.getByRole("status").filter({ hasText: "300 edits" }).waitFor();
    await user.commit();
    expect(await stored("old%")).toEqual([]);
    expect(await stored("kept%")).toHaveLength(2700);
    expect(user.keys).toBeLessThanOrEqual(6);
  });

  test("6: 200 records are pasted", async () => {
    const user = await open();
    await user.paste(Array.from({ length: 200 }, (_, at) => `pasted${at} 300 IN A 192.0.2.9`).join("\n"));
    await user.page.getByText("200 rows added to your edits.").waitFor();
    await user.commit();
    expect(await stored("pasted%")).toHaveLength(200);
    expect(user.keys).toBeLessThanOrEqual(3);
  });
});

test("Ctrl+A in the filter selects its text, and the rows only where all of that is selected already or there is none", async () => {
  const user = await open();
  const selected = user.page.getByRole("toolbar", { name: "Selected rows" });
  await user.press("/");
  await user.type("host1");
  await user.page.getByText("11 of 24 records").waitFor();
  await user.press("Control+a");
  await user.type("host2");
  await user.page.getByText("1 of 24 records").waitFor();
  expect(await user.page.getByLabel("Filter records").inputValue()).toBe("host2");
  expect(await selected.count()).toBe(0);
  await user.press("Control+a", "Control+a");
  await selected.getByText("1 selected").waitFor();
  await user.page.locator("[role=gridcell]:focus").waitFor();
  await user.press("Escape", "/");
  await user.page.getByLabel("Filter records").fill("");
  await user.button("All 24").waitFor();
  await user.press("Control+a");
  await selected.getByText("24 selected").waitFor();
});

describe("by clicks", () => {
  test("2: a record is added", async () => {
    const user = await open();
    await user.click(user.button(/^Add a record/));
    for (const text of ["added", "A", "", "192.0.2.7"]) {
      await user.type(text);
      await user.page.keyboard.press("Tab");
    }
    await user.click(user.button(/^Add Enter/));
    await user.click(user.button(/^Review( Ctrl|$)/));
    await user.click(user.button(/^Apply/));
    await user.applied();
    expect(await stored("added")).toEqual(["added A 3600 192.0.2.7"]);
    expect(user.clicks).toBeLessThanOrEqual(4);
  });

  test("3: an address is changed", async () => {
    const user = await open();
    await user.click(user.cell("host3"));
    await user.page.locator("[role=gridcell][data-column=rdata]:focus").waitFor();
    // Slower than a double click, which opens the form.
    await user.page.mouse.move(0, 0);
    await user.click(user.cell("host3"));
    expect(await user.button(/^Review( Ctrl|$)/).count()).toBe(0);
    await user.page.getByLabel("Data of host3 A").fill("192.0.2.33");
    await user.click(user.button(/^Review( Ctrl|$)/));
    await user.page.getByText("within 1 hour").waitFor();
    await user.click(user.button(/^Apply/));
    await user.applied();
    expect(await stored("host3")).toEqual(["host3 A 3600 192.0.2.33"]);
    expect(user.clicks).toBeLessThanOrEqual(4);
  });

  test("4 and 5: many records are changed, then deleted, after the question about a third of the zone", async () => {
    const user = await open();
    await user.click(user.page.getByLabel("Filter records"));
    await user.type("192.0.2");
    await user.page.getByText("20 of 24 records").waitFor();
    await user.click(user.page.getByLabel("Select all rows"));
    await user.click(user.button("Edit"));
    await user.page.getByLabel("address", { exact: true }).fill("192.0.2.5");
    await user.click(user.button(/^Stage/).last());
    await user.click(user.button(/^Review( Ctrl|$)/));
    await user.click(user.button(/^Apply/));
    await user.applied();
    expect(await stored("host%")).toContain("host7 A 3600 192.0.2.5");
    expect(user.clicks).toBeLessThanOrEqual(6);

    await user.committed("host7");
    user.clicks = 1; // the filter is as it was
    await user.click(user.page.getByLabel("Select all rows"));
    await user.click(user.button("Delete"));
    await user.click(user.button(/^Review( Ctrl|$)/));
    expect(await user.button(/^Apply/).isDisabled()).toBe(true);
    await user.page.getByLabel("Yes, remove 20 of 24 records (83 %).").check();
    await user.click(user.button(/^Apply/));
    await user.applied();
    expect(await stored("host%")).toEqual([]);
    expect(user.clicks).toBeLessThanOrEqual(5);
  });

  test("9: a zone is exported by one click", async () => {
    const user = await open();
    const [download] = await Promise.all([
      user.page.waitForEvent("download"),
      user.click(user.page.getByRole("link", { name: "Export" })),
    ]);
    const text = await readFile(await download.path(), "utf8");
    expect(download.suggestedFilename()).toBe(`${zone}.zone`);
    expect(text).toContain(`host19.${zone}.\t3600\tIN\tA\t192.0.2.1\n`);
    expect(user.clicks).toBe(1);
  });

  test("9: a file is imported after a look at the difference", async () => {
    const { page } = await browser.open(`/console/zones/${zone}`);
    const user = new SheetUser(page);
    await user.click(page.getByRole("link", { name: "Import" }));
    await page.getByLabel("Text of the master file").fill("$TTL 300\nimported A 192.0.2.1\nhost1 A 192.0.2.1\n");
    await user.click(user.button("Look at the difference"));
    await page.getByText("1 TTL differs").waitFor();
    await user.click(user.button(/^Import \+/));
    await page.getByText(/^Imported as/).waitFor();
    await user.click(user.button("To the records"));
    await user.row("imported").waitFor();
    expect(user.clicks).toBeLessThanOrEqual(4);
  });
});
