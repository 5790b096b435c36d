/** A change that is applied in the sheet, seen on its way to a real Knot in the same panel, and taken back there. */
import { beforeAll, expect } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { testBrowser } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { knot } from "../../setup/servers/name-servers.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("chromium", "kdig", ...knot.programs);
const service = testService();
const browser = testBrowser(service);
const zone = "published.example";
const server = testFollowing(service, knot);

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

const answers = async () => (await server.ask(`live.${zone}`, "A")).answers;

test("a change is live on Knot, and so is its inverse", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  const user = await new SheetUser(page).ready();
  await user.add("live", "A", "192.0.2.7");
  await user.review();
  await user.apply();
  await page.getByText(/^1 of 1 serves it/).waitFor();
  expect(await answers()).toEqual(["192.0.2.7"]);

  await user.button("Undo…").click();
  await page.getByRole("heading", { name: /^Undo: / }).waitFor();
  await user.button(/^Apply/).waitFor();
  await user.apply();
  await page.getByText(/^1 of 1 serves it/).waitFor();
  expect(await answers()).toEqual([]);
});
