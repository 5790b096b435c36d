/**
 * Deleted zones, wherever somebody meets one: at its address, in the list, in the form of a new zone, and in the way of a restoration; and
 * where a zone is created or restored by a change set alone.
 */
import { readFileSync } from "node:fs";
import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { clickButtons, testConsole } from "../setup/browser/console-browser.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

// The browser reports what the tests refuse.
const { test, service, browser } = testConsole({}, /status of 4\d\d|There is no zone/);
let [zone, owner, anna] = ["", "", ""];

zonePerTest(service, "gone", async (...begun) => {
  [zone, owner] = begun;
  await service.record(zone, "host", "A", "192.0.2.1");
  if (anna !== "") return;
  anna = await browser.key({ name: "anna", userId: owner });
});

const deleteZone = () => service.mutate("deleteDomain", { by: { zone }, note: "moved away" }, "change { id }", anna);
const sheet = (page: Page) => page.getByRole("grid");
const restore = (page: Page) => page.getByRole("button", { name: "Restore…" }).click();
const answer = (page: Page) => page.getByRole("dialog").getByRole("button", { name: "Restore the zone" }).click();

test("the open page of a zone that somebody deletes says so, by whom and why, and restores it", async () => {
  const { page } = await browser.open(`/console/zones/${zone}`);
  await sheet(page).getByText("192.0.2.1").waitFor();
  await deleteZone();
  await page.getByText("This zone was deleted").waitFor();
  await page.getByText(/by owner · anna: moved away/).waitFor();
  await restore(page);
  await answer(page);
  await sheet(page).getByText("192.0.2.1").waitFor();
});

test("its address and the list say it too, and the address of a name that had no zone says that", async () => {
  await deleteZone();
  const { page } = await browser.open(`/console/zones/${zone}/history`);
  await page.getByText(/by owner · anna: moved away/).waitFor();
  await page.getByRole("link", { name: "Its last state" }).click();
  await page.getByText("so it was when it was deleted").waitFor();
  await page.getByText(/by owner · anna: moved away/).waitFor();
  await page.goto(`${service.url}/console/settings/deleted?q=${zone}`);
  await page.getByRole("row").filter({ hasText: zone }).getByText("owner · anna").waitFor();
  await page.goto(`${service.url}/console/zones/never.example`);
  await page.getByText("There is no zone never.example").waitFor();
});

test("the form of a new zone offers the restoration instead, and a zone in the way of one is named with what to do", async () => {
  await deleteZone();
  const { page } = await browser.open("/console/zones?new=zone", anna);
  await page.getByLabel("Zone", { exact: true }).fill(`${zone.toUpperCase()}.`);
  await page.getByRole("button", { name: "Restore it instead…" }).waitFor();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("status", { name: "Results" }).getByText("cannot be restored beside this one").waitFor();
  await page.goto(`${service.url}/console/settings/deleted?q=${zone}`);
  await page.getByRole("button", { name: `Restore ${zone}…` }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Look at that" }).and(page.locator(":focus")).waitFor();
  expect(await page.getByRole("dialog").innerText()).not.toMatch(/DUPLICATE_ZONE|deleteDomain/);
  await deleteZone();
  await page.goto(`${service.url}/console/zones?new=zone`);
  await page.getByLabel("Zone", { exact: true }).fill(zone);
  await page.getByRole("button", { name: "Restore it instead…" }).click();
  await answer(page);
  await sheet(page).waitFor();
});

test("where zones are created by change sets alone, creating and restoring one proposes that in place", async () => {
  await deleteZone();
  await service.mutate("updateUser", { by: { id: owner }, review: "ONE" }, "user { id }");
  const { page } = await browser.open("/console/zones?new=zone", anna);
  await page.getByLabel("Zone", { exact: true }).fill("proposed.example");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByText("proposed.example is changed by change sets alone").waitFor();
  await page.getByRole("button", { name: "Propose it as a change set" }).click();
  await page.getByRole("heading", { name: "Create proposed.example", level: 1 }).waitFor();
  await page.getByRole("article", { name: "proposed.example" }).getByText("CNAME").waitFor();
  await page.goto(`${service.url}/console/settings/deleted?q=${zone}`);
  await clickButtons(page, `Restore ${zone}…`, "Restore the zone", "Propose it as a change set");
  await page.getByRole("heading", { name: `Restore ${zone}`, level: 1 }).waitFor();
  await page.getByRole("article", { name: zone }).getByText("192.0.2.1").waitFor();
  await page.getByRole("article", { name: zone }).getByText("is restored").waitFor();
  expect(await page.getByRole("button", { name: "Ask for review…" }).isEnabled()).toBe(true);
  await service.mutate("updateUser", { by: { id: owner }, review: "NONE" }, "user { id }");
});

test("one whose name is used again is exported by its id", async () => {
  const again = "again.example.org";
  await service.domain(again, owner);
  const serial = await service.serial(again);
  await service.rest("DELETE", "/domain/delete", { form: { zone: again } });
  await service.domain(again, owner);
  const { page } = await browser.open("/console/settings/deleted?q=again");
  await page.getByRole("link", { name: again }).click();
  await page.getByText("so it was when it was deleted").waitFor();
  await page.getByRole("table", { name: "Records" }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export this moment" }).click(),
  ]);
  expect(readFileSync(await file.path(), "utf8")).toContain(` ${serial} `);
});
