/**
 * Quotas in the console: an administrator sees what users have and sets how much they may have, a user sees the own, and edits that do not
 * fit are refused where they are reviewed, and stay staged.
 */
import { beforeAll, expect } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService({ QUOTA_DOMAINS: "3" });
// The browser reports what the service refuses.
const browser = testBrowser(service, /status of 4\d\d/);
const zone = "limited.example";
let [owner, key] = ["", ""];

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  key = await service.key({ name: "anna", userId: owner });
  browser.secrets.push(key);
  await service.domain(zone, owner);
});

const setQuota = (limits: object) =>
  service.data(mutation("setUserQuota", "user { id }"), {
    input: { id: owner, ...limits },
  });

test("an administrator sees figures and limits, and sets a number, no limit, or the default", async () => {
  const watched = await browser.open("/console/users");
  const { page } = watched;
  const row = page.getByRole("row").filter({ hasText: "owner@example.com" });
  await row.getByText("1 of 3 zones").waitFor();
  await row.getByText("4 records").waitFor();
  await page.getByRole("button", { name: "More for owner@example.com" }).click();
  await page.getByRole("button", { name: "Quota…" }).click();
  const dialog = page.getByRole("dialog", { name: "Quota of owner@example.com" });
  await dialog.getByLabel("Zones", { exact: true }).fill("no limit");
  await dialog.getByLabel("Records of all zones").fill("many");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Write a whole number from 0, or no limit.").waitFor();
  await watched.expectAccessible();
  await dialog.getByLabel("Records of all zones").fill("4");
  await dialog.getByRole("button", { name: "Save" }).click();
  await row.getByText("4 of 4 records").waitFor();
  await row.getByText("1 zone", { exact: true }).waitFor();
  await watched.expectAccessible();
  const query = `query ($email: String!) { user(by: { email: $email }) { quota {
    domains { limit isDefault } records { limit isDefault } changesPerDay { limit isDefault } } } }`;
  expect(await service.data(query, { email: "owner@example.com" })).toEqual({
    user: {
      quota: {
        domains: { limit: null, isDefault: false },
        records: { limit: 4, isDefault: false },
        changesPerDay: { limit: null, isDefault: true },
      },
    },
  });
});

test("a user sees the own quota, and what does not fit is refused with its figures and stays staged", async () => {
  await setQuota({ records: 4, domains: null });
  const about = await browser.open("/console/about", key);
  await about.page.getByRole("heading", { name: "Your quota" }).waitFor();
  await about.page.getByText("4 of 4 records").waitFor();
  await about.page.getByText("1 of 3 zones").waitFor();
  await about.expectAccessible();

  const watched = await browser.open(`/console/zones/${zone}`, key);
  const { page } = watched;
  const user = await new SheetUser(page).ready();
  await user.add("api", "A", "192.0.2.7");
  await user.press("Control+Enter");
  const refusal = page
    .getByRole("dialog")
    .getByText("The quota of owner@example.com is 4 records in all; 4 are used, and this would make it 5.");
  await refusal.waitFor();
  await watched.expectAccessible();
  await setQuota({ records: 5 });
  await user.press("Escape");
  await user.review();
  expect(await refusal.count()).toBe(0);
  await user.apply();
  expect((await service.rest("GET", `/domain/zonefile/${zone}`)).text).toContain("192.0.2.7");
});
