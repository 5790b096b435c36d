/** New TSIG keys in the console: with the scope of the client that each is for, and its configuration, which is shown once. */
import { beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { copied, testConsole } from "../setup/browser/console-browser.ts";

const { test, service, browser } = testConsole();
const zone = "example.net";

beforeAll(async () => {
  await service.domain(zone, await service.user("owner@example.com"));
});

async function fillForm(page: Page, client: string, name: string, zones: string) {
  const dialog = page.getByRole("dialog", { name: "New TSIG key" });
  await dialog.getByLabel("For").selectOption(client);
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("textbox", { name: "Zones" }).fill(zones);
  return dialog;
}

test("the configuration of the client is copied, and those of others that need the same; it is nowhere afterwards", async () => {
  const { page } = await browser.open("/console/settings/tsig?new=key");
  const dialog = await fillForm(page, "certbot", "acme.example.net", `*.example.org ${zone} absent.example`);
  await dialog.getByRole("button", { name: "Create" }).click();
  const shown = page.getByRole("region", { name: "Key acme.example.net" });
  const configuration = shown.getByRole("region", { name: "Configuration" });
  await configuration.getByText("dns_rfc2136_name = acme.example.net.").waitFor();
  const secret = await shown.locator("code").innerText();
  browser.secrets.push(secret);
  expect(await configuration.innerText()).toContain(`dns_rfc2136_port = ${service.dnsPort}`);
  await shown.getByText("no zone absent.example").waitFor();
  await shown.getByRole("button", { name: "Copy the configuration of certbot" }).click();
  await copied(page, "the configuration of certbot");
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe((await configuration.innerText()).trimEnd());
  const clients = shown.getByRole("group", { name: "Client" }).getByRole("button");
  expect(await clients.allTextContents()).toEqual(["lego", "certbot", "cert-manager"]);
  await shown.getByRole("button", { name: "lego" }).click();
  await configuration.getByText(`RFC2136_TSIG_SECRET=${secret}`).waitFor();
  await shown.getByRole("button", { name: "Close" }).click();
  await shown.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(secret);
});

test("a key for all zones of its user names an example; one for transfers alone has no client", async () => {
  const { page } = await browser.open("/console/settings/tsig?new=key");
  const dialog = await fillForm(page, "external-dns", "cluster.example.net", "");
  await dialog.getByLabel("User").fill("owner@example.com");
  await dialog.getByLabel("This service, as the client reaches it").fill("[2001:db8::1]:53");
  await page.keyboard.press("Enter");
  const shown = page.getByRole("region", { name: "Key cluster.example.net" });
  await shown.getByText("--rfc2136-host=2001:db8::1").waitFor();
  await shown.getByText("--rfc2136-zone=example.com").waitFor();
  await shown.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "New key" }).click();
  await fillForm(page, "lego", "knot.example.net", zone);
  await dialog.getByLabel("For").selectOption("transfers of a name server");
  await page.keyboard.press("Tab");
  await dialog.getByRole("button", { name: "Create" }).click();
  const other = page.getByRole("region", { name: "Key knot.example.net" });
  await other.getByText("in its stanza too").waitFor();
  expect(await other.getByRole("region", { name: "Configuration" }).count()).toBe(0);
  const keys = await service.sql("select name, zones, owners, transfer from tsig_key order by name");
  expect(keys.slice(1)).toEqual([
    { name: "cluster.example.net", zones: null, owners: null, transfer: true },
    { name: "knot.example.net", zones: null, owners: null, transfer: true },
  ]);
});

test("only a client that reads zones by transfers gets the right to them unasked, and the form says what for", async () => {
  const { page } = await browser.open("/console/settings/tsig?new=key");
  const dialog = page.getByRole("dialog", { name: "New TSIG key" });
  const transfer = dialog.getByLabel("It may also transfer these zones");
  for (const [client, transfers] of [
    ["nsupdate", false],
    ["octoDNS", true],
    ["Terraform", false],
  ] as const) {
    await dialog.getByLabel("For").selectOption(client);
    await dialog.getByText(`${client} ${transfers ? "needs that" : "does not need it"}`).waitFor();
    expect(await transfer.isChecked()).toBe(transfers);
  }
});

test("a server that no configuration can name, and a client that could update nothing, are refused before a key is created", async () => {
  const { page } = await browser.open("/console/settings/tsig?new=key");
  const dialog = await fillForm(page, "nsupdate", "refused.example.net", zone);
  const server = dialog.getByLabel("This service, as the client reaches it");
  await server.fill("192.0.2.1");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Write an address and a port").waitFor();
  await server.fill("192.0.2.1:53");
  await fillForm(page, "certbot", "refused.example.net", " ");
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByText("Name the zones that it may update, or their user.").waitFor();
  expect(await dialog.getByRole("textbox", { name: "Zones" }).getAttribute("aria-invalid")).toBe("true");
  expect(await service.sql("select 1 from tsig_key where name = 'refused.example.net'")).toEqual([]);
});
