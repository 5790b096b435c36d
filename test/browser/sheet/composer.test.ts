/** The row over the records in which new ones are written, by keys alone, and the form that stands for it on a phone. */
import { expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import type { SheetUser } from "../../setup/browser/sheet-user.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let zone = "";

zonePerTest(service, "composer", async (name) => {
  zone = name;
  for (const last of [1, 2]) await service.record(zone, "box", "A", `192.0.2.${last}`, 300);
});

const open = () => browser.sheet(zone);
const stored = (name: string) => service.stored(zone, name);
const form = (user: SheetUser) => user.page.getByRole("form", { name: "New record" });
const focused = (user: SheetUser, name: string) => user.field(name).and(user.page.locator(":focus")).waitFor();
const valuesOf = (user: SheetUser, ...names: string[]) =>
  Promise.all(names.map((name) => user.field(name).inputValue()));

test("Enter adds the record to its group and keeps name, type and TTL for the next one, Shift+Enter goes back to the name", async () => {
  const user = await open();
  await user.add("box", "a", "192.0.2.3");
  await focused(user, "address");
  expect(await valuesOf(user, "Name", "Type", "TTL", "address")).toEqual(["box", "A", "300", ""]);
  await user.type("192.0.2.4");
  await user.press("Shift+Enter");
  await focused(user, "Name");
  await user.page.getByRole("status").filter({ hasText: "2 edits 2 added" }).waitFor();
  const owners = await user.page.locator("[role=row] [data-column=owner]").allInnerTexts();
  expect(owners.filter((name) => /box/.test(name))).toHaveLength(4);
  await user.commit();
  expect(await stored("box")).toEqual([1, 2, 3, 4].map((last) => `box A 300 192.0.2.${last}`));
});

test("Ctrl+Enter adds what is complete and opens the review", async () => {
  const user = await open();
  await user.write("@", "mx", "10");
  await user.press("Space");
  await user.type("box");
  await form(user).getByText(`${zone}. 3600 IN MX 10 box.${zone}.`).waitFor();
  await user.press("Control+Enter");
  await user.button(/^Apply/).waitFor();
  await user.apply();
  expect(await stored("@")).toContain(`@ MX 3600 10 box.${zone}.`);
});

test("a wrong record is marked and stays in its field; a second Enter adds it all the same", async () => {
  const user = await open();
  await user.add("bad", "A", "192.0.2.300");
  await focused(user, "address");
  await form(user)
    .getByText(/write an IPv4 address/)
    .waitFor();
  expect(await user.field("address").getAttribute("aria-invalid")).toBe("true");
  expect(await valuesOf(user, "address")).toEqual(["192.0.2.300"]);
  expect(
    await user.page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .count(),
  ).toBe(0);
  await user.press("Enter");
  await user.page.getByRole("status").filter({ hasText: "1 edit 1 added" }).waitFor();
  await user.button("1 is wrong").waitFor();
  // Without data it is no record.
  await user.press("Enter", "Enter");
  await form(user).getByText("The data is missing.").waitFor();
  await user.page.getByRole("status").filter({ hasText: "1 edit 1 added" }).waitFor();
});

test("a name with records is offered no CNAME before others, and one that is chosen is marked", async () => {
  const user = await open();
  await user.press("Alt+n");
  await user.type("box");
  await user.press("Tab");
  await user.type("c");
  const options = user.page.getByRole("listbox", { name: "Types" }).getByRole("option");
  await eventually(async () =>
    expect((await options.allInnerTexts()).at(-1)).toBe("CNAME This name has A, and a CNAME is alone at its name."),
  );
  await user.press("ArrowUp", "ArrowDown");
  await user.type("name");
  await user.press("Tab", "Tab");
  await user.type("other");
  await user.press("Enter");
  await focused(user, "Type");
  expect(await user.field("Type").getAttribute("aria-invalid")).toBe("true");
});

test("the TTL is that of the RRset, which says how many others have it or move", async () => {
  const user = await open();
  await user.write("box", "A", "192.0.2.3");
  await form(user).getByText("beside 2 other A records of this name").waitFor();
  await user.field("TTL").fill("1h");
  await form(user).getByText("beside 2 other A records of this name, which get this TTL too").waitFor();
  await user.press("Enter");
  await user.page.getByRole("status").filter({ hasText: "3 edits 1 added, 2 changed" }).waitFor();
});

test("Esc empties the data, then closes and goes back to the record; what was typed stays, and is no edit", async () => {
  const user = await open();
  await user.cell("192.0.2.2").click();
  await user.press("Alt+n");
  await user.type("aaaa");
  await user.press("Space");
  await user.type("2001:db8::");
  await user.page.reload();
  await user.ready();
  expect(await valuesOf(user, "Name", "Type", "address")).toEqual(["box", "AAAA", "2001:db8::"]);
  expect(
    await user.page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .count(),
  ).toBe(0);
  await user.cell("192.0.2.1").click();
  await user.press("Delete");
  await user.review();
  await user.page.getByText("The record being written is not part of this.").waitFor();
  await user.press("Escape");
  await user.ready();
  await user.field("address").click();
  await user.press("Escape");
  expect(await valuesOf(user, "Name", "address")).toEqual(["box", ""]);
  await user.press("Escape");
  await user.cell("192.0.2.1").and(user.page.locator(":focus")).waitFor();
  await user.button(/^Add a record/).waitFor();
});

test("Alt+N takes the name of the group and, pressed again, empties it; Ctrl+D takes the whole record; ↓ goes to the grid", async () => {
  const user = await open();
  await user.cell("192.0.2.1").click();
  await user.press("Alt+n");
  await focused(user, "Type");
  expect(await valuesOf(user, "Name", "Type")).toEqual(["box", ""]);
  await user.press("Alt+n");
  await focused(user, "Name");
  expect(await valuesOf(user, "Name")).toEqual([""]);
  await user.press("ArrowDown");
  await user.cell("192.0.2.1").and(user.page.locator(":focus")).waitFor();
  await user.press("Control+d");
  await focused(user, "address");
  expect(await valuesOf(user, "Name", "Type", "address")).toEqual(["box", "A", "192.0.2.1"]);
  await form(user).getByText("The zone has this record.").waitFor();
  await user.press("Escape", "Escape");
  await user.button(/^All /).focus();
  await user.press("Alt+n");
  await focused(user, "Name");
  await user.press("Escape");
  await user.page.getByRole("link", { name: "Export" }).focus();
  await user.press("n");
  await focused(user, "Name");
});

test("a line that is typed or pasted into the name spreads over the fields, and any data is one text where that is wanted", async () => {
  const user = await open();
  await user.press("Alt+n");
  await user.type("_sip._tcp 900 IN srv 10 20 5060 box");
  expect(await valuesOf(user, "Name", "TTL", "Type", "priority", "weight", "port", "target")).toEqual(
    "_sip._tcp 900 SRV 10 20 5060 box".split(" "),
  );
  await user.button("as text").click();
  await focused(user, "Data");
  expect(await valuesOf(user, "Data")).toEqual(["10 20 5060 box"]);
  await user.type("7");
  expect(await valuesOf(user, "Data")).toEqual(["10 20 5060 box7"]);
  await user.press("Alt+n");
  await user.paste("mail 300 IN MX 10 box");
  await focused(user, "preference");
  expect(await valuesOf(user, "Name", "TTL", "Type", "preference", "exchange")).toEqual(
    "mail 300 MX 10 box".split(" "),
  );
  await user.press("Enter");
  await user.page.getByRole("status").filter({ hasText: "1 edit 1 added" }).waitFor();
  for (const [line, type, field, value] of [
    ["www 3600 IN A 192.0.2.1", "A", "address", "192.0.2.1"],
    [`www.${zone}. CNAME box`, "CNAME", "target", "box"],
    ['www TXT "a b"', "TXT", "text", "a b"],
  ] as const) {
    await user.press("Escape");
    await user.write("kept", "A", line);
    expect(await valuesOf(user, "Type", field)).toEqual([type, value]);
    expect((await valuesOf(user, "Name"))[0]).toMatch(/^www/);
  }
  await user.press("Escape");
  await user.write("kept", "A", "");
  await user.paste("pasted 300 A 192.0.2.1");
  expect(await valuesOf(user, "Name", "TTL", "address")).toEqual(["pasted", "300", "192.0.2.1"]);
  await user.add("text", "TXT", '"a b" "c"');
  await user.row("text").getByText('"a bc"').waitFor();
});

test("a whole line in the type, or behind data that was left, replaces all fields", async () => {
  const user = await open();
  const line = "web 600 IN A 192.0.2.9";
  const isSpread = () =>
    eventually(async () =>
      expect(await valuesOf(user, "Name", "TTL", "Type", "address")).toEqual(["web", "600", "A", "192.0.2.9"]),
    );
  for (const put of [user.type, user.paste]) {
    await user.cell("192.0.2.1").click();
    await user.press("Alt+n");
    await focused(user, "Type");
    await put.call(user, line);
    await isSpread();
    await user.press("Escape", "Escape");
  }
  for (const type of ["A", "TYPE65534"]) {
    await user.write("kept", type, "left");
    await user.press("Shift+Tab", "Tab", "End");
    await user.type(line);
    await isSpread();
    await user.press("Escape", "Escape");
  }
});

test("it is open in a zone that has no record of its own", async () => {
  await service.sql(
    "delete from zone_record where domain_id = (select id from domain where zone = $1) and owner <> '@'",
    [zone],
  );
  const user = await open();
  await form(user).waitFor();
  await user.press("Alt+n", "Escape");
  await user.button(/^Add a record/).waitFor();
});

test("Tab goes on from the composer to the records, and back", async () => {
  const user = await open();
  await user.write("new", "A", "192.0.2.9");
  await user.press("Tab", "Tab", "Tab");
  await user.ready();
  await user.press("Shift+Tab", "Shift+Tab", "Shift+Tab");
  await focused(user, "address");
});

test("on a phone a round button opens the form of a new record", async () => {
  const user = await browser.sheet(zone, undefined, { width: 390, height: 800 });
  await user.button("Record").click();
  const dialog = user.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("phone");
  await user.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await user.button("Record").click();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("phone");
  await dialog.getByLabel("address", { exact: true }).fill("192.0.2.7");
  const type = dialog.getByRole("combobox", { name: "Type" });
  expect(await type.inputValue()).toBe("A");
  await type.focus();
  await user.type("c");
  await user.press("Tab");
  expect(await type.inputValue()).toBe("CNAME");
  expect(await dialog.getByLabel("target").inputValue()).toBe("");
  await type.focus();
  await user.type("a");
  await dialog.getByLabel("address", { exact: true }).fill("192.0.2.7");
  await dialog.getByRole("button", { name: "Stage" }).click();
  await user.page.getByRole("status").filter({ hasText: "1 edit 1 added" }).waitFor();
  await user.row("phone").waitFor();
  await user.button("Record").click();
  expect(await dialog.getByLabel("Name").inputValue()).toBe("");
});

test("on a phone a zone opens at its top, and a line that is typed or pasted into the name of the form fills its fields", async () => {
  const user = await browser.sheet(zone, undefined, { width: 390, height: 600 });
  await user.page.locator("section[aria-label=Records]:focus").waitFor();
  expect(await user.page.evaluate("scrollY")).toBe(0);
  await user.button("Record").click();
  const dialog = user.page.getByRole("dialog");
  const textOf = (name: string) => dialog.getByLabel(name, { exact: true }).inputValue();
  const name = dialog.getByLabel("Name");
  for (const [line, type, field, value] of [
    ["www2 A 192.0.2.60", "A", "address", "192.0.2.60"],
    ["www2 MX 10 mail", "MX", "exchange", "mail"],
    ["www2 TXT v=spf1 -all", "TXT", "text", "v=spf1 -all"],
  ] as const) {
    await name.fill("");
    await name.focus();
    await user.type(line);
    expect([await name.inputValue(), await textOf("Type"), await textOf(field)]).toEqual(["www2", type, value]);
  }
  await name.fill("www3 3600 IN A 192.0.2.61");
  expect(await Promise.all(["TTL", "Type", "address"].map(textOf))).toEqual(["3600", "A", "192.0.2.61"]);
  await user.press("Enter");
  await user.row("www3").waitFor();
});
