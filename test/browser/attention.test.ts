/** What needs somebody is said over the list of zones and counted in the header, with where to go, as long as its cause lasts. */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { expectAccessible, testConsole } from "../setup/browser/console-browser.ts";
import { UpdateClient } from "../setup/dns/update-client.ts";
import { Sightings } from "../setup/service/sightings.ts";

const { test, service, browser } = testConsole({ PUBLICATION_LATE_SECONDS: "60" });
const sightings = new Sightings(service);
const zone = "needy.example";
let [owner, author] = ["", ""];

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  author = await service.key({ name: "author", userId: owner });
  await service.domain(zone, owner);
});

const list = (page: Page) => page.getByRole("region", { name: "Needs attention" }).getByRole("listitem");
const open = async (key?: string) => (await browser.open("/console/zones", key)).page;

test("without a name server it says so, and leads to a new one; to a user it is nothing", async () => {
  const page = await open();
  await list(page).filter({ hasText: "No name server serves your zones yet" }).getByRole("link").click();
  await page.getByRole("dialog", { name: "Add server" }).waitFor();
  const own = await open(await browser.key({ name: "own", userId: owner }));
  await own.getByRole("link", { name: zone }).waitFor();
  expect(await list(own).count()).toBe(0);
});

test("late zones, a review, own edits and refused updates, in this order, each with its way", async () => {
  await sightings.secondary("ns1");
  await sightings.age(zone, 100);
  const edit = { zone, add: [{ owner: "a", type: "A", rdata: "192.0.2.1" }] };
  const input = { title: "Retire the VPN", requestedApprovals: 1, zones: [{ edit }] };
  const { changeSet } = await service.mutate("createChangeSet", input, "changeSet { id }", author);
  await service.mutate("submitChangeSet", { changeSetId: changeSet.id }, "changeSet { id }", author);
  for (const name of ["a", "b", "c"])
    await new UpdateClient(() => service.dnsPort).update(zone, [`add ${name} 300 A 192.0.2.9`]);
  const user = await browser.sheet(zone);
  const { page } = user;
  await user.add("mine", "A", "192.0.2.2");
  await page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  await page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Zones" }).click();
  await list(page).filter({ hasText: "was refused 3 times" }).waitFor();
  expect(await list(page).locator("b").allTextContents()).toEqual([
    "1 zone is late at ns1",
    "“Retire the VPN” needs your review",
    `1 edit of ${zone} is not applied`,
    "An update without a key was refused 3 times",
  ]);
  for (const name of ["Activity 1 review waits for you", "Servers 1 server late"])
    await page.getByRole("link", { name }).waitFor();
  await expectAccessible(page);
  for (const [text, heading] of [
    ["late at ns1", "ns1"],
    ["needs your review", "Retire the VPN"],
    ["is not applied", zone],
    ["was refused", "Activity"],
  ] as const) {
    await list(page).filter({ hasText: text }).getByRole("link").click();
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.goBack();
  }
});

test("where nothing needs somebody, one line says that all zones are on every server", async () => {
  const user = await service.user("fine@example.com");
  const domain = await service.domain("fine.example", user);
  await service.sql("delete from secondary");
  await sightings.see(await sightings.secondary("fine-ns"), domain);
  const page = await open(await browser.key({ name: "fine", userId: user }));
  await page.getByText(/^The zone is on every server\. Last change .*\.$/).waitFor();
  expect(await list(page).count()).toBe(0);
});
