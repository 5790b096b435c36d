/**
 * What operators and owners do beside the sheet, from the list of zones on: servers and their configuration, keys, refused updates, search, users;
 * with no more clicks and keys than the design of the console allows. What is typed as a value does not count.
 */
import { beforeAll, describe, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, copied, testConsole } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { clientKey, UpdateClient } from "../setup/dns/update-client.ts";

// What is pending stays so.
const { test, service, browser } = testConsole({ PUBLICATION_LATE_SECONDS: "86400" });
const zone = "example.com";
let owner = "";

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  await service.domain(zone, owner);
  await service.domain("other.example.net", owner);
  await service.record(zone, "needle", "A", "192.0.2.55");
});

const open = async (path: string, key?: string) => (await browser.open(`/console/${path}`, key)).page;

/** Somebody at the list of zones who goes to another page from there. */
async function goTo(place: string): Promise<SheetUser> {
  const page = await open("zones");
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  const user = new SheetUser(page);
  const pages = page.getByRole("navigation", { name: "Places" });
  await user.click(pages.getByRole("link", { name: new RegExp(`^${place}\\b`) }));
  return user;
}

test("1: a zone is opened by two clicks", async () => {
  const page = await open("zones");
  const user = new SheetUser(page);
  await user.click(page.getByLabel("Filter by name"));
  await user.type(zone);
  await user.click(page.getByRole("link", { name: zone, exact: true }));
  await page.getByRole("heading", { name: zone }).waitFor();
  expect(user.clicks).toBe(2);
});

test("8: a change is found and taken back by four clicks", async () => {
  await service.record(zone, "host", "A", "192.0.2.1");
  const user = await goTo("Activity");
  const row = user.page.getByRole("listitem").filter({ hasText: zone }).filter({ hasText: "+ host A" });
  await row.getByText("you", { exact: true }).waitFor();
  await user.click(row.getByRole("link").first());
  await user.click(user.button("Undo…"));
  await user.click(user.button(/^Apply/));
  await user.applied();
  expect(user.clicks).toBe(4);
});

describe("servers", () => {
  test("10: one is added and its configuration copied by three clicks; without one it says what comes of it", async () => {
    const user = await goTo("Servers");
    const { page } = user;
    await page.getByText("you get its configuration to copy").waitFor();
    await user.click(user.button("Add server"));
    const dialog = page.getByRole("dialog", { name: "Add server" });
    await dialog.getByLabel("Name", { exact: true }).fill("knot1");
    await dialog.getByLabel("Address").fill("not an address");
    await dialog.getByLabel("Port").fill("1");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await dialog.getByLabel("Address").getAttribute("aria-invalid")).toBe("true"));
    await dialog.getByLabel("Address").fill("127.0.0.1");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "knot1" }).waitFor();
    const configuration = page.getByRole("region", { name: "Configuration" });
    await configuration.getByText("catalog-role: interpret").waitFor();
    await user.click(user.button("Copy the configuration"));
    await copied(page, "the configuration");
    expect(user.clicks).toBe(3);
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(`127.0.0.1@${service.dnsPort}`);
    await user.button("BIND").click();
    await configuration.getByText("catalog-zones").waitFor();
    await page.getByLabel("This service, as the server reaches it").fill("192.0.2.53:53");
    await configuration.getByText("192.0.2.53").first().waitFor();
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe("?software=BIND");
    await page.reload();
    await page.getByRole("button", { name: "BIND", pressed: true }).waitFor();
  });

  test("7: which zones are not live, and why at which server, is two clicks; a user's key sees its name alone", async () => {
    const user = new SheetUser(await open("zones"));
    await user.click(user.button(/^on its way/));
    await user.click(user.page.locator(`a[href$="/${zone}/servers"]`));
    const row = user.page.getByRole("table", { name: "Name servers" }).getByRole("row").filter({ hasText: "knot1" });
    await row.getByText(/answer|refused/i).waitFor();
    expect(user.clicks).toBe(2);
    await row.getByRole("link", { name: "knot1" }).click();
    await user.page.getByRole("heading", { name: "knot1" }).waitFor();
    const key = await browser.key({ name: "own", userId: owner });
    const own = await open(`zones/${zone}/servers`, key);
    await own.getByRole("cell", { name: "knot1" }).waitFor();
    expect(await own.getByRole("link", { name: "knot1" }).count()).toBe(0);
  });

  test("one is edited, then deleted", async () => {
    const page = await open("servers");
    await page.getByRole("link", { name: "knot1" }).click();
    await page.getByRole("button", { name: "Edit…" }).click();
    await page.getByLabel("A change is live only when this server has it").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("not required").waitFor();
    await clickButtons(page, "Delete…", "Delete the server");
    await page.getByText("No name server yet").waitFor();
    expect(await service.sql("select 1 from secondary")).toEqual([]);
  });
});

describe("keys", () => {
  test("11: an API key is made for a user by four clicks and shown once, is nowhere in the browser afterwards, and is revoked", async () => {
    const user = await goTo("Settings");
    const { page } = user;
    await user.click(user.button("New key"));
    const dialog = page.getByRole("dialog", { name: "New API key" });
    const whose = dialog.getByLabel("Whose key");
    await dialog.getByLabel("Name").fill("certbot of anna");
    await page.keyboard.press("Enter");
    await whose.and(page.locator(":focus:invalid")).waitFor();
    await whose.selectOption("an administrator's, for everything");
    await dialog
      .getByText("read and write everything: all zones, users, servers and keys, until it is revoked")
      .waitFor();
    await whose.selectOption("a user's, for the zones of that user");
    await dialog.getByLabel("User").fill("owner@example.com");
    await dialog.getByText("It may read and write all zones of owner@example.com, until it is revoked.").waitFor();
    await dialog.getByLabel("Zones").fill(zone);
    await dialog.getByLabel("Ends").selectOption("30");
    await dialog.getByText(`It may read and write ${zone}, for 30 days.`).waitFor();
    await user.click(dialog.getByRole("button", { name: "Create" }));
    await user.click(user.button("Copy the key"));
    await copied(page, "the key");
    expect(user.clicks).toBe(4);
    const shown = page.getByRole("region", { name: "Key certbot of anna" });
    const key = await shown.locator("code").innerText();
    expect(key).toMatch(/^zs_[\w-]{43}$/);
    browser.secrets.push(key);
    const viewer = await service.data("{ viewer { user { email } key { zones } } }", {}, key);
    expect(viewer.viewer).toEqual({ user: { email: "owner@example.com" }, key: { zones: [zone] } });
    await shown.getByRole("button", { name: "Close" }).click();
    const row = page.getByRole("row").filter({ hasText: "certbot of anna" });
    await row.getByText(`read, write ${zone}`).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: /^Revoke certbot of anna/ }).click();
    const asks = page.getByRole("dialog", { name: "Revoke certbot of anna?" });
    await asks.getByRole("button", { name: "Revoke the key" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await row.getByText("revoked").waitFor();
    expect(await service.refusal("{ viewer { role } }", {}, key)).toBe("UNAUTHENTICATED");
  });

  test("a key that ends soon stands out, and one that nobody used for 180 days is named, with its way to be revoked", async () => {
    await browser.key({ name: "ends-soon", userId: owner });
    await service.sql("update api_key set expires_at = now() + interval '12 days' where name = 'ends-soon'");
    await browser.key({ name: "old-jenkins", userId: owner });
    await service.sql("update api_key set created_at = now() - interval '240 days' where name = 'old-jenkins'");
    const page = await open("settings/keys");
    const near = page
      .getByRole("row")
      .filter({ hasText: "ends-soon" })
      .getByText(/^in 1[12] days$/);
    expect(await near.evaluate((element) => element.closest("[class*=warn]") !== null)).toBe(true);
    await page.getByText("old-jenkins was not used for 240 days.").waitFor();
    await page.getByRole("button", { name: "Revoke it…" }).click();
    await page
      .getByRole("dialog", { name: "Revoke old-jenkins?" })
      .getByRole("button", { name: "Revoke the key" })
      .click();
    await page.getByText("old-jenkins was not used").waitFor({ state: "detached" });
  });

  test("the key that is signed in is in use now, whatever time is stored, and is not revoked by Enter alone", async () => {
    await service.sql("update api_key set last_used_at = now() - interval '50 minutes'");
    const page = await open("settings/keys");
    const row = page.getByRole("row").filter({ hasText: "this one" });
    await row.getByRole("cell", { name: "now", exact: true }).waitFor();
    await page.getByRole("button", { name: /^Revoke administrator/ }).click();
    const own = page.getByRole("dialog", { name: /^Revoke administrator/ });
    await own.getByText("You are signed in with this key").waitFor();
    await page.keyboard.press("Enter");
    await own.waitFor({ state: "detached" });
    expect(await service.refusal("{ viewer { role } }")).toBeUndefined();
  });

  test("11: a key for an ACME client is made by four clicks, with its configuration, and may write TXT at _acme-challenge alone", async () => {
    const user = await goTo("Settings");
    const { page } = user;
    await user.click(page.getByRole("link", { name: "TSIG keys" }));
    await user.click(user.button("New key"));
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("lego.example.com");
    await dialog.getByRole("textbox", { name: "Zones" }).fill(zone);
    await page.keyboard.press("Enter");
    await user.click(user.button("Copy the configuration of lego"));
    await copied(page, "the configuration of lego");
    const shown = page.getByRole("region", { name: "Key lego.example.com" });
    browser.secrets.push(await shown.locator("code").innerText());
    expect(user.clicks).toBe(4);
    await shown.getByRole("button", { name: "Close" }).click();
    await page.getByText(`TXT at _acme-challenge* in ${zone}`).waitFor();
    const [key] = await service.sql("select owners, types, transfer from tsig_key where name = 'lego.example.com'");
    expect(key).toEqual({ owners: ["_acme-challenge*"], types: ["TXT"], transfer: false });
  });

  test("a key that may only read sees no way to make or revoke one", async () => {
    const key = await browser.key({ name: "reader", userId: owner, readOnly: true });
    const page = await open("settings/keys", key);
    await page.getByText("this one").waitFor();
    expect(await page.getByRole("button", { name: /New key|Revoke/ }).count()).toBe(0);
    expect(await page.getByRole("link", { name: /Servers|Users/ }).count()).toBe(0);
  });
});

test("12: why an update was refused is seen after one click, what was asked after two, as text; the key for it a third away", async () => {
  const secret = await service.mutate(
    "createTsigKey",
    { name: "dhcp.example.com", zones: ["other.example"] },
    "secret",
  );
  const client = new UpdateClient(() => service.dnsPort);
  const key = clientKey("dhcp.example.com", secret.secret);
  for (const name of ["www8", "www9"]) await client.update(zone, [`add ${name} 300 TXT <b>bold</b>`], { key });
  const user = await goTo("Activity");
  const { page } = user;
  const refused = page.locator("summary").filter({ hasText: "Update refused, 2 times" });
  await refused.getByText(`may not update ${zone}; it reaches only other.example`).waitFor();
  expect(user.clicks).toBe(1);
  await user.click(refused);
  await page.getByText("update add www9.example.com. 300 TXT").waitFor();
  expect(user.clicks).toBe(2);
  expect(await page.locator("pre b").count()).toBe(0);
  await user.click(page.getByRole("link", { name: "Allow this…" }));
  const dialog = page.getByRole("dialog", { name: "New TSIG key" });
  for (const [name, value] of [
    ["Zones", zone],
    ["Owners", "www9"],
    ["Types", "TXT"],
  ] as const)
    await eventually(async () =>
      expect(await dialog.getByRole("textbox", { name, exact: true }).inputValue()).toBe(value),
    );
});

test("records of all zones are found by owner or data, and lead to their zone", async () => {
  const page = await open("search");
  await page.getByLabel("Part of an owner or of data").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("192.0.2.5");
  await page.getByRole("cell", { name: "192.0.2.55" }).waitFor();
  await eventually(() => expect(new URL(page.url()).search).toBe("?q=192.0.2.5"));
  await page.getByText("1 record found", { exact: true }).first().waitFor();
  await page.getByLabel("Part of an owner or of data").fill(`needle.${zone}.`);
  await page.getByRole("row").filter({ hasText: "needle" }).waitFor();
  await service.record(zone, "xn--bcher-kva", "CNAME", "xn--r8jz45g.example.");
  await page.getByLabel("Part of an owner or of data").fill("bcher-kva");
  for (const name of ["xn--bcher-kva bücher", "xn--r8jz45g.example. 例え.example."])
    await page.getByRole("cell", { name, exact: true }).waitFor();
  await page.getByLabel("Part of an owner or of data").fill("NEEDL");
  await page.getByRole("row").filter({ hasText: "needle" }).getByRole("link").click();
  await page.getByRole("heading", { name: zone }).waitFor();
});

test("a search says how many records it finds, up to a thousand", async () => {
  await service.sql(`insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, 'many-' || n, 'TXT', 60, '"one of many ' || n || '"', '', sha256(n::text::bytea)
    from domain d, generate_series(1, 1100) n where d.zone = '${zone}'`);
  const page = await open("search?q=many-10");
  await page.getByText("111 records found", { exact: true }).first().waitFor();
  await page.getByLabel("Part of an owner or of data").fill("one of many");
  await page.getByText("1,000 or more records found", { exact: true }).first().waitFor();
  await service.sql(`delete from zone_record where owner like 'many-%'`);
});

test("a user is created, renamed, and deleted with the zones going to another", async () => {
  const page = await open("settings/users");
  await page.getByRole("button", { name: "New user" }).click();
  await page.getByLabel("E-mail").fill("OWNER@example.com");
  await page.keyboard.press("Enter");
  await eventually(async () => expect(await page.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true"));
  await page.getByLabel("E-mail").fill("anna@example.org");
  await page.keyboard.press("Enter");
  await page.getByRole("cell", { name: "anna@example.org", exact: true }).waitFor();
  await clickButtons(page, "More for anna@example.org", "Change the address…");
  await page.getByLabel("E-mail").fill("anne@example.org");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "anne@example.org", exact: true }).waitFor();
  await clickButtons(page, "More for owner@example.com", "Delete…");
  await page.getByRole("combobox", { name: "New user" }).fill("anne@example.org");
  await page.getByRole("button", { name: "Delete the user" }).click();
  await page.getByRole("cell", { name: "owner@example.com", exact: true }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "anne@example.org" }).click();
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?owner=anne%40example.org");
  const [row] = await service.sql('select email from domain join "user" on "user".id = user_id where zone = $1', [
    zone,
  ]);
  expect(row).toEqual({ email: "anne@example.org" });
});
