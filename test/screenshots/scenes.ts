/**
 * The screens of the console and what opens on them, as they are photographed: where each is, and what a person does to see it.
 */
import type { Locator, Page } from "playwright-core";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { longZone, mainZone } from "./company.ts";
import { pastScenes } from "./past-scenes.ts";
import { preparedScenes } from "./prepared-scenes.ts";
import { clicked, type Scene, zonePath } from "./scene.ts";
import { userScenes } from "./user-scenes.ts";

const longPath = `/console/zones/${longZone}`;

const openedRow = (page: Page) => page.locator("summary").first().click();
const pressed = (key: string) => (page: Page) => page.keyboard.press(key);

/** Has one row of each kind staged: added, changed, removed. */
async function stage(page: Page): Promise<SheetUser> {
  const user = await new SheetUser(page).ready();
  await find(user, "192.0.2.82");
  await user.press("F2", "Control+a");
  await user.type("192.0.2.84");
  await user.press("Enter");
  await find(user, "docs");
  await user.press("Delete");
  await page.locator("[data-filter]").fill("");
  await page.getByText(/^\d+ records/).waitFor();
  await page.locator("[data-filter]").press("Enter");
  await user.press("Control+Home", "PageDown", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
  await user.add("_25._tcp.mail2", "TLSA", "3 1 1 0C72AC70B745AC19998811B131D662C9AC69DBDBE7CB23E5B514B56664C5D3D6");
  await user.add("careers", "CNAME", "jobs.hosting.example.");
  for (let row = 0; row < 7; row += 1) await user.press("ArrowDown");
  return user;
}

/** Goes to the data of the first row that matches. */
async function find(user: SheetUser, text: string): Promise<void> {
  await user.page.locator("[data-filter]").fill(text);
  await user.page.getByText(/^\d+ of \d+ records/).waitFor();
  await user.page.locator("[data-filter]").press("Enter");
  await user.press("Control+Home", "End");
}

async function review(page: Page): Promise<SheetUser> {
  const user = await stage(page);
  await user.review();
  return user;
}

async function form(page: Page, owner: string, position = 0): Promise<void> {
  const user = await new SheetUser(page).ready();
  await find(user, owner);
  for (let at = 0; at < position; at += 1) await user.press("ArrowDown");
  await user.press("Alt+Enter");
  await page.getByRole("dialog").waitFor();
}

/** Fills a field, presses a button, and waits for what is shown then. */
async function send(page: Page, field: Locator, text: string, button: string | RegExp, shown: Locator): Promise<void> {
  await field.fill(text);
  await page.getByRole("button", { name: button }).click();
  await shown.first().waitFor();
}

const importPreview = (page: Page, text: string, shown: string) =>
  send(page, page.getByLabel("Text of the master file"), text, "Look at the difference", page.getByText(shown));

const lines = (...texts: string[]) => texts.join("\n");
const good = lines("$TTL 300", "beta A 192.0.2.70", "beta AAAA 2001:db8:70::1", "@ MX 30 beta", "docs 300 CNAME @");
const bad = lines("$TTL 300", "beta A 192.0.2.70", "gamma A 192.0.2.300", "delta MX mail", "docs A 192.0.2.1");

export const scenes: readonly Scene[] = [
  { name: "sign-in", path: "/console/", shows: "API key", isSignedOut: true },
  {
    name: "sign-in-refused",
    path: "/console/",
    shows: "API key",
    isSignedOut: true,
    open: (page) =>
      send(
        page,
        page.getByLabel("API key"),
        "zs_not-a-key-of-this-service",
        "Sign in",
        page.locator("[aria-invalid=true]"),
      ),
  },
  { name: "zones", path: "/console/zones", shows: mainZone },
  { name: "zones-late", path: "/console/zones?state=LATE", shows: "tidal-energy.example" },
  { name: "zones-no-match", path: "/console/zones?q=none-has-this", shows: "No zone matches" },
  { name: "zones-menu", path: "/console/zones", shows: mainZone, open: clicked(`More for ${mainZone}`) },
  { name: "zone-new", path: "/console/zones?new=zone", shows: "New zone" },
  { name: "zone-delete", path: "/console/zones", shows: mainZone, open: clicked(`More for ${mainZone}`, "Delete…") },
  {
    name: "zone-transfer",
    path: "/console/zones",
    shows: mainZone,
    open: clicked(`More for ${mainZone}`, "Transfer…"),
  },
  { name: "zone-review", path: "/console/zones", shows: mainZone, open: clicked(`More for ${mainZone}`, "Review…") },
  { name: "account-menu", path: "/console/zones", shows: mainZone, open: clicked(/^Account: /) },
  { name: "help", path: "/console/zones", shows: mainZone, open: pressed("?") },
  {
    name: "go-to",
    path: "/console/zones",
    shows: mainZone,
    open: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("e");
      await page.getByRole("option").first().waitFor();
    },
  },
  { name: "sheet", path: zonePath, open: async (page) => void (await new SheetUser(page).ready()) },
  { name: "sheet-long-names", path: longPath, open: async (page) => void (await new SheetUser(page).ready()) },
  { name: "sheet-staged", path: zonePath, open: async (page) => void (await stage(page)) },
  {
    name: "sheet-wrong",
    path: zonePath,
    open: async (page) => {
      const user = await stage(page);
      await user.add("mail3", "A", "192.0.2.300");
      await user.add("www", "A", "192.0.2.1");
      await page.locator("[aria-invalid=true]").first().waitFor();
      await page
        .getByText(/is wrong|are wrong/)
        .first()
        .waitFor();
    },
  },
  {
    name: "sheet-editing",
    path: zonePath,
    open: async (page) => {
      const user = await new SheetUser(page).ready();
      await find(user, "vpn");
      await page.keyboard.press("F2");
      await user.type("203.0.113.70");
    },
  },
  {
    name: "sheet-selected",
    path: zonePath,
    open: async (page) => {
      const user = await new SheetUser(page).ready();
      await user.press("/");
      await user.type("host");
      await user.press("Enter", "Control+a");
      await page.getByText(/\d selected/).waitFor();
    },
  },
  {
    name: "sheet-no-match",
    path: `${zonePath}?q=none-has-this`,
    open: (page) => page.getByRole("button", { name: "Clear the filter" }).waitFor(),
  },
  {
    name: "sheet-conflict",
    path: (company) => `/console/zones/${company.conflictZone}`,
    open: async (page, company) => {
      const user = await new SheetUser(page).ready();
      await find(user, "box");
      await user.press("F2", "Control+a");
      await user.type("192.0.2.2");
      await user.press("Enter");
      await company.changeElsewhere();
      await user.button("Take theirs").first().waitFor();
    },
  },
  { name: "form-mx", path: zonePath, open: (page) => form(page, "10 mail1") },
  { name: "form-txt", path: zonePath, open: (page) => form(page, "DKIM") },
  { name: "form-https", path: zonePath, open: (page) => form(page, "alpn") },
  { name: "form-caa", path: zonePath, open: (page) => form(page, "letsencrypt") },
  {
    name: "form-several",
    path: zonePath,
    open: async (page) => {
      const user = await new SheetUser(page).ready();
      await user.press("/");
      await user.type("host");
      await user.press("Enter", "Control+a", "Alt+Enter");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "review", path: zonePath, open: async (page) => void (await review(page)) },
  {
    name: "review-sides",
    path: zonePath,
    open: async (page) => {
      await review(page);
      await page
        .getByRole("button", { name: "side by side" })
        .click({ timeout: 2000 })
        .catch(() => {}); // not in a narrow window
    },
  },
  {
    name: "review-refused",
    path: zonePath,
    open: async (page) => {
      const user = await stage(page);
      await user.add("www", "A", "192.0.2.1");
      await user.press("Control+Enter");
      await page.getByText("Refused. Nothing was changed.").first().waitFor();
    },
  },
  {
    name: "progress",
    path: zonePath,
    open: async (page, company) => {
      await company.restoreMain();
      await page.reload();
      const user = await review(page);
      await user.apply();
      await page.getByRole("dialog").getByText("on 2 of 2 servers").waitFor();
    },
  },
  ...pastScenes,
  ...preparedScenes,
  { name: "zone-text", path: `${zonePath}/text`, shows: "As it is committed." },
  {
    name: "zone-text-refused",
    path: `${zonePath}/text`,
    shows: "As it is committed.",
    open: async (page) => {
      const area = page.getByLabel(`Master file of ${mainZone}`);
      const text = `${await area.inputValue()}b A x\n`;
      await send(page, area, text, "Review and save", page.getByText("Nothing was changed."));
    },
  },
  { name: "import", path: `${zonePath}/import`, shows: "Look at the difference" },
  { name: "import-difference", path: `${zonePath}/import`, open: (page) => importPreview(page, good, "beta") },
  {
    name: "import-comments",
    path: `${zonePath}/import`,
    open: (page) =>
      importPreview(
        page,
        lines("; old", "", "@ SOA a b 1 2 3 4 5", "; for tests", good.replace("$TTL 300\n", "")),
        "beta",
      ),
  },
  { name: "import-refused", path: `${zonePath}/import`, open: (page) => importPreview(page, bad, "line 3") },
  { name: "zone-servers", path: "/console/zones/tidal-energy.example/servers", shows: "nsd-oslo" },
  { name: "history", path: "/console/history", shows: "sailing-club.example" },
  { name: "history-no-match", path: "/console/history?door=SYSTEM&q=x&actor=nobody", shows: "No change matches" },
  { name: "search", path: "/console/search?q=mail1", shows: "mail1" },
  { name: "search-empty", path: "/console/search", shows: "Search the records of all zones" },
  { name: "search-no-match", path: "/console/search?q=none-has-this", shows: "No record" },
  { name: "status", path: "/console/status", shows: "tidal-energy.example" },
  { name: "servers", path: "/console/servers", shows: "nsd-oslo" },
  { name: "server-new", path: "/console/servers?new=server", shows: "It signs with a TSIG key of its own" },
  { name: "server", path: (company) => `/console/servers/${company.secondary}`, shows: "Configuration" },
  {
    name: "server-stanza",
    path: (company) => `/console/servers/${company.secondary}`,
    shows: "Configuration",
    open: async (page) => {
      await clicked("BIND", /^Show the stanza/)(page);
      await page.locator("pre").first().scrollIntoViewIfNeeded();
    },
  },
  { name: "refusals", path: "/console/refusals", shows: "example.net", open: openedRow },
  { name: "refusals-none", path: "/console/refusals?zone=none.example", shows: "No dynamic update was refused" },
  { name: "audit", path: "/console/audit?door=GRAPHQL", shows: "create change set", open: openedRow },
  { name: "keys", path: "/console/keys", shows: "this one" },
  { name: "key-new", path: "/console/keys?new=key", shows: "It may only read" },
  {
    name: "key-made",
    path: "/console/keys?new=key",
    shows: "It may only read",
    open: async (page) => {
      const name = page.getByRole("dialog").getByLabel("Name");
      await page.getByLabel("Whose key").selectOption("ADMINISTRATOR");
      return send(page, name, "phone", /^Create/, page.getByRole("button", { name: /^Copy/ }));
    },
  },
  { name: "key-revoke", path: "/console/keys", shows: "this one", open: clicked(/^Revoke laptop/) },
  { name: "tsig-keys", path: "/console/keys/tsig", shows: "certbot.example.com" },
  { name: "tsig-key-new", path: "/console/keys/tsig?new=key", shows: "hmac-sha256" },
  ...userScenes,
  { name: "about", path: "/console/about", shows: "Name servers of new zones" },
  { name: "no-page", path: "/console/nothing", shows: "There is nothing at this address" },
  { name: "no-zone", path: "/console/zones/nothing.example", shows: "nothing.example" },
  {
    name: "lost",
    path: zonePath,
    open: async (page) => {
      await stage(page);
      await page.route("**/readyz", (route) => route.abort());
      await page.route("**/graphql", (route) => route.abort());
      await page.getByRole("link", { name: "History" }).last().click();
      await page.getByText("No answer since").first().waitFor();
    },
  },
  { name: "graphiql", path: "/graphiql", shows: "publication" },
  { name: "reference", path: "/reference/", open: (page) => page.locator(".opblock").last().waitFor() },
];
