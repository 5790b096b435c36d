/**
 * Master files in the console, imported or edited as text: what becomes of their comments and of their SOA, the note of the change, and
 * where Escape leads.
 */
import { describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { expectAccessible, testConsole } from "../setup/browser/console-browser.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

// The browser reports what the service refuses.
const { test, service, browser } = testConsole({}, /status of 422/);
let zone = "";

zonePerTest(service, "files", async (name) => {
  zone = name;
  await service.record(zone, "web", "A", "192.0.2.1", 300);
});

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function notes(): Promise<string[]> {
  const { domain } = await service.data(
    "query ($zone: String!) { domain(by: { zone: $zone }) { notes { nodes { owner type text } } } }",
    { zone },
  );
  return domain.notes.nodes.map((note: Record<string, string>) => `${note.owner} ${note.type}: ${note.text}`);
}

const elevenHosts = Array.from({ length: 11 }, (_, at) => ({ owner: `h${at}`, type: "A", rdata: "192.0.2.9" }));

/** Waits until keys reach the preview, which takes the focus. */
const previewed = (page: Page) =>
  page.getByRole("region", { name: "What the import would do" }).and(page.locator(":focus")).waitFor();

/** Applies the removal of 11 records of 16, which is asked about; Ctrl+Enter alone does not. */
async function expectQuestion(page: Page, apply: string | RegExp): Promise<void> {
  await button(page, apply).waitFor();
  await previewed(page);
  await page.keyboard.press("Control+Enter");
  await page.getByText("Nothing is applied before you agree to this.").waitFor();
  await button(page, apply).click({ force: true });
  await page.getByLabel("Yes, remove 11 of 16 records (69 %).").and(page.locator(":focus")).check();
  await page.keyboard.press("Control+Enter");
}

describe("the text of a zone", () => {
  const area = (page: Page) => page.getByLabel(`Master file of ${zone}`);

  async function open(): Promise<Page> {
    const { page } = await browser.open(`/console/zones/${zone}/text`);
    await page.getByText("As it is committed.").waitFor();
    return page;
  }

  /** Writes a comment before the record of web, as is done by hand. */
  async function comment(page: Page, ...lines: string[]): Promise<void> {
    const text = (await area(page).inputValue()).replace(
      /^(; .*\n)*(?=web)/m,
      lines.map((line) => `${line}\n`).join(""),
    );
    await area(page).fill(text);
    await button(page, "Review and save").click();
  }

  test("a comment before an RRset that alone was edited becomes its note, and is there when it is read again", async () => {
    const page = await open();
    await comment(page, "; the old web", "; until May");
    await page.getByRole("list", { name: "Notes" }).getByText("the old web").waitFor();
    await expectAccessible(page);
    await button(page, "Write 1 note").click();
    await page.getByText("No record differed; 1 note written.").waitFor();
    expect(await notes()).toEqual(["web A: the old web\nuntil May"]);
    await eventually(async () => expect(await area(page).inputValue()).toMatch(/^; the old web\n; until May\nweb/m));
    await comment(page);
    await page.getByRole("list", { name: "Notes" }).locator("del").waitFor();
    await button(page, "Write 1 note").click();
    await page.getByText("1 note written").waitFor();
    expect(await notes()).toEqual([]);
  });

  test("a comment that no RRset follows is said not to be kept", async () => {
    const page = await open();
    await comment(page, "; the web", "");
    await page.getByRole("list", { name: "Comments that are dropped" }).getByText("the web").waitFor();
    await page.getByText("there is none to import").waitFor();
    expect(await button(page, /^Apply/).isDisabled()).toBe(true);
  });

  test("Escape after a refusal or before the import leads back to the text, which is as it was written", async () => {
    const page = await open();
    const text = `${await area(page).inputValue()}b A x\n`;
    await area(page).fill(text);
    await button(page, "Review and save").click();
    await page.getByText("Nothing was changed.").waitFor();
    await page.keyboard.press("Escape");
    await button(page, "Back").focus();
    await page.keyboard.press("Escape");
    await button(page, "Review and save").waitFor();
    await area(page).fill(text.replace("b A x", "b A 192.0.2.2"));
    await button(page, "Review and save").click();
    await button(page, /^Apply/).waitFor();
    await previewed(page);
    await page.keyboard.press("Escape");
    await button(page, "Review and save").waitFor();
    expect(new URL(page.url()).pathname).toBe(`/console/zones/${zone}/text`);
    expect(await area(page).inputValue()).toContain("b A 192.0.2.2");
    await button(page, "Review and save").click();
    await button(page, /^Apply/).waitFor();
    await previewed(page);
    await page.keyboard.press("Control+Enter");
    await page.getByText(/^Committed as \d+: \+1 −0\.$/).waitFor();
  });

  test("asks before it is saved when much of the zone would go", async () => {
    await service.mutate("changeRecords", { zone, add: elevenHosts }, "change { id }");
    const page = await open();
    const text = await area(page).inputValue();
    await area(page).fill(text.replace(/^h\d+ .*\n/gm, ""));
    await button(page, "Review and save").click();
    await expectQuestion(page, /^Apply/);
    await page.getByText(/^Committed as \d+: \+0 −11\.$/).waitFor();
  });

  test("its lines are in columns; one that is too long wraps, with its number beside its beginning", async () => {
    await service.record(zone, "long", "TXT", "x".repeat(2000), 300);
    const page = await open();
    expect(await area(page).inputValue()).toMatch(new RegExp(`^\\$ORIGIN ${zone}\\.\n@ +3600 +IN +SOA `));
    const [shown, whole, text, numbers] = (await page.evaluate(`(() => {
      const area = document.querySelector("textarea");
      return [area.clientWidth, area.scrollWidth, area.scrollHeight, area.previousElementSibling.scrollHeight];
    })()`)) as number[];
    expect({ width: whole, height: numbers }).toEqual({ width: shown, height: text });
    await expectAccessible(page);
  });
});

test("a file that is dropped onto the sheet is imported in a panel over it, which Escape leaves step by step", async () => {
  const { page } = await browser.open(`/console/zones/${zone}?q=web`);
  const grid = page.getByRole("grid");
  await grid.waitFor();
  const dataTransfer = await page.evaluateHandle(`(() => {
    const dropped = new DataTransfer();
    dropped.items.add(new File(["dropped A 192.0.2.2\\n"], "db.files"));
    return dropped;
  })()`);
  await grid.dispatchEvent("drop", { dataTransfer });
  const panel = page.getByRole("dialog", { name: `Import db.files into ${zone}` });
  await panel.getByRole("button", { name: "Look at the difference" }).click();
  await button(page, /^Import \+1 /).waitFor();
  await previewed(page);
  expect(new URL(page.url()).search).toBe("?q=web&import=1");
  await page.keyboard.press("Escape");
  await panel.getByRole("button", { name: "Look at the difference" }).waitFor();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await eventually(() => expect(new URL(page.url()).search).toBe("?q=web"));
});

describe("an import", () => {
  async function open(): Promise<Page> {
    return (await browser.open(`/console/zones/${zone}/import`)).page;
  }

  async function preview(page: Page, text: string): Promise<void> {
    await page.getByLabel("Text of the master file").fill(text);
    await button(page, "Look at the difference").click();
    await button(page, /^(Import \+|Write )/).waitFor();
  }

  const soa = `@ 300 SOA ns1.${"zonesmith.example."} you.example.com. 1 2 3 4 5`;

  test("that merges says that the SOA of the file is left out, and takes a note for the history", async () => {
    const page = await open();
    await preview(page, `${soa}\nmail 300 A 192.0.2.2\n`);
    await page.getByText("The SOA of the file is left out: a merge keeps that of the zone.").waitFor();
    await page.getByLabel("Note, for the history").fill("from the old provider, für alle");
    await button(page, "Import +1 −0").click();
    await page.getByText(/^Imported as \d+: \+1 −0\.$/).waitFor();
    const [change] = await service.sql<{ note: string }>("select note from change order by id desc limit 1");
    expect(change?.note).toBe("from the old provider, für alle");
  });

  test("that replaces has its SOA in the difference, and none where a greater serial is all that differs", async () => {
    const page = await open();
    await page.getByLabel("are removed (replace)").check();
    const { text: file } = await service.rest("GET", `/domain/zonefile/${zone}`);
    const serial = await service.serial(zone);
    await page.getByLabel("Text of the master file").fill(file.replace(String(serial), String(serial + 1)));
    await button(page, "Look at the difference").click();
    await page.getByText("A greater serial alone is not imported").waitFor();
    expect(await button(page, /^Import \+0/).isDisabled()).toBe(true);
    await button(page, "Back").click();
    await preview(
      page,
      "@ 3600 SOA ns1.example.net. admin.example.net. 1 10800 3600 1209600 3600\n@ 3600 NS ns1.example.net.\n",
    );
    expect(await page.getByText("The SOA of the file").count()).toBe(0);
    await page.getByText("+1 −4, the SOA differs").waitFor();
    const row = page.getByRole("region", { name: "Difference" }).getByRole("row").filter({ hasText: "SOA" });
    await row.getByText("admin.example.net.").waitFor();
    await button(page, "Import +1 −4").click();
    await page.getByText(/^Imported as/).waitFor();
  });

  test("that replaces asks when much of the zone would go", async () => {
    const { text: file } = await service.rest("GET", `/domain/zonefile/${zone}`);
    await service.mutate("changeRecords", { zone, add: elevenHosts }, "change { id }");
    const page = await open();
    await page.getByLabel("are removed (replace)").check();
    await page.getByLabel("Text of the master file").fill(file);
    await button(page, "Look at the difference").click();
    await expectQuestion(page, "Import +0 −11");
    await page.getByText(/^Imported as \d+: \+0 −11\.$/).waitFor();
  });

  test("says which comments are dropped, and writes the others as notes when it is asked to", async () => {
    const page = await open();
    const text = "; for all\n\n; mail of the office\nmail 300 A 192.0.2.2\nb 300 A 192.0.2.3 ; spare\n";
    await preview(page, text);
    const dropped = page.getByRole("list", { name: "Comments that are dropped" }).getByRole("listitem");
    expect(await dropped.allInnerTexts()).toEqual(["line 1 for all", "line 5 spare"]);
    await page.getByRole("list", { name: "Notes" }).getByText("mail of the office").waitFor();
    await page.getByLabel("Write 1 note, from the comments directly before this RRset").check();
    await button(page, "Import +2 −0, 1 note").click();
    await page.getByText(/^Imported as \d+: \+2 −0, 1 note written\.$/).waitFor();
    expect(await notes()).toEqual(["mail A: mail of the office"]);
  });

  test("of a file with a wrong line shows its name and its text at the line, which is edited there", async () => {
    const page = await open();
    const buffer = Buffer.from("a 300 A 192.0.2.1\nb 300 A 192.0.2.300\nc 300 A 192.0.2.3\n");
    await page.locator("input[type=file]").setInputFiles({ name: "old.zone", mimeType: "text/dns", buffer });
    await button(page, "Look at the difference").click();
    const editor = page.getByLabel("Text of the master file");
    await editor.and(page.locator(":focus")).waitFor();
    await page.locator('[data-number="✕ 2"]').waitFor({ state: "attached" });
    await page.getByText("old.zone", { exact: true }).waitFor();
    expect(await page.locator("input[type=file]").count()).toBe(0);
    await page.keyboard.type("b 300 A 192.0.2.2");
    expect(await editor.inputValue()).toBe("a 300 A 192.0.2.1\nb 300 A 192.0.2.2\nc 300 A 192.0.2.3\n");
    await button(page, "Look at the difference").click();
    await button(page, "Import +3 −0").click();
    await page.getByText(/^Imported as/).waitFor();
  });
});
