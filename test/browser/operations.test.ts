/**
 * What an operator does beside the zones: servers and their stanzas, keys, refused updates, search, users.
 */
import { beforeAll, describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { copied, testBrowser } from "../setup/browser/console-browser.ts";
import { UpdateClient } from "../setup/dns/update-client.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
const zone = "example.com";
let owner = "";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  await service.domain(zone, owner);
  await service.record(zone, "needle", "A", "192.0.2.55");
});

const refused = /status of 4\d\d/;

describe("servers", () => {
  test("one is added, and its stanza copied; without one there is the reason why zones are unserved", async () => {
    const watched = await browser.open("/console/servers");
    const { page } = watched;
    await page.getByText("every zone is unserved").waitFor();
    await page.getByRole("button", { name: "New server" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New server" });
    await dialog.getByLabel("Name", { exact: true }).fill("knot1");
    await dialog.getByLabel("Address").fill("not an address");
    await dialog.getByLabel("Port").fill("5399");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await dialog.getByLabel("Address").getAttribute("aria-invalid")).toBe("true"));
    await dialog.getByLabel("Address").fill("127.0.0.1");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "knot1" }).waitFor();
    await page.getByRole("button", { name: /^Show the stanza/ }).click();
    const stanza = page.getByRole("region", { name: "Stanza" });
    await stanza.getByText("catalog-role: interpret").waitFor();
    await page.getByRole("button", { name: "Copy the stanza" }).click();
    await copied(page, "the stanza");
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`127.0.0.1@${service.dnsPort}`);
    await page.getByRole("button", { name: "BIND" }).click();
    await stanza.getByText("catalog-zones").waitFor();
    await page.getByLabel("This service, as the server reaches it").fill("192.0.2.53:53");
    await stanza.getByText("192.0.2.53").first().waitFor();
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?software=BIND");
    await page.reload();
    await page.getByRole("button", { name: "BIND", pressed: true }).waitFor();
    watched.forgive(refused);
  });

  test("one is a link among those of a zone; a user's key sees its name alone", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/servers`);
    await page.getByRole("link", { name: "knot1" }).click();
    await page.getByRole("heading", { name: "knot1" }).waitFor();
    const key = await service.key({ name: "own", userId: owner });
    browser.secrets.push(key);
    const own = await browser.open(`/console/zones/${zone}/servers`, key);
    await own.page.getByRole("cell", { name: "knot1" }).waitFor();
    expect(await own.page.getByRole("link", { name: "knot1" }).count()).toBe(0);
  });

  test("one is edited, then deleted", async () => {
    const { page } = await browser.open("/console/servers");
    await page.getByRole("link", { name: "knot1" }).click();
    await page.getByRole("button", { name: "Edit…" }).click();
    await page.getByLabel("A change is live only when this server has it").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("no: a change is live without this server").waitFor();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete the server" }).click();
    await page.getByText("No name server follows yet").waitFor();
    expect(await service.sql("select 1 from secondary")).toEqual([]);
  });
});

describe("keys", () => {
  test("an API key is made for a user and shown once, which is nowhere in the browser afterwards", async () => {
    const watched = await browser.open("/console/keys");
    const { page } = watched;
    await page.getByRole("button", { name: "New API key" }).click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByLabel("Name").fill("certbot of anna");
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Whose key").and(page.locator(":focus:invalid")).waitFor();
    await dialog.getByLabel("Whose key").selectOption("an administrator's, for everything");
    await dialog
      .getByText("read and write everything: all zones, users, servers and keys, until it is revoked")
      .waitFor();
    await dialog.getByLabel("Whose key").selectOption("a user's, for the zones of that user");
    await dialog.getByLabel("User").fill("owner@example.com");
    await dialog.getByText("It may read and write all zones of owner@example.com, until it is revoked.").waitFor();
    await dialog.getByLabel("Zones").fill(zone);
    await dialog.getByLabel("Ends").selectOption("30");
    await dialog.getByText(`It may read and write ${zone}, for 30 days.`).waitFor();
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "The key certbot of anna" });
    const key = await shown.locator("code").innerText();
    expect(key).toMatch(/^zs_[\w-]{43}$/);
    browser.secrets.push(key);
    const viewer = await service.data("{ viewer { user { email } key { zones } } }", {}, key);
    expect(viewer.viewer).toEqual({ user: { email: "owner@example.com" }, key: { zones: [zone] } });
    await page.keyboard.press("Escape");
    expect(await shown.count()).toBe(1);
    await shown.getByRole("button", { name: "It is saved" }).click();
    await page.getByRole("row").filter({ hasText: "certbot of anna" }).getByText(`read and write ${zone}`).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: /^Revoke certbot of anna/ }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByRole("row").filter({ hasText: "certbot of anna" }).getByText("revoked").waitFor();
    expect(await service.refusal("{ viewer { role } }", {}, key)).toBe("UNAUTHENTICATED");
  });

  test("a TSIG key for certificates may write nothing but TXT at _acme-challenge", async () => {
    const { page } = await browser.open("/console/keys/tsig?new=key");
    const dialog = page.getByRole("dialog", { name: "New TSIG key" });
    await dialog.getByLabel("Name").fill("lego.example.com");
    await dialog.getByRole("textbox", { name: "Zones" }).fill(zone);
    await dialog.getByRole("button", { name: "Create" }).click();
    await page
      .getByRole("dialog", { name: "The key lego.example.com" })
      .getByRole("button", { name: "It is saved" })
      .click();
    await page.getByText(`TXT at _acme-challenge* in ${zone}`).waitFor();
    const [key] = await service.sql("select owners, types, transfer from tsig_key where name = 'lego.example.com'");
    expect(key).toEqual({ owners: ["_acme-challenge*"], types: ["TXT"], transfer: false });
  });

  test("a key that may only read sees no way to make or revoke one", async () => {
    const key = await service.key({ name: "reader", userId: owner, readOnly: true });
    browser.secrets.push(key);
    const { page } = await browser.open("/console/keys", key);
    await page.getByText("this one").waitFor();
    expect(await page.getByRole("button", { name: /New API key|Revoke/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: /Servers|Users/ }).count()).toBe(0);
  });
});

test("a refused update says why, and what was asked", async () => {
  const header = (page: Page) => page.getByRole("navigation", { name: "Pages" });
  const quiet = await browser.open("/console/refusals");
  await quiet.page.getByText("No dynamic update was refused").waitFor();
  await header(quiet.page).getByRole("link", { name: "Refusals", exact: true }).waitFor();
  await new UpdateClient(() => service.dnsPort).update(zone, ["add www9 300 TXT <b>bold</b>"]);
  await service.sql(
    `insert into update_refusal (zone, code, rcode, reason, address, protocol, asked, created_at)
     values ('old.example', 'NOT_FOUND', 'NOTAUTH', 'of before', '192.0.2.1', 'udp', '{}', now() - interval '25 hours')`,
  );
  const { page } = await browser.open("/console/refusals");
  await header(page).getByRole("link", { name: "Refusals 1 in the last 24 hours", exact: true }).waitFor();
  await page.getByText("of before").waitFor();
  const columnsOf = (line: string) =>
    page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(line)})].map((cell) => cell.getBoundingClientRect().x)`,
    );
  expect(await columnsOf("main p[aria-hidden] > *")).toEqual(await columnsOf("li:first-child summary > *"));
  await page.locator("summary").filter({ hasText: "is not signed" }).click();
  await page.getByText("update add www9.example.com. 300 TXT").waitFor();
  expect(await page.locator("pre b").count()).toBe(0);
  await page.getByLabel("Of one zone").fill("other.example.com");
  await page.getByText("No dynamic update was refused").waitFor();
});

test("records of all zones are found by owner or data, and lead to their zone", async () => {
  const { page } = await browser.open("/console/search");
  await page.getByLabel("Part of an owner or of data").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("192.0.2.5");
  await page.getByRole("cell", { name: "192.0.2.55" }).waitFor();
  await eventually(() => expect(new URL(page.url()).search).toBe("?q=192.0.2.5"));
  await page.getByText("1 record found", { exact: true }).first().waitFor();
  await page.getByLabel("Part of an owner or of data").fill(`needle.${zone}.`);
  await page.getByRole("row").filter({ hasText: "needle" }).waitFor();
  await page.getByLabel("Part of an owner or of data").fill("NEEDL");
  await page.getByRole("row").filter({ hasText: "needle" }).getByRole("link").click();
  await page.getByRole("heading", { name: zone }).waitFor();
});

test("a search says how many records it finds, up to a thousand", async () => {
  await service.sql(`insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, 'many-' || n, 'TXT', 60, '"one of many ' || n || '"', '', sha256(n::text::bytea)
    from domain d, generate_series(1, 1100) n where d.zone = '${zone}'`);
  const { page } = await browser.open("/console/search?q=many-10");
  await page.getByText("111 records found", { exact: true }).first().waitFor();
  await page.getByLabel("Part of an owner or of data").fill("one of many");
  await page.getByText("1,000 or more records found", { exact: true }).first().waitFor();
  await service.sql(`delete from zone_record where owner like 'many-%'`);
});

test("a user is created, renamed, and deleted with the zones going to another", async () => {
  const watched = await browser.open("/console/users");
  const { page } = watched;
  await page.getByRole("button", { name: "New user" }).click();
  await page.getByLabel("E-mail").fill("OWNER@example.com");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await page.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true"));
  await page.getByLabel("E-mail").fill("anna@example.org");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "anna@example.org", exact: true }).waitFor();
  await page.getByRole("button", { name: "More for anna@example.org" }).click();
  await page.getByRole("button", { name: "Change the address…" }).click();
  await page.getByLabel("E-mail").fill("anne@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "anne@example.org", exact: true }).waitFor();
  await page.getByRole("button", { name: "More for owner@example.com" }).click();
  await page.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("combobox", { name: "New user" }).fill("anne@example.org");
  await page.getByRole("button", { name: "Delete the user" }).click();
  await page.getByRole("cell", { name: "owner@example.com", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "anne@example.org" }).click();
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?user=anne%40example.org");
  const [row] = await service.sql('select email from domain join "user" on "user".id = user_id where zone = $1', [
    zone,
  ]);
  expect(row).toEqual({ email: "anne@example.org" });
  watched.forgive(refused);
});

test("about says the version, the limits and what the operator should look at", async () => {
  const { page } = await browser.open("/console/about");
  await page.getByText("Version", { exact: true }).waitFor();
  await page.getByText("ns1.zonesmith.example.").first().waitFor();
  await page.getByText("1,000", { exact: true }).waitFor();
});
