/** What happens to staged edits when others change the zone, when the page is loaded again, and in a second tab. */
import { describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let [zone, owner, id] = ["", "", ""];

zonePerTest(service, "theirs", async (...begun) => {
  [zone, owner] = begun;
  id = await service.record(zone, "box", "A", "192.0.2.1");
});

const foreignUpdate = (rdata: string) => service.mutate("updateRecord", { recordId: id, rdata }, "change { id }");
const foreignRemoval = () => service.mutate("deleteRecord", { recordId: id }, "deletedId");
const stored = (name: string) => service.stored(zone, name);

/** A sheet in which the address of box is edited. */
async function edited(): Promise<SheetUser> {
  const user = await browser.sheet(zone);
  await user.cell("box").click();
  await user.type("192.0.2.77");
  await user.press("Enter");
  await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  return user;
}

describe("a change by somebody else", () => {
  test("of another name is taken in and said, and the edits are applied over it", async () => {
    const user = await edited();
    await service.record(zone, "other", "A", "192.0.2.9");
    await user.row("other").waitFor();
    await user.page.getByText(/administrator changed 1 record/).waitFor();
    await user.page.getByText(/none of yours/).waitFor();
    await user.commit();
    expect(await stored("box")).toEqual(["box A 3600 192.0.2.77"]);
    expect(await stored("other")).toEqual(["other A 3600 192.0.2.9"]);
  });

  test("of the same RRset waits for a decision: theirs, which is undone, or mine", async () => {
    const user = await edited();
    await foreignUpdate("192.0.2.55");
    await user.page.getByText("Somebody else changed box A too.").waitFor();
    await user.row("192.0.2.77").getByText("192.0.2.55 · 3600").waitFor();
    await user.row("192.0.2.77").getByText("192.0.2.1 · 3600").waitFor();
    await user.button(/^Review( Ctrl|$)/).click();
    await user.cell("192.0.2.77").and(user.page.locator(":focus")).waitFor();
    expect(user.page.url()).not.toContain("/draft");
    await user.button("Take theirs").click();
    await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor({ state: "detached" });
    await user.press("Control+z");
    await user.button("Keep mine").click();
    await user.review();
    await user.page.getByRole("region", { name: "Difference" }).getByText("192.0.2.55").waitFor();
    await user.apply();
    expect(await stored("box")).toEqual(["box A 3600 192.0.2.77"]);
  });

  test("that removed the record: the edit is dropped, or it is added again", async () => {
    const user = await edited();
    await foreignRemoval();
    await user.page.getByText("This record was removed by somebody else.").waitFor();
    await user.button("Drop my edit").click();
    await user.row("box").waitFor({ state: "detached" });
    await user.page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .waitFor({ state: "detached" });
    await user.press("Control+z");
    await user.button("Add it again").click();
    await user.commit();
    expect(await stored("box")).toEqual(["box A 3600 192.0.2.77"]);
  });

  test("while the review is open leads to the review of the new difference, and nothing is applied before", async () => {
    const user = await edited();
    await user.review();
    const serial = await service.serial(zone);
    await service.record(zone, "other", "A", "192.0.2.9");
    await user.press("Control+Enter");
    await user.page.getByText("The zone was changed meanwhile").waitFor();
    expect(await service.serial(zone)).toBe(serial + 1);
    await user.apply();
    expect(await service.serial(zone)).toBe(serial + 2);
    expect(await stored("box")).toEqual(["box A 3600 192.0.2.77"]);
  });

  test("after a large removal was agreed to asks again, with the new figures", async () => {
    for (let at = 10; at < 20; at++) await service.record(zone, `host${at}`, "A", `192.0.2.${at}`);
    const user = await browser.sheet(`${zone}?q=192.0.2.`);
    await user.row("host19").waitFor();
    await user.press("Control+a", "Delete");
    await user.page.getByRole("status").filter({ hasText: "11 edits" }).waitFor();
    await user.review();
    await user.page.getByLabel(/^Yes, remove 11 of 15 records/).check();
    await service.record(zone, "other", "TXT", "theirs");
    const serial = await service.serial(zone);
    await user.press("Control+Enter");
    await user.page.getByText("The zone was changed meanwhile").waitFor();
    const consent = user.page.getByLabel(/^Yes, remove 11 of 16 records/);
    await consent.waitFor();
    expect(await consent.isChecked()).toBe(false);
    await user.press("Control+Enter");
    await user.page.getByRole("alert").getByText("Nothing is applied before you agree to this.").waitFor();
    expect(await service.serial(zone)).toBe(serial);
    await consent.check();
    await user.apply();
    expect(await stored("box")).toEqual([]);
  });
});

test("my own second change is no conflict, and the first can be taken back", async () => {
  const user = await edited();
  await user.commit();
  await user.back();
  await user.cell("192.0.2.77").click();
  await user.type("192.0.2.78");
  await user.press("Enter");
  await user.commit();
  const undone = await service.serial(zone);
  await user.committed("192.0.2.78");
  expect(await user.page.getByText(/changed .* none of yours/).count()).toBe(0);
  await user.page.goForward();
  await user.button("Undo…").click();
  await user.page.getByRole("heading", { name: /^Undo: / }).waitFor();
  await user.button(/^Apply/).waitFor();
  // What it undoes is kept with the edits, when the review is left and the page is opened again.
  await user.press("Escape");
  await user.page.reload();
  await user.ready();
  await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  await user.review();
  await user.apply();
  expect(await stored("box")).toEqual(["box A 3600 192.0.2.77"]);
  const { changes } = await service.data(
    "query ($zone: String!) { changes(filter: { zone: $zone }, first: 1) { nodes { note undoes { serial } } } }",
    { zone },
  );
  expect(changes.nodes).toEqual([
    { note: expect.stringMatching(/^Undo: .*192\.0\.2\.78/), undoes: { serial: undone } },
  ]);
});

describe("staged edits", () => {
  test("are undone and done again by keys, and there after a reload, which also finds what others did", async () => {
    const user = await edited();
    await user.add("new", "TXT", "kept text");
    await user.page.getByRole("status").filter({ hasText: "2 edits" }).waitFor();
    await user.press(...Array<string>(5).fill("Control+z"));
    await user.page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .waitFor({ state: "detached" });
    await user.press(...Array<string>(5).fill("Control+Shift+z"));
    await user.page.getByRole("status").filter({ hasText: "2 edits" }).waitFor();
    await user.page.goto("about:blank");
    await foreignUpdate("192.0.2.55");
    await user.page.goto(`${service.url}/console/zones/${zone}`);
    await user.page.getByRole("status").filter({ hasText: "2 edits" }).waitFor();
    await user.button("Keep mine").click();
    await user.commit();
    expect(await stored("box")).toEqual(["box A 3600 192.0.2.77"]);
    expect(await stored("new")).toEqual(['new TXT 3600 "kept text"']);
  });

  test("are shared by two tabs, and gone in both once they are applied in one", async () => {
    const user = await edited();
    const second = new SheetUser(await user.page.context().newPage());
    await second.page.goto(user.page.url());
    await second.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
    await second.ready();
    await second.add("second", "A", "192.0.2.2");
    await user.row("second").getByText("192.0.2.2").waitFor();
    await user.page.getByRole("status").filter({ hasText: "2 edits" }).waitFor();
    await user.page.bringToFront();
    await user.commit();
    await second.page.getByRole("status").filter({ hasText: "2 edits" }).waitFor({ state: "detached" });
    await second.row("second").waitFor();
    await eventually(async () => expect(await stored("second")).toEqual(["second A 3600 192.0.2.2"]));
  });
});

test("a key that may only read shows no way to edit, and says so; a letter is the page's", async () => {
  const user = await browser.sheet(zone, await service.key({ name: "reader", readOnly: true, userId: owner }));
  const { page } = user;
  await page.getByText("This key reads only.", { exact: true }).waitFor();
  await user.press("Alt+n", "F2", "Delete", "Alt+Enter", "Control+d");
  await user.type("x");
  expect(await page.getByRole("grid").getByRole("textbox").count()).toBe(0);
  expect(
    await page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .count(),
  ).toBe(0);
  expect(await user.button(/^Add a record/).count()).toBe(0);
  await user.press("g", "z");
  await page.getByRole("heading", { name: "Zones" }).waitFor();
});
