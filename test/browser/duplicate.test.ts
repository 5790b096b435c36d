/**
 * A zone that is duplicated: the same records under another name, of which nothing that exists is replaced.
 */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
const source = "source.example";
let owner = "";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  await service.domain(source, owner);
  await service.record(source, "mail", "A", "192.0.2.1", 300);
  await service.record(source, "@", "MX", "10 mail", 300);
  await service.record(source, "a\\.b", "TXT", `"see mail.${source}."`, 300);
  await service.domain("taken.example", owner);
});

/** The records of a zone as text, without the SOA and in order. */
async function recordsOf(zone: string): Promise<string[]> {
  const rows = await service.sql<{ line: string }>(
    `select r.owner || ' ' || r.type || ' ' || r.ttl || ' ' || r.rdata as line from zone_record r
     join domain d on d.id = r.domain_id where d.zone = $1 and r.type <> 'SOA' order by 1`,
    [zone],
  );
  return rows.map(({ line }) => line);
}

async function openDialog(page: Page) {
  await page.getByRole("button", { name: `More for ${source}` }).click();
  await page.getByRole("button", { name: "Duplicate…" }).click();
  return page.getByRole("dialog", { name: `Duplicate ${source}` });
}

test("from the list, with its names in the data, once the name is one that is free", async () => {
  const watched = await browser.open("/console/zones?q=source");
  const { page } = watched;
  const dialog = await openDialog(page);
  await eventually(async () => expect(await dialog.getByLabel("User").inputValue()).toBe("owner@example.com"));
  const before = await service.snapshot("taken.example");
  for (const [name, reason] of [
    ["taken.example", "exists already"],
    ["not a name", "is not a domain name"],
  ] as const) {
    await dialog.getByLabel("New zone").fill(name);
    await dialog.getByRole("button", { name: "Duplicate" }).click();
    await dialog.getByText(reason).waitFor();
    expect(await dialog.getByLabel("New zone").getAttribute("aria-invalid")).toBe("true");
  }
  expect(await service.snapshot("taken.example")).toEqual(before);
  await dialog.getByLabel("New zone").fill("Bücher.example");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "bücher.example" }).waitFor();
  await dialog.waitFor({ state: "detached" });
  const copied = (await recordsOf(source)).map((line) =>
    line.includes(" TXT ") ? line : line.replaceAll(`${source}.`, "xn--bcher-kva.example."),
  );
  expect(await recordsOf("xn--bcher-kva.example")).toEqual(copied);
  expect(copied).toContain("@ MX 300 10 mail.xn--bcher-kva.example.");
  watched.forgive(/status of 4\d\d/);
});

test("from the page of the zone, with its data as they are, by its user", async () => {
  const key = await service.key({ name: "user", userId: owner });
  browser.secrets.push(key);
  const { page } = await browser.open(`/console/zones/${source}`, key);
  const dialog = await openDialog(page);
  expect(await dialog.getByLabel("User").count()).toBe(0);
  await dialog.getByLabel("New zone").fill("second.example");
  await dialog.getByLabel("Names in the data").uncheck();
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await page.getByRole("heading", { name: "second.example" }).waitFor();
  expect(await recordsOf("second.example")).toEqual(await recordsOf(source));
});

test("what the service would refuse of the copy is refused before the zone is created", async () => {
  const watched = await browser.open("/console/zones?q=source");
  const { page } = watched;
  await page.route("**/zonefile/source.example", (route) =>
    route.fulfill({ contentType: "text/dns", body: `${source}.\t300\tIN\tA\t192.0.2.300\n` }),
  );
  const dialog = await openDialog(page);
  await dialog.getByLabel("New zone").fill("never.example");
  await page.keyboard.press("Enter");
  await dialog.getByRole("alert").waitFor();
  expect(await service.sql("select 1 from domain where zone = 'never.example'")).toEqual([]);
  watched.forgive(/status of 4\d\d/);
});
