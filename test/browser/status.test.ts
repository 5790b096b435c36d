/**
 * The page of the service's state: what it says of instances, name servers, zones and failures, where each leads, and that it is kept
 * current.
 */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { UpdateClient } from "../setup/dns/update-client.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
let owner = "";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  const other = await service.user("other@example.com");
  await service.domain("late.example", owner);
  await service.domain("other.example", other);
  const create = mutation("createSecondary", "secondary { id }");
  await service.data(create, { input: { name: "ns1", address: "127.0.0.1", port: 1, newTsigKey: "ns1.key" } });
  await service.sql("update secondary set created_at = now() - interval '2 days'");
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
  const watched = await browser.open("/console/zones");
  const { page } = watched;
  await page.getByRole("link", { name: "Status" }).click();
  await row(page, "Instances", `process ${process.pid}`).getByText("leads").waitFor();
  await row(page, "Instances", "gone-host").getByText("gone", { exact: true }).waitFor();
  await row(page, "Name servers", "ns1").getByText("on 2 zones").waitFor();
  await row(page, "Name servers", "ns1").getByText("just now").waitFor();
  await row(page, "Late zones", "late.example").getByText("ns1: ").waitFor();
  await row(page, "Last failures", "Update of other.example").waitFor();
  await page.getByText("New zones are lame").waitFor();
  await watched.expectAccessible();
  await page.setViewportSize({ width: 1280, height: 800 });
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

test("it is kept current", async () => {
  const { page } = await browser.open("/console/status");
  const zones = page.getByRole("region", { name: "Zones" });
  await zones.getByRole("link", { name: "2 in all" }).waitFor();
  await row(page, "Name servers", "ns1").getByText("on 2 zones").waitFor();
  await service.domain("new.example", owner);
  await zones.getByRole("link", { name: "3 in all" }).waitFor();
  await row(page, "Name servers", "ns1").getByText("on 3 zones").waitFor();
  await service.rest("DELETE", "/domain/delete", { form: { zone: "new.example" } });
  await zones.getByRole("link", { name: "2 in all" }).waitFor();
});

test("a user sees what is the user's", async () => {
  const key = await service.key({ name: "own", userId: owner });
  browser.secrets.push(key);
  const { page } = await browser.open("/console/status", key);
  await row(page, "Late zones", "late.example").waitFor();
  await row(page, "Last failures", "Update of late.example").waitFor();
  await page.getByRole("region", { name: "Zones" }).getByRole("link", { name: "1 in all" }).waitFor();
  expect(await page.getByText("other.example").count()).toBe(0);
  for (const name of ["Instances", "Name servers"])
    expect(await page.getByRole("heading", { name, exact: true }).count()).toBe(0);
});
