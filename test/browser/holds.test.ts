/**
 * What waits for an administrator: many zones that would leave the catalog at once, and what a restored backup would publish. Both are real
 * here, seen on every page of the console and decided there.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { FollowingResponder } from "../setup/service/following-responder.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService({ RESTORE_POLICY: "confirm" });
const browser = testBrowser(service);
const secondary = new FollowingResponder(service);
const zone = "restored.example";
const leaving = Array.from({ length: 11 }, (_, at) => `leaves${at}.example`);
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
  await secondary.register("s1");
});
afterAll(() => secondary.close());

const memberCount = async () => (await service.data("{ catalog { memberCount } }")).catalog.memberCount;
const isLive = async () => {
  const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { publication { state } } }`);
  expect(domain.publication.state).toBe("LIVE");
};

test("zones that would leave the catalog at once are named, and leave it when an administrator says so", async () => {
  const leaver = await service.user("leaver@example.com");
  for (const name of leaving) await service.domain(name, leaver);
  await eventually(async () => expect(await memberCount()).toBe(1 + leaving.length));
  const { status } = await service.rest("DELETE", `/user/delete/${leaver}?domains=delete`);
  expect(status).toBe(204);
  await eventually(async () =>
    expect((await service.data("{ catalogHold { heldSince } }")).catalogHold).not.toBeNull(),
  );

  const reader = await service.key({ name: "reader", readOnly: true });
  browser.secrets.push(reader);
  const other = await browser.open("/console/history", reader);
  await other.page.getByRole("region", { name: "Catalog" }).waitFor();
  expect(await other.page.getByRole("button", { name: "Decide…" }).count()).toBe(0);

  const watched = await browser.open("/console/keys");
  const { page } = watched;
  const bar = page.getByRole("region", { name: "Catalog" });
  await bar.getByText("The removal of 11 zones is held back").waitFor();
  await bar.getByRole("button", { name: "Decide…" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove 11 zones from the catalog?" });
  for (const name of leaving) await dialog.getByText(name).waitFor();
  expect(await watched.accessibility()).toEqual([]);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await memberCount()).toBe(1 + leaving.length);
  await bar.getByRole("button", { name: "Decide…" }).click();
  await dialog.getByRole("button", { name: "Remove 11 zones" }).click();
  await bar.waitFor({ state: "detached" });
  await eventually(async () => expect(await memberCount()).toBe(1));
});

test("a restored backup that would take changes back is published when an administrator says so", async () => {
  await eventually(isLive);
  await service.backup();
  await service.record(zone, "lost", "A", "192.0.2.1");
  await service.record(zone, "lost2", "A", "192.0.2.1");
  await eventually(isLive);
  await service.restore();
  await service.record(zone, "new", "A", "192.0.2.2");
  await eventually(async () =>
    expect((await service.data("{ restoreHold { zoneCount } }")).restoreHold).not.toBeNull(),
  );

  const watched = await browser.open("/console/");
  const { page } = watched;
  const bar = page.getByRole("region", { name: "Restored backup" });
  await bar.getByText(/1 zone is not published since .*, as s1 would lose changes/).waitFor();
  await bar.getByRole("button", { name: "Decide…" }).click();
  const dialog = page.getByRole("dialog", { name: "Publish what the backup holds?" });
  await dialog.getByText("s1 has changes that this database has lost").waitFor();
  expect(await watched.accessibility()).toEqual([]);
  await dialog.getByRole("button", { name: "Publish" }).click();
  await bar.waitFor({ state: "detached" });
  await eventually(isLive);
  await eventually(async () => expect((await service.data("{ restoreHold { zoneCount } }")).restoreHold).toBeNull());
});
