/**
 * What pages say and show in cases that are rare: where something failed, where there is one of what is usually many, where nothing can be
 * done, and why.
 */
import { beforeAll, beforeEach, describe, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
// The browser reports what the tests refuse.
const browser = testBrowser(service, /status of \d+|ERR_/);
let owner = "";
let zone = "";
let count = 0;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
});
beforeEach(async () => {
  zone = `sentences${count++}.example`;
  await service.domain(zone, owner);
});

test("a sign-out that failed is shown until it is dismissed", async () => {
  const { page } = await browser.open("/console/about");
  await page.route("**/sign-in", (route) => route.abort("connectionrefused"));
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  const results = page.getByRole("status", { name: "Results" });
  await results.getByText("You are still signed in. The service did not answer.").waitFor();
  await results.getByRole("button", { name: "Dismiss" }).click();
  await results.getByText("You are still signed in.").waitFor({ state: "detached" });
});

test("one record is one record where a zone is deleted", async () => {
  const { page } = await browser.open(`/console/zones?q=${zone}`);
  await page.route("**/graphql", async (route) => {
    if (!(route.request().postData() ?? "").includes("query RecordCount")) return route.fallback();
    return route.fulfill({ json: { data: { domain: { records: { totalCount: 1 } } } } });
  });
  await page.getByRole("button", { name: `More for ${zone}` }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByText("Its 1 record goes with it").waitFor();
});

test("the rows of a sheet reach its edge, with a scroll bar and without", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  await new SheetUser(page).ready();
  const rest = () =>
    page.evaluate(`(() => {
      const row = document.querySelector("[role=gridcell]").closest("[role=row]");
      return row.closest("[role=grid]").getBoundingClientRect().right - row.getBoundingClientRect().right;
    })()`);
  expect(await rest()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 440 });
  // Here the browser draws scroll bars over what they scroll.
  expect(await rest()).toBe(0);
  const heading = await page.getByRole("columnheader", { name: "Data" }).boundingBox();
  const cell = await page.locator("[role=gridcell][data-column=rdata]").first().boundingBox();
  expect([heading?.x, heading?.width]).toEqual([cell?.x, cell?.width]);
});

test("the key that is signed in is in use now, whatever time of its use is stored", async () => {
  await service.sql("update api_key set last_used_at = now() - interval '50 minutes'");
  const { page } = await browser.open("/console/keys");
  const row = page.getByRole("row").filter({ hasText: "this one" });
  await row.getByRole("cell", { name: "now", exact: true }).waitFor();
});

test("a server says whether a change is live without it", async () => {
  const { createSecondary } = await service.data(mutation("createSecondary", "secondary { id }"), {
    input: { name: "knot1", address: "127.0.0.1", port: 1, newTsigKey: "knot1.key" },
  });
  const { id } = (createSecondary as { secondary: { id: string } }).secondary;
  const { page } = await browser.open(`/console/servers/${id}`);
  await page.getByText("yes: a change is live only when this server has it").waitFor();
});

test("names in search results are shown in Unicode beside their A-labels", async () => {
  await service.record(zone, "xn--bcher-kva", "CNAME", "xn--r8jz45g.example.");
  const { page } = await browser.open("/console/search?q=bcher-kva");
  const row = page.getByRole("row").filter({ hasText: zone });
  await row.getByRole("cell", { name: "xn--bcher-kva bücher", exact: true }).waitFor();
  await row.getByRole("cell", { name: "xn--r8jz45g.example. 例え.example.", exact: true }).waitFor();
});

test("a service that is away is asked again after ten seconds at the latest", async () => {
  const { page } = await browser.open("/console/about");
  await page.getByText("Version", { exact: true }).waitFor();
  await page.clock.install();
  await page.route("**/readyz", (route) => route.abort("connectionrefused"));
  await page.route("**/graphql", (route) => route.abort("connectionrefused"));
  await page.getByRole("link", { name: "Zones", exact: true }).first().click();
  await page
    .getByText(/No answer since/)
    .first()
    .waitFor();
  for (const ms of [1000, 2000, 4000, 8000, 10_000, 10_000]) {
    const asked = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/readyz"));
    await page.clock.runFor(ms);
    await asked;
    // What comes after another answer knows of the one before.
    await page.evaluate("fetch('/console/about').then((response) => response.text()).then(() => undefined)");
  }
});

describe("an import", () => {
  test("of the same records with a greater serial says why it is none", async () => {
    const { text: file } = await service.rest("GET", `/domain/zonefile/${zone}`);
    const serial = await service.serial(zone);
    const text = file.replace(String(serial), String(Number(serial) + 1));
    const { page } = await browser.open(`/console/zones/${zone}/import`);
    await page.getByLabel("Text of the master file").fill(text);
    await page.getByLabel("are removed (replace)").check();
    await page.getByRole("button", { name: "Look at the difference" }).click();
    await page.getByText("A greater serial alone is not imported").waitFor();
    expect(await page.getByRole("button", { name: /^Import \+0/ }).isDisabled()).toBe(true);
  });

  test("of a file with a wrong line shows its text at the line, which is edited there", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/import`);
    const buffer = Buffer.from("a 300 A 192.0.2.1\nb 300 A 192.0.2.300\nc 300 A 192.0.2.3\n");
    await page.locator("input[type=file]").setInputFiles({ name: "records.zone", mimeType: "text/dns", buffer });
    await page.getByRole("button", { name: "Look at the difference" }).click();
    const editor = page.getByLabel("Text of the master file");
    await editor.and(page.locator(":focus")).waitFor();
    await page.locator('[data-number="✕ 2"]').waitFor({ state: "attached" });
    await page.keyboard.type("b 300 A 192.0.2.2");
    expect(await editor.inputValue()).toBe("a 300 A 192.0.2.1\nb 300 A 192.0.2.2\nc 300 A 192.0.2.3\n");
    await page.getByRole("button", { name: "Look at the difference" }).click();
    await page.getByRole("button", { name: "Import +3 −0" }).click();
    await page.getByText(/^Imported as/).waitFor();
  });
});

test("a paste gives a line without a TTL that of the line before, and says that comments are not kept", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  const user = await new SheetUser(page).ready();
  await user.paste("one 300 IN A 192.0.2.1 ; the first\ntwo A 192.0.2.2\n");
  await page.getByText("2 rows pasted. Comments are not kept.").waitFor();
  await eventually(async () => expect(await user.cell("two", "ttl").innerText()).toBe("300"));
});
