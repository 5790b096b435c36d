/**
 * The page of the service's state, which is kept current, and what waits for an administrator: many zones that would leave the catalog at once,
 * and what a restored backup would publish. Both are real here, seen on every page of the console and decided there.
 */
import { afterAll, beforeAll, describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { accessibility, testConsole } from "../setup/browser/console-browser.ts";
import { UpdateClient } from "../setup/dns/update-client.ts";
import { FollowingResponder } from "../setup/service/following-responder.ts";

const { test, service, browser } = testConsole({ RESTORE_POLICY: "confirm" });
let [owner, server] = ["", ""];

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  const other = await service.user("other@example.com");
  await service.domain("late.example", owner);
  await service.domain("other.example", other);
  const input = { name: "ns1", address: "127.0.0.1", port: 1, newTsigKey: "ns1.key" };
  server = (await service.mutate("createSecondary", input, "secondary { id }")).secondary.id;
  await service.sql(
    "update secondary set created_at = now() - interval '2 days', joined_at = now() - interval '2 days'",
  );
  await service.sql("update change set created_at = now() - interval '1 day' where zone = 'late.example'");
  await service.sql(
    `insert into instance (id, host, pid, version, started_at, seen_at)
     values (gen_random_uuid(), 'gone-host', 77, '0.0.9', now() - interval '1 day', now() - interval '5 minutes')`,
  );
  await new UpdateClient(() => service.dnsPort).update("late.example", ["add www 300 A 192.0.2.9"]);
  await new UpdateClient(() => service.dnsPort).update("other.example", ["add www 300 A 192.0.2.9"]);
});

const row = (page: Page, table: string, text: string) =>
  page.getByRole("table", { name: table }).getByRole("row").filter({ hasText: text });

test("an administrator sees all of it, each with the way to its page", async () => {
  const { page } = await browser.open("/console/zones");
  await page.getByRole("link", { name: "Status" }).click();
  await row(page, "Instances", `process ${process.pid}`).getByText("leads").waitFor();
  await row(page, "Instances", "gone-host").getByText("gone", { exact: true }).waitFor();
  await row(page, "Name servers", "ns1").getByText("0 of 2 zones", { exact: true }).waitFor();
  await row(page, "Name servers", "ns1").getByText("just now").waitFor();
  await row(page, "Late zones", "late.example").getByText("ns1: ").waitFor();
  await row(page, "Last failures", "Update of other.example").waitFor();
  await page.getByText("New zones are lame").waitFor();
  for (const [table, link, heading] of [
    ["Name servers", "ns1", "ns1"],
    ["Late zones", "late.example", "late.example"],
    ["Last failures", "Update of late.example", "Refused updates"],
  ] as const) {
    await row(page, table, link).getByRole("link", { name: link }).click();
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.goBack();
  }
  await page.getByRole("region", { name: "Zones" }).getByRole("link", { name: "1 late" }).click();
  await page.getByRole("button", { name: /^Late/, pressed: true }).waitFor();
});

test("a server that has not had all zones yet is joining, and one that does not have a zone has answered", async () => {
  await service.sql("update secondary set joined_at = null, queried_at = now(), query_answer = 'REFUSED'");
  const { page } = await browser.open("/console/status");
  await row(page, "Name servers", "ns1").getByText("joining, 0 of 2 zones").waitFor();
  await page.getByRole("link", { name: "Servers" }).click();
  await page.getByRole("table", { name: "Name servers" }).getByText("joining, 0 of 2 zones").waitFor();
  await service.sql("update secondary set joined_at = now() - interval '2 days'");
});

test("it is kept current", async () => {
  const { page } = await browser.open("/console/status");
  await page.clock.install();
  await page.reload();
  const zones = page.getByRole("region", { name: "Zones" });
  const comesToShow = (count: number) =>
    eventually(async () => {
      await page.clock.fastForward(5000);
      const shown = [zones.getByRole("link", { name: `${count} in all` }), page.getByText(`0 of ${count} zones`)];
      expect(await Promise.all(shown.map((each) => each.count()))).toEqual([1, 1]);
    });
  await comesToShow(2);
  await service.domain("new.example", owner);
  await comesToShow(3);
  await service.rest("DELETE", "/domain/delete", { form: { zone: "new.example" } });
  await comesToShow(2);
});

test("a user sees what is the user's", async () => {
  const key = await browser.key({ name: "own", userId: owner });
  const { page } = await browser.open("/console/status", key);
  await row(page, "Late zones", "late.example").waitFor();
  await row(page, "Last failures", "Update of late.example").waitFor();
  await page.getByRole("region", { name: "Zones" }).getByRole("link", { name: "1 in all" }).waitFor();
  expect(await page.getByText("other.example").count()).toBe(0);
  for (const name of ["Instances", "Name servers"])
    expect(await page.getByRole("heading", { name, exact: true }).count()).toBe(0);
});

describe("what waits for an administrator", () => {
  const secondary = new FollowingResponder(service);
  const zone = "restored.example";
  const leaving = Array.from({ length: 11 }, (_, at) => `leaves${at}.example`);

  beforeAll(async () => {
    await service.mutate("deleteSecondary", { by: { id: server } }, "deletedId");
    await service.domain(zone, owner);
    await secondary.register("s1");
  });
  afterAll(() => secondary.close());

  const memberCount = async () => (await service.data("{ catalog { memberCount } }")).catalog.memberCount;
  const isLive = async () => {
    const { domain } = await service.data(`{ domain(by: { zone: "${zone}" }) { publication { state } } }`);
    expect(domain.publication.state).toBe("LIVE");
  };

  test("zones that would leave the catalog at once are named, and leave it when an administrator says so", async () => {
    const staying = 3;
    const leaver = await service.user("leaver@example.com");
    await eventually(async () => expect(await memberCount()).toBe(staying));
    for (const name of leaving) await service.domain(name, leaver);
    await eventually(async () => expect(await memberCount()).toBe(staying + leaving.length));
    const { status } = await service.rest("DELETE", `/user/delete/${leaver}?domains=delete`);
    expect(status).toBe(204);
    await eventually(async () =>
      expect((await service.data("{ pendingCatalogRemoval { pendingSince } }")).pendingCatalogRemoval).not.toBeNull(),
    );

    const reader = await browser.key({ name: "reader", readOnly: true });
    const other = await browser.open("/console/history", reader);
    await other.page.getByRole("region", { name: "Catalog" }).waitFor();
    expect(await other.page.getByRole("button", { name: "Decide…" }).count()).toBe(0);

    const { page } = await browser.open("/console/keys");
    const bar = page.getByRole("region", { name: "Catalog" });
    await bar.getByText("The removal of 11 zones is held back").waitFor();
    await bar.getByRole("button", { name: "Decide…" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove 11 zones from the catalog?" });
    for (const name of leaving) await dialog.getByText(name).waitFor();
    expect(await accessibility(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await memberCount()).toBe(staying + leaving.length);
    await bar.getByRole("button", { name: "Decide…" }).click();
    await dialog.getByRole("button", { name: "Remove 11 zones" }).click();
    await bar.waitFor({ state: "detached" });
    await eventually(async () => expect(await memberCount()).toBe(staying));
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
      expect((await service.data("{ pendingRestore { zoneCount } }")).pendingRestore).not.toBeNull(),
    );

    const { page } = await browser.open("/console/");
    const bar = page.getByRole("region", { name: "Restored backup" });
    await bar.getByText(/1 zone is not published since .*, as s1 would lose changes/).waitFor();
    await bar.getByRole("button", { name: "Decide…" }).click();
    const dialog = page.getByRole("dialog", { name: "Publish what the backup holds?" });
    await dialog.getByText("s1 has changes that this database has lost").waitFor();
    expect(await accessibility(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Publish" }).click();
    await bar.waitFor({ state: "detached" });
    await eventually(isLive);
    await eventually(async () =>
      expect((await service.data("{ pendingRestore { zoneCount } }")).pendingRestore).toBeNull(),
    );
  });
});
