/**
 * What the service says of its own state, kept current, and what waits for an administrator: many zones that would leave the catalog at once,
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

const chip = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("an administrator sees the late zones first, and what the name servers and instances do", async () => {
  const { page } = await browser.open("/console/zones");
  await chip(page, "late 1").click();
  await page.getByRole("button", { name: "late 1", pressed: true }).waitFor();
  await page.getByRole("link", { name: "late.example" }).waitFor();
  await page.getByRole("link", { name: "Servers" }).click();
  const card = page.getByRole("article", { name: "ns1" });
  await card.getByText("late on 1 of 2 zones", { exact: false }).waitFor();
  await card.getByText("late.example not served").waitFor();
  await page.getByText("1 gone.").click();
  await row(page, "Instances", `process ${process.pid}`).getByText("leads").waitFor();
  await row(page, "Instances", "gone-host").getByText("gone", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Activity" }).click();
  await chip(page, "Refused").click();
  await page.getByRole("region").getByText("other.example").first().waitFor();
});

test("a server that joins is never late, and says when it has stopped; one that does not have a zone has answered", async () => {
  const times = "created_at = now(), queried_at = now(), query_answer = 'REFUSED'";
  await service.sql(`update secondary set joined_at = null, ${times}`);
  const { page } = await browser.open("/console/servers");
  const card = page.getByRole("article", { name: "ns1" });
  await card.getByText("joining: 0 of 2 zones").waitFor();
  expect(await page.getByText(/late on|REFUSED/).count()).toBe(0);
  await page.getByRole("progressbar", { name: "Zones that ns1 has" }).waitFor();
  await service.sql("update secondary set created_at = now() - interval '2 days'");
  await card.getByText("joining has stopped").waitFor();
  await service.sql("update secondary set joined_at = now() - interval '2 days'");
});

test("the counts are kept current", async () => {
  const { page, followed } = await browser.open("/console/zones");
  await followed;
  await chip(page, "all 2").waitFor();
  await service.domain("new.example", owner);
  await chip(page, "all 3").waitFor();
  await service.rest("DELETE", "/domain/delete", { form: { zone: "new.example" } });
  await chip(page, "all 2").waitFor();
});

test("a user sees what is the user's", async () => {
  const key = await browser.key({ name: "own", userId: owner });
  const { page } = await browser.open("/console/zones", key);
  await chip(page, "late 1").waitFor();
  await chip(page, "all 1").waitFor();
  expect(await page.getByText("other.example").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Servers" }).count()).toBe(0);
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
    const other = await browser.open("/console/activity", reader);
    await other.page.getByRole("region", { name: "Catalog" }).waitFor();
    expect(await other.page.getByRole("button", { name: "Decide…" }).count()).toBe(0);

    const { page } = await browser.open("/console/settings/keys");
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
