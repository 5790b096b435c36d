/** The list of zones: found, filtered, paged, created and deleted, and up to date without a reload. */
import { beforeAll, describe, expect } from "@jest/globals";
import type { Page, Request } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { clickButtons, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";

const { test, service, browser } = testConsole();
const zone = "example.com";
let [owner, other] = ["", ""];

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  other = await service.user("other@example.com");
  await service.domain(zone, owner);
  await service.domain("xn--bcher-kva.example", other);
});

const names = (page: Page) =>
  page.getByRole("table", { name: "Zones" }).locator("tbody td:first-child > a").allInnerTexts();
const query = (page: Page) => new URL(page.url()).search;

describe("the list", () => {
  test("shows name, state, serial, last change and user", async () => {
    const { page } = await browser.open("/console/");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: zone, exact: true }) });
    await row.getByText("no server").waitFor();
    await row.getByText(String(await service.serial(zone))).waitFor();
    await row.getByText("· administrator").waitFor();
    await row.getByText("owner@example.com").waitFor();
    await page.getByRole("link", { name: "bücher.example" }).waitFor();
  });

  test("shows an e-mail address that looks like markup as text", async () => {
    const email = '"<img/src=x>"@example.com';
    await service.domain("markup.example.com", await service.user(email));
    const { page } = await browser.open("/console/zones?q=markup");
    await page.getByRole("row").filter({ hasText: email }).waitFor();
    expect(await page.locator("img[src=x]").count()).toBe(0);
    await service.rest("DELETE", "/domain/delete", { form: { zone: "markup.example.com" } });
  });

  test("is filtered by name, state and user, which are in the address", async () => {
    const { page } = await browser.open("/console/zones");
    await eventually(async () => expect(await names(page)).toEqual([zone, "bücher.example"]));
    await page.getByLabel("Filter by name").fill("büch");
    await eventually(async () => expect(await names(page)).toEqual([]));
    await page.getByText("No zone matches “büch”").waitFor();
    await page.getByRole("button", { name: "New zone büch" }).click();
    expect(await page.getByRole("dialog").getByLabel("Zone", { exact: true }).inputValue()).toBe("büch");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Clear filter" }).click();
    await eventually(async () => expect(await names(page)).toHaveLength(2));
    await page.getByLabel("Filter by name").fill("BÜCHER");
    await eventually(async () => expect(await names(page)).toEqual(["bücher.example"]));
    await eventually(() => expect(query(page)).toBe("?q=B%C3%9CCHER"));
    await page.getByLabel("Filter by name").fill("");
    await page.getByRole("button", { name: /^no server/ }).click();
    await eventually(async () => expect(query(page)).toBe("?state=UNSERVED"));
    await eventually(async () => expect(await names(page)).toHaveLength(2));
    await page.getByRole("button", { name: /^all/ }).click();
    await clickButtons(page, /^Owner$/, "owner@example.com");
    await eventually(async () => expect(await names(page)).toEqual([zone]));
    await eventually(() => expect(query(page)).toBe("?owner=owner%40example.com"));
    await page.reload();
    await eventually(async () => expect(await names(page)).toEqual([zone]));
  });

  test("shows first which zones the viewer edits, and those alone", async () => {
    const user = await browser.sheet("xn--bcher-kva.example");
    await user.add("mine", "A", "192.0.2.2");
    await user.page.getByRole("navigation", { name: "Places" }).getByRole("link", { name: "Zones" }).click();
    await user.page.getByRole("row").filter({ hasText: "bücher" }).getByText("1 edit", { exact: true }).waitFor();
    await eventually(async () => expect(await names(user.page)).toEqual(["bücher.example", zone]));
    await user.page.getByRole("button", { name: "edited by you 1" }).click();
    await eventually(async () => expect(await names(user.page)).toEqual(["bücher.example"]));
    expect(query(user.page)).toBe("?state=EDITED");
  });

  test("comes by pages, as it is scrolled", async () => {
    const many = Array.from({ length: 205 }, (_, at) => `many${String(at).padStart(3, "0")}.example.net`);
    for (const name of many) await service.domain(name, owner);
    const { page } = await browser.open("/console/zones?q=many");
    await eventually(async () => expect((await names(page)).length).toBeGreaterThanOrEqual(100));
    await eventually(async () => {
      await page.mouse.wheel(0, 20_000);
      expect(await names(page)).toEqual(many);
    });
    await page.getByRole("button", { name: /^Zone/ }).last().waitFor();
  });

  test("shows a zone that was made before its events come", async () => {
    const { page } = await browser.open("/console/settings/about");
    const released = Promise.withResolvers<void>();
    await intercept(page, "**/graphql", async (route) => {
      if (route.request().headers().accept?.includes("event-stream")) await released.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/console/zones?q=between`);
    await page.getByText("No zone matches").waitFor();
    await service.domain("between.example.com", owner);
    released.resolve();
    await page.getByRole("link", { name: "between.example.com" }).waitFor();
    await service.rest("DELETE", "/domain/delete", { form: { zone: "between.example.com" } });
  });

  test("shows what other clients create, change and delete", async () => {
    const { page, followed } = await browser.open("/console/zones?q=appears");
    await followed;
    await page.getByText("No zone matches").waitFor();
    await service.domain("appears.example.com", owner);
    const row = page.getByRole("row").filter({ hasText: "appears.example.com" });
    await row.waitFor();
    await service.record("appears.example.com", "www2", "A", "192.0.2.1");
    await row.getByText(String(await service.serial("appears.example.com"))).waitFor();
    await service.rest("DELETE", "/domain/delete", { form: { zone: "appears.example.com" } });
    await row.waitFor({ state: "detached" });
  });
});

test("a page that was hidden keeps no stream meanwhile, and is up to date when it is shown again", async () => {
  await service.domain("hidden.example.com", owner);
  const { page, followed } = await browser.open("/console/zones?q=hidden");
  await followed;
  const row = page.getByRole("row").filter({ hasText: "hidden.example.com" });
  await row.waitFor();
  const show = (state: string) =>
    page.evaluate(`Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" });
      document.dispatchEvent(new Event("visibilitychange"));`);
  await show("hidden");
  await page.getByText("not following changes").waitFor();
  await service.record("hidden.example.com", "www2", "A", "192.0.2.1");
  await show("visible");
  await page.getByText("not following changes").waitFor({ state: "detached" });
  await row.getByText(String(await service.serial("hidden.example.com"))).waitFor();
});

test("a page has one stream, whatever page it is", async () => {
  await service.domain("followed.example.com", owner);
  const { page } = await browser.open("/console/zones?q=followed");
  const streams = new Set<Request>();
  const isStream = (request: Request) => request.headers().accept === "text/event-stream";
  page.on("request", (request) => void (isStream(request) && streams.add(request)));
  const ended = (request: Request) => void streams.delete(request);
  page.on("requestfinished", ended).on("requestfailed", ended);
  await page.reload();
  const lead = page.getByRole("link", { name: "followed.example.com" });
  for (const next of [
    lead,
    page.getByRole("navigation", { name: "Zone", exact: true }).getByRole("link", { name: "History" }),
    page.getByRole("main").getByRole("link", { name: "Zones", exact: true }),
  ]) {
    await next.waitFor();
    await eventually(() => expect(streams.size).toBe(1));
    await next.click();
  }
  await lead.waitFor();
  await eventually(() => expect(streams.size).toBe(1));
});

describe("a zone", () => {
  test("is created for a user, and opened", async () => {
    const { page } = await browser.open("/console/zones");
    await page.clock.install();
    await page.getByRole("button", { name: "New zone" }).click();
    const dialog = page.getByRole("dialog", { name: "New zone" });
    await dialog.getByText("It begins with a SOA, NS of ns1.zonesmith.example and ").waitFor();
    await dialog.getByText("New zones are lame").waitFor();
    expect(await dialog.getByText("hostmaster").count()).toBe(0);
    await dialog.getByLabel("Zone").fill("192.0.2.1");
    await dialog.getByLabel("User").fill("owner@example.com");
    await dialog.getByRole("button", { name: "Create" }).click();
    await eventually(async () => expect(await dialog.getByLabel("Zone").getAttribute("aria-invalid")).toBe("true"));
    await dialog.getByLabel("Zone").fill("created.example.com");
    await dialog.getByLabel("User").fill("nobody@example.com");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByText("There is no user nobody@example.com.").waitFor();
    await dialog.getByRole("button", { name: "Create the user nobody@example.com first" }).click();
    await dialog.getByText("The user nobody@example.com was created; this form is not sent yet.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "created.example.com" }).waitFor();
    const results = page.getByRole("status", { name: "Results" });
    await results.getByText("created.example.com is created.").waitFor();
    expect(await results.getByText("New zones are lame").count()).toBe(0);
    await page.getByText("ns1.zonesmith.example.").first().waitFor();
    const { body } = await service.graphql(
      '{ domain(by: { zone: "created.example.com" }) { user { email } changes { nodes { source } } } }',
    );
    expect(body.data.domain.changes.nodes).toEqual([{ source: "CONSOLE" }]);
    expect(body.data.domain.user).toEqual({ email: "nobody@example.com" });
    await page.getByRole("link", { name: "Zones", exact: true }).first().click();
    await expectAccessible(page);
    await page.clock.fastForward(10_000);
    await results.getByText("created.example.com is created.").waitFor({ state: "detached" });
  });

  test("is deleted by typing its name", async () => {
    await service.domain("deleted.example.com", owner);
    const { page } = await browser.open("/console/zones?q=deleted");
    await clickButtons(page, "More for deleted.example.com", "Delete…");
    const dialog = page.getByRole("dialog", { name: "Delete deleted.example.com?" });
    await dialog.getByText("Its 4 records").waitFor();
    const button = dialog.getByRole("button", { name: "Delete the zone" });
    await dialog.getByLabel("Type the name of the zone").fill("delete.example.com");
    expect(await button.isDisabled()).toBe(true);
    await dialog.getByLabel("Type the name of the zone").fill("deleted.example.com");
    await button.click();
    await page.getByText("No zone matches").waitFor();
    expect(await service.sql("select 1 from domain where zone = 'deleted.example.com'")).toEqual([]);
    await page.getByRole("status", { name: "Results" }).getByRole("button", { name: "Restore…" }).click();
    await page.getByText("so it was when it was deleted").waitFor();
  });

  test("is transferred to another user", async () => {
    await service.domain("given.example.com", owner);
    const { page } = await browser.open("/console/zones?q=given");
    await clickButtons(page, "More for given.example.com", "Transfer…");
    const dialog = page.getByRole("dialog", { name: "Transfer given.example.com" });
    await dialog.getByLabel("New user").fill("other@example.com");
    await dialog.getByRole("button", { name: "Transfer" }).click();
    await page.getByRole("cell", { name: "other@example.com" }).waitFor();
  });

  test("has no way to itself in the menu of its own page", async () => {
    const { page } = await browser.open(`/console/zones/${zone}`);
    await page.getByRole("button", { name: `More for ${zone}` }).click();
    await page.getByRole("button", { name: "Duplicate…" }).waitFor();
    expect(await page.getByRole("link", { name: "Open", exact: true }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "Export", exact: true }).count()).toBe(1);
  });
});

describe("what a key may not do is not shown", () => {
  test("to a user", async () => {
    const key = await browser.key({ name: "user", userId: owner });
    const { page } = await browser.open("/console/zones?q=com", key);
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
    expect(await page.getByRole("columnheader", { name: "Owner" }).count()).toBe(0);
    await page.getByRole("button", { name: `More for ${zone}` }).click();
    expect(await page.getByRole("button", { name: "Transfer…" }).count()).toBe(0);
    await page.getByRole("button", { name: "Delete…" }).waitFor();
  });

  test("to a key that may only read", async () => {
    const key = await browser.key({ name: "reader", userId: owner, readOnly: true });
    const { page } = await browser.open("/console/zones", key);
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
    expect(await page.getByRole("button", { name: "New zone" }).count()).toBe(0);
    await page.getByRole("button", { name: `More for ${zone}` }).click();
    expect(await page.getByRole("button", { name: "Delete…" }).count()).toBe(0);
    await page.getByRole("button", { name: /^Account: .*read-only$/ }).waitFor();
  });
});

describe("a zone is duplicated", () => {
  const source = "source.example";
  /** What the browser reports of a copy that is refused. */
  const refused = /status of 422/;

  beforeAll(async () => {
    await service.domain(source, owner);
    await service.record(source, "mail", "A", "192.0.2.1", 300);
    await service.record(source, "@", "MX", "10 mail", 300);
    await service.record(source, "a\\.b", "TXT", `"see mail.${source}."`, 300);
    await service.domain("taken.example", owner);
  });

  const recordsOf = async (of: string) => (await service.stored(of)).filter((line) => !line.includes(" SOA "));

  async function openDialog(page: Page) {
    await clickButtons(page, `More for ${source}`, "Duplicate…");
    return page.getByRole("dialog", { name: `Duplicate ${source}` });
  }

  test("from the list, with its names in the data, once the name is one that is free", async () => {
    const watched = await browser.open("/console/zones?q=source");
    watched.forgive(refused);
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
    await dialog.getByLabel("New zone").fill("Mühle.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "mühle.example" }).waitFor();
    await dialog.waitFor({ state: "detached" });
    const copied = (await recordsOf(source)).map((line) =>
      line.includes(" TXT ") ? line : line.replaceAll(`${source}.`, "xn--mhle-0ra.example."),
    );
    expect(await recordsOf("xn--mhle-0ra.example")).toEqual(copied);
    expect(copied).toContain("@ MX 300 10 mail.xn--mhle-0ra.example.");
  });

  test("from the page of the zone, with its data as they are, by its user", async () => {
    const key = await browser.key({ name: "user", userId: owner });
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
    watched.forgive(refused);
    const { page } = watched;
    await intercept(page, "**/zonefile/source.example", (route) =>
      route.fulfill({ contentType: "text/dns", body: `${source}.\t300\tIN\tA\t192.0.2.300\n` }),
    );
    const dialog = await openDialog(page);
    await dialog.getByLabel("New zone").fill("never.example");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    expect(await service.sql("select 1 from domain where zone = 'never.example'")).toEqual([]);
  });
});
