/**
 * A change that is applied in the sheet, seen on its way to a real Knot in the same panel, and taken back there.
 */
import { beforeAll, expect } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { testFollowing } from "../setup/servers/following.ts";
import { askAt } from "../setup/servers/kdig.ts";
import { knot } from "../setup/servers/name-servers.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium", "kdig", ...knot.programs);
const service = testService();
const browser = testBrowser(service);
const zone = "published.example";
const server = testFollowing(service, knot);

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

/** What Knot answers for the record of the test. */
const answers = async () => (await askAt(server.port, `live.${zone}`, "A")).answers;

test("a change is live on Knot, and so is its inverse", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  const user = await new SheetUser(page).ready();
  await user.add("live", "A", "192.0.2.7");
  await user.review();
  await user.apply();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("on 1 of 1 servers").waitFor();
  const serial = await service.serial(zone);
  await dialog.getByRole("row").filter({ hasText: server.server.name }).getByText(`serves ${serial}`).waitFor();
  expect(await answers()).toEqual(["192.0.2.7"]);

  await user.button("Undo this change").click();
  await page.getByRole("heading", { name: /^Review 1 change/ }).waitFor();
  await user.button(/^Apply/).waitFor();
  await user.apply();
  await dialog.getByText("on 1 of 1 servers").waitFor();
  await dialog.getByText(`serves ${serial + 1}`).waitFor();
  expect(await answers()).toEqual([]);
});

test("from the list of zones to the record that is live, by the keyboard alone", async () => {
  const { page } = await browser.open("/console/zones");
  const user = new SheetUser(page);
  await page.getByRole("link", { name: zone }).waitFor();
  await user.press("/");
  await user.type(zone);
  await user.press("Enter");
  await user.ready();
  await user.add("keys", "A", "192.0.2.8");
  await user.review();
  await user.apply();
  await page.getByRole("dialog").getByText("on 1 of 1 servers").waitFor();
  expect((await askAt(server.port, `keys.${zone}`, "A")).answers).toEqual(["192.0.2.8"]);
  await user.press("Escape");
  await user.ready();
  expect(user.clicks).toBe(0);
});
