/**
 * What a sheet says of its rows: the notes of their RRsets, warnings at the row that they are about, and the way to the first row that is
 * wrong or has to be decided.
 */
import { describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let [zone, owner] = ["", ""];
let ids: string[] = [];

zonePerTest(service, "notes", async (...begun) => {
  [zone, owner] = begun;
  ids = [];
  for (const last of [1, 2]) ids.push(await service.record(zone, "box", "A", `192.0.2.${last}`, 300));
});

const open = (query = "", key?: string) => browser.sheet(`${zone}${query}`, key);

const setNote = (text: string) => service.mutate("setNote", { zone, owner: "box", type: "A", text }, "note { text }");

async function note(): Promise<string | undefined> {
  const [row] = await service.sql<{ text: string }>(
    "select text from rrset_note join domain on domain.id = domain_id where zone = $1",
    [zone],
  );
  return row?.text;
}

describe("the note of an RRset", () => {
  test("is at its first row, wherever a person looks, and a change does not lose it", async () => {
    await setNote("for the office\nask Anna");
    const user = await open();
    const mark = user.row("192.0.2.1").getByRole("button", { name: /^Note: for the office/ });
    await mark.waitFor();
    expect(await mark.getAttribute("title")).toBe("for the office\nask Anna");
    expect(
      await user
        .row("192.0.2.2")
        .getByRole("button", { name: /^Note:/ })
        .count(),
    ).toBe(0);
    await user.cell("192.0.2.1").click({ position: { x: 20, y: 8 } });
    await user.press("F2");
    await user.type("192.0.2.3");
    await user.press("Enter");
    await user.commit();
    await user.back();
    await user
      .row("192.0.2.2")
      .getByRole("button", { name: /^Note: for the office/ })
      .waitFor();
  });

  test("is written from the selected rows, by keys alone, and removed from the form", async () => {
    const user = await open("?q=box");
    await user.press("Control+Home", "Space");
    await user.button("Note…").focus();
    await user.press("Enter");
    const dialog = user.page.getByRole("dialog", { name: "Note of box A" });
    await dialog.getByLabel("Note", { exact: true }).and(user.page.locator(":focus")).waitFor();
    await user.type("for the office");
    await user.press("Tab", "Tab", "Enter");
    await user.row("192.0.2.1").getByRole("button", { name: "Note: for the office" }).waitFor();
    expect(await note()).toBe("for the office");
    expect(
      await user.page
        .getByRole("status")
        .filter({ hasText: /\d edits? \d/ })
        .count(),
    ).toBe(0);
    await user.row("192.0.2.2").locator("[data-column=rdata]").dblclick();
    const form = user.page.getByRole("dialog", { name: /^A · / });
    await form.getByText("Note: for the office").waitFor();
    await form.getByRole("button", { name: "Edit the note…" }).click();
    await dialog.getByLabel("Note", { exact: true }).fill("");
    await dialog.getByRole("button", { name: "Remove the note" }).click();
    await form.getByText("Note: for the office").waitFor({ state: "detached" });
    expect(await note()).toBeUndefined();
    await user.press("Escape");
    await user.button("Undo").click();
    await user.row("192.0.2.1").getByRole("button", { name: "Note: for the office" }).waitFor();
  });

  test("cuts nothing of the data short, however long it is", async () => {
    await setNote("for the office, ".repeat(20));
    const user = await open("?q=box");
    await user
      .row("192.0.2.1")
      .getByRole("button", { name: /^Note:/ })
      .waitFor();
    const isWhole = (element: { scrollWidth: number; clientWidth: number }) =>
      element.scrollWidth <= element.clientWidth;
    const text = user.cell("192.0.2.1").locator("span").first();
    expect(await text.innerText()).toBe("192.0.2.1");
    expect(await user.cell("192.0.2.1").evaluate(isWhole)).toBe(true);
    const [data, note] = [await text.boundingBox(), await user.cell("192.0.2.1").getByRole("button").boundingBox()];
    expect(note?.y).toBeGreaterThanOrEqual((data?.y ?? 0) + (data?.height ?? 0) - 1);
  });

  test("is read, not written, with a key that may only read", async () => {
    await setNote("for the office");
    const user = await open("?q=box", await service.key({ name: "reader", userId: owner, readOnly: true }));
    const mark = user.row("192.0.2.1").getByRole("button", { name: "Note: for the office" });
    await mark.waitFor();
    expect(await mark.isDisabled()).toBe(true);
    expect(await user.button("Note…").count()).toBe(0);
  });
});

test("a warning is at the row that it is about, in the sheet and in its review", async () => {
  const user = await open();
  await user.add("text", "TXT", "v=spf1");
  await user
    .row("v=spf1")
    .getByText(/^⚠ Data is "v=spf1" alone/)
    .waitFor();
  // Also while another row is wrong, and nothing is said of the zone as a whole.
  await user.addWrong("bad", "A", "192.0.2.300");
  await user.button("1 is wrong").waitFor();
  await user
    .row("v=spf1")
    .getByText(/^⚠ Data is "v=spf1" alone/)
    .waitFor();
  await user.button("Remove bad A").click();
  await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  await user.review();
  await user.page.getByText(/^text TXT: Data is "v=spf1" alone/).waitFor();
});

test("what a pasted file leaves out is said", async () => {
  const user = await open();
  await user.paste("$TTL 300\nhost A 192.0.2.9\n@ ALIAS box\n");
  await user.page.getByText("1 row added to your edits.").waitFor();
  await user.page.getByRole("status", { name: "Results" }).getByText(/ALIAS/).waitFor();
});

test("the filter Wrong says when nothing is wrong any more", async () => {
  const user = await open();
  await user.addWrong("bad", "A", "192.0.2.300");
  await user.page.getByLabel("Filter records").fill("box");
  await user.page.getByText("2 of 6 records").waitFor();
  await user.page.getByLabel("Filter records").fill("");
  await user.button("Wrong 1").click();
  await user.cell("192.0.2.300").click();
  await user.press("F2");
  await user.type("192.0.2.3");
  await user.press("Enter");
  await user.page.getByText("Nothing is wrong any more").waitFor();
  await user.button("Clear filter").click();
  await user.row("192.0.2.3").waitFor();
});

describe("the first row that needs a person is led to", () => {
  test("from what is wrong, by its words and by its refused review", async () => {
    const user = await open();
    await user.addWrong("bad", "A", "192.0.2.300");
    await user.button("1 is wrong").click();
    await user.row("bad").locator("[data-column=rdata]:focus").waitFor();
    await user.press("Control+Enter");
    await user.page.getByText("1 edit is wrong").waitFor();
    await user.button("bad A").and(user.page.locator(":focus")).waitFor();
    for (const lead of ["bad A", "Go to it"]) {
      await user.button(lead).click();
      await user.row("bad").locator("[data-column=rdata]:focus").waitFor();
      await user.press("Control+Enter");
    }
  });

  test("from what is to be decided, by its words and by the review, also where the filter hides it", async () => {
    const user = await open("?q=box");
    await user.cell("192.0.2.1").click();
    await user.press("F2");
    await user.type("192.0.2.9");
    await user.press("Enter");
    await service.mutate("deleteRecord", { recordId: ids[1] }, "deletedId");
    await user.button("Keep mine").waitFor();
    for (const lead of [/^1 to decide/, /^Review( Ctrl|$)/]) {
      await user.page.getByLabel("Filter records").fill("ns1");
      await user.row("192.0.2.9").waitFor({ state: "detached" });
      await user.button(lead).click();
      await user.row("192.0.2.9").locator("[data-column=rdata]:focus").waitFor();
    }
    await eventually(() => expect(new URL(user.page.url()).search).toBe("?show=staged"));
  });
});
