/**
 * The tasks of operators and owners beside the sheet, from the list of zones on, with no more clicks and keys than the design of the console
 * allows. What is typed as a value does not count.
 */
import { beforeAll, expect } from "@jest/globals";
import type { Locator, Page } from "playwright-core";
import { testWith } from "../setup/basics/programs.ts";
import { copied, testBrowser } from "../setup/browser/console-browser.ts";
import { UpdateClient } from "../setup/dns/update-client.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
// What is pending stays so.
const service = testService({ PUBLICATION_LATE_SECONDS: "86400" });
const browser = testBrowser(service);
const zone = "example.com";

beforeAll(async () => {
  const owner = await service.user("owner@example.com");
  await service.domain(zone, owner);
  await service.domain("other.example.net", owner);
  await service.record(zone, "host", "A", "192.0.2.1", 300);
  const input = { name: "nsd1", address: "127.0.0.1", port: 2 };
  await service.mutate("createSecondary", input, "secondary { id }");
});

/** Somebody at the list of zones, whose clicks and keys are counted. */
class Operator {
  readonly page: Page;
  clicks = 0;
  keys = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  button(name: string | RegExp): Promise<void> {
    return this.click(this.page.getByRole("button", { name }).first());
  }

  place(name: string): Promise<void> {
    const link = this.page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: new RegExp(`^${name}\\b`) });
    return this.click(link);
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }
}

async function atTheZones(): Promise<Operator> {
  const { page } = await browser.open("/console/zones");
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  return new Operator(page);
}

test("1: a zone is opened by two keys", async () => {
  const operator = await atTheZones();
  await operator.press("/");
  await operator.page.keyboard.type(zone);
  await operator.press("Enter");
  await operator.page.getByRole("heading", { name: zone }).waitFor();
  expect(operator).toMatchObject({ keys: 2, clicks: 0 });
});

test("1: a zone is opened by two clicks", async () => {
  const operator = await atTheZones();
  await operator.click(operator.page.getByLabel("Find a zone…"));
  await operator.page.keyboard.type(zone);
  await operator.click(operator.page.getByRole("link", { name: zone, exact: true }));
  await operator.page.getByRole("heading", { name: zone }).waitFor();
  expect(operator).toMatchObject({ keys: 0, clicks: 2 });
});

test("8: a change is found and taken back by four clicks", async () => {
  const operator = await atTheZones();
  await operator.place("History");
  const row = operator.page.getByRole("row").filter({ hasText: zone }).filter({ hasText: "+ host A" });
  await row.getByText("administrator").waitFor();
  await operator.click(row.getByRole("link").first());
  await operator.button("Undo…");
  const review = operator.page.getByRole("dialog", { name: /^Undo / });
  await operator.click(review.getByRole("button", { name: /^Apply/ }));
  await operator.page.getByText(/^Committed as/).waitFor();
  expect(operator.clicks).toBe(4);
});

test("10: a secondary is added and its stanza copied by four clicks", async () => {
  const operator = await atTheZones();
  await operator.place("Servers");
  await operator.button("New server");
  await operator.page.getByLabel("Name", { exact: true }).fill("knot1");
  await operator.page.getByLabel("Address").fill("127.0.0.1");
  await operator.page.getByLabel("Port").fill("1");
  await operator.page.keyboard.press("Enter");
  await operator.button("Show the stanza");
  await operator.button("Copy the stanza");
  await copied(operator.page, "the stanza");
  expect(operator.clicks).toBe(4);
});

test("7: which zones are not live, and why at which server, is two clicks", async () => {
  const operator = await atTheZones();
  await operator.button(/^Pending/);
  await operator.click(operator.page.locator(`a[href$="/${zone}/servers"]`));
  const row = operator.page.getByRole("table", { name: "Name servers" }).getByRole("row").filter({ hasText: "nsd1" });
  await row.getByText(/answer|refused/i).waitFor();
  expect(operator.clicks).toBe(2);
});

test("11: a key is made by four clicks", async () => {
  const operator = await atTheZones();
  await operator.place("Keys");
  await operator.button("New API key");
  await operator.page.getByLabel("Name").fill("laptop");
  await operator.page.getByLabel("Whose key").selectOption("an administrator's, for everything");
  await operator.button("Create");
  await operator.button("Copy the key");
  await copied(operator.page, "the key");
  const key = await operator.page.getByRole("dialog").locator("code").innerText();
  browser.secrets.push(key);
  expect(operator.clicks).toBe(4);
});

test("11: a key for an ACME client is made by four clicks, with the client's configuration", async () => {
  const operator = await atTheZones();
  await operator.place("Keys");
  await operator.click(operator.page.getByRole("link", { name: "TSIG keys" }));
  await operator.button("New TSIG key");
  const dialog = operator.page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("lego.example.com");
  await dialog.getByRole("textbox", { name: "Zones" }).fill(zone);
  await operator.page.keyboard.press("Enter");
  await operator.button("Copy the configuration of lego");
  await copied(operator.page, "the configuration of lego");
  browser.secrets.push(await dialog.locator("code").innerText());
  expect(operator.clicks).toBe(4);
});

test("11: a key is revoked by two clicks, and Enter where it asks; the own one asks for a third", async () => {
  const key = await service.key({ name: "lost" });
  browser.secrets.push(key);
  const operator = await atTheZones();
  await operator.place("Keys");
  await operator.button(/^Revoke lost/);
  const dialog = operator.page.getByRole("dialog", { name: "Revoke lost?" });
  await dialog.getByRole("button", { name: "Revoke the key" }).and(operator.page.locator(":focus")).waitFor();
  await operator.press("Enter");
  await operator.page.getByRole("row").filter({ hasText: "lost" }).getByText("revoked").waitFor();
  expect(operator).toMatchObject({ clicks: 2, keys: 1 });
  expect(await service.refusal("{ viewer { role } }", {}, key)).toBe("UNAUTHENTICATED");

  await operator.button(/^Revoke administrator/);
  const own = operator.page.getByRole("dialog", { name: /^Revoke administrator/ });
  await own.getByText("You are signed in with this key").waitFor();
  await operator.press("Enter");
  await own.waitFor({ state: "detached" });
  expect(await service.refusal("{ viewer { role } }")).toBeUndefined();
});

test("12: why an update was refused is two clicks", async () => {
  await new UpdateClient(() => service.dnsPort).update(zone, ["add www9 300 A 192.0.2.9"]);
  const operator = await atTheZones();
  await operator.place("Refusals");
  const item = operator.page.locator("summary").filter({ hasText: "is not signed" });
  await operator.click(item);
  await operator.page.getByText("update add www9.example.com.").waitFor();
  expect(operator.clicks).toBe(2);
});
