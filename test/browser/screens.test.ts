/**
 * Every screen, and every panel that opens on it, as axe sees it: light and dark, 1280 and 320 pixels wide, where nothing scrolls sideways.
 */
import { beforeAll } from "@jest/globals";
import type { Page } from "playwright-core";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { fillScreens, longZone } from "../setup/browser/screens.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  ids = await fillScreens(service);
});

/** A screen: its address, what shows that it is there, and what opens a panel on it. */
interface Screen {
  readonly name: string;
  readonly path: string;
  readonly shows: string;
  readonly open?: (page: Page) => Promise<void>;
}

const pressed = (key: string) => (page: Page) => page.keyboard.press(key);
const clicked =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await page.getByRole("button", { name }).first().click();
  };

const screens: readonly Screen[] = [
  { name: "zones", path: "/console/zones", shows: longZone },
  { name: "no zones", path: "/console/zones?q=none-has-this", shows: "No zone matches" },
  { name: "new zone", path: "/console/zones?new=zone", shows: "New zone" },
  { name: "the menu of a zone", path: "/console/zones", shows: longZone, open: clicked("More for example.com") },
  {
    name: "deleting a zone",
    path: "/console/zones",
    shows: longZone,
    open: clicked("More for example.com", "Delete…"),
  },
  {
    name: "duplicating a zone",
    path: "/console/zones",
    shows: longZone,
    open: clicked("More for example.com", "Duplicate…"),
  },
  { name: "account menu", path: "/console/zones", shows: longZone, open: clicked(/^Account: /) },
  { name: "keys of the keyboard", path: "/console/zones", shows: longZone, open: pressed("?") },
  { name: "go to", path: "/console/zones", shows: longZone, open: pressed("Control+k") },
  { name: "a zone", path: `/console/zones/${longZone}`, shows: "ns1.zonesmith.example." },
  { name: "servers of a zone", path: "/console/zones/example.com/servers", shows: "knot1" },
  { name: "history", path: "/console/history", shows: longZone },
  { name: "no history", path: "/console/history?door=SYSTEM", shows: "No change matches" },
  { name: "history of a zone", path: "/console/zones/example.com/history", shows: "created with" },
  { name: "a change", path: "/console/history/{change}", shows: "+1 ~1" },
  {
    name: "undoing a change",
    path: "/console/history/{change}",
    shows: "+1 ~1",
    open: async (page) => {
      await clicked("Undo…")(page);
      await page
        .getByRole("dialog", { name: /^Undo / })
        .getByRole("button", { name: "Apply" })
        .waitFor();
    },
  },
  {
    name: "a comparison",
    path: "/console/zones/example.com/history",
    shows: "created with",
    open: async (page) => {
      await page
        .getByLabel(/^Compare from/)
        .last()
        .check();
      await clicked(/^Compare$/)(page);
      await page.getByRole("region", { name: "Difference" }).waitFor();
      await page
        .getByLabel(/^Compare from/)
        .nth(1)
        .check();
    },
  },
  { name: "a moment", path: "/console/zones/example.com/at/{change}", shows: "It is so now" },
  { name: "no moment", path: "/console/zones/example.com/at/1", shows: "To the first moment" },
  {
    name: "going back",
    path: "/console/zones/example.com/at/2020-01-01T00:00:00Z",
    shows: "To the first moment",
    open: async (page) => {
      await clicked(/^To the first moment/, "Go back to this")(page);
      await page.getByRole("dialog").getByRole("button", { name: "Apply" }).waitFor();
    },
  },
  { name: "versions", path: "/console/zones/example.com/rrset?owner=host&type=A", shows: "192.0.2.1" },
  { name: "labels", path: "/console/zones?label=env%3Dprod", shows: "customer" },
  {
    name: "editing labels",
    path: "/console/zones",
    shows: longZone,
    open: async (page) => {
      await clicked("More for example.com", "Labels…")(page);
      await page.getByText("separated by blanks").waitFor();
    },
  },
  { name: "change sets", path: "/console/changesets", shows: "a title that says" },
  { name: "no change sets", path: "/console/changesets?state=CANCELLED", shows: "No change set matches" },
  { name: "new change set", path: "/console/changesets?new=set", shows: "New change set" },
  { name: "a change set", path: "/console/changesets/{set}", shows: "Somebody else changed the same" },
  {
    name: "cancelling a change set",
    path: "/console/changesets/{set}",
    shows: "Somebody else changed the same",
    open: clicked("More for the change set", "Cancel the change set…"),
  },
  {
    name: "scheduling a change set",
    path: "/console/changesets/{ready}",
    shows: "would change",
    open: clicked("More for the change set", "Schedule…"),
  },
  { name: "an applied change set", path: "/console/changesets/{applied}", shows: "192.0.2.5" },
  {
    name: "proposing",
    path: "/console/zones/example.com",
    shows: "ns1.zonesmith.example.",
    open: async (page) => {
      const user = await new SheetUser(page).ready();
      await user.add("api", "A", "192.0.2.7");
      await user.review();
      await clicked("Propose…")(page);
      await page.getByRole("dialog", { name: "Propose the edits" }).getByLabel("Change set").waitFor();
    },
  },
  { name: "templates", path: "/console/templates", shows: "sites" },
  { name: "a template", path: "/console/templates/{template}", shows: "of the web server" },
  {
    name: "applying a template",
    path: "/console/templates/{template}",
    shows: "of the web server",
    open: clicked("Apply to zones…"),
  },
  { name: "new template", path: "/console/templates/new", shows: "Without a SOA" },
  { name: "editing a template", path: "/console/templates/{template}/edit", shows: "Without a SOA" },
  { name: "a zone from a template", path: "/console/zones?new=zone&template={template}", shows: "of the web server" },
  { name: "deleted zones", path: "/console/deleted", shows: "deleted.example" },
  {
    name: "a deleted zone",
    path: "/console/deleted",
    shows: "deleted.example",
    open: async (page) => {
      await page.getByRole("link", { name: "deleted.example" }).click();
      await page.getByText("when it was deleted").waitFor();
    },
  },
  {
    name: "restoring a zone",
    path: "/console/deleted",
    shows: "deleted.example",
    open: async (page) => {
      await page.getByRole("button", { name: "Restore deleted.example…" }).click();
      await page.getByRole("dialog").getByText("4 records").waitFor();
    },
  },
  {
    name: "the review of a zone",
    path: "/console/zones",
    shows: longZone,
    open: async (page) => {
      await clicked("More for example.com", "Review…")(page);
      await page.getByRole("dialog").getByLabel("Changes are made").waitFor();
    },
  },
  { name: "the text of a zone", path: "/console/zones/example.com/text", shows: "As it is committed." },
  { name: "an import", path: "/console/zones/example.com/import", shows: "Look at the difference" },
  {
    name: "what an import would do",
    path: "/console/zones/example.com/import",
    shows: "Look at the difference",
    open: async (page) => {
      await page.getByLabel("Text of the master file").fill("; dropped\n\n; a note\nimported A 192.0.2.7\n");
      await clicked("Look at the difference")(page);
      await page.getByRole("list", { name: "Comments that are dropped" }).waitFor();
    },
  },
  { name: "search", path: "/console/search?q=host", shows: "192.0.2.2" },
  { name: "no search", path: "/console/search", shows: "Search the records of all zones" },
  { name: "servers", path: "/console/servers", shows: "knot1.key" },
  { name: "new server", path: "/console/servers?new=server", shows: "It signs with a TSIG key of its own" },
  {
    name: "a server",
    path: "/console/servers/{server}",
    shows: "Zones that are not live here",
    open: clicked("PowerDNS", /^Show the stanza/),
  },
  { name: "deleting a server", path: "/console/servers/{server}", shows: "Configuration", open: clicked("Delete…") },
  {
    name: "refusals",
    path: "/console/refusals",
    shows: "is not signed",
    open: (page) => page.locator("summary").click(),
  },
  { name: "no refusals", path: "/console/refusals?zone=none.example", shows: "No dynamic update was refused" },
  {
    name: "audit",
    path: "/console/audit?operation=createUser",
    shows: "create user",
    open: (page) => page.locator("summary").first().click(),
  },
  { name: "nothing in the audit", path: "/console/audit?zone=none.example", shows: "Nothing in the audit matches" },
  { name: "keys", path: "/console/keys", shows: "this one" },
  { name: "new key", path: "/console/keys?new=key", shows: "It may only read" },
  { name: "revoking a key", path: "/console/keys", shows: "this one", open: clicked(/^Revoke administrator/) },
  { name: "webhooks", path: "/console/webhooks", shows: "chat of the team" },
  { name: "new webhook", path: "/console/webhooks?new=webhook", shows: "change_set.applied" },
  { name: "a webhook", path: "/console/webhooks/{webhook}", shows: "Its certificate has expired." },
  { name: "messages that wait", path: "/console/webhooks/{webhook}?state=WAITING", shows: "new.example.com" },
  {
    name: "a message",
    path: "/console/webhooks/{webhook}",
    shows: "Its certificate has expired.",
    open: clicked(/^Show domain.created/),
  },
  {
    name: "editing a webhook",
    path: "/console/webhooks/{webhook}",
    shows: "Its certificate has expired.",
    open: clicked("Edit…"),
  },
  { name: "TSIG keys", path: "/console/keys/tsig", shows: "knot1.key" },
  { name: "new TSIG key", path: "/console/keys/tsig?new=key", shows: "hmac-sha256" },
  {
    name: "a TSIG key that was made",
    path: "/console/keys/tsig?new=key",
    shows: "hmac-sha256",
    open: async (page) => {
      await page.getByRole("dialog").getByLabel("Name").fill("lego.example.com");
      await page.getByRole("textbox", { name: "Zones" }).fill("example.com");
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("region", { name: "Configuration" }).waitFor();
    },
  },
  { name: "users", path: "/console/users", shows: "2 zones" },
  { name: "new user", path: "/console/users?new=user", shows: "no mail is sent" },
  { name: "deleting a user", path: "/console/users", shows: "2 zones", open: clicked(/^More for/, "Delete…") },
  {
    name: "quota of a user",
    path: "/console/users",
    shows: "2 zones",
    open: async (page) => {
      await clicked(/^More for/, "Quota…")(page);
      await page.getByLabel("Changes a day").waitFor();
    },
  },
  { name: "about", path: "/console/about", shows: "licences of its own" },
  { name: "no page", path: "/console/nothing", shows: "There is nothing at this address" },
];

test.each(screens.map((screen) => ({ ...screen, screen: screen.name })))("$screen", async ({ path, shows, open }) => {
  const watched = await browser.open(path.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? ""));
  await watched.page.getByText(shows).first().waitFor();
  await open?.(watched.page);
  await watched.expectAccessible();
});

test("what is held back, and a service that does not answer", async () => {
  const watched = await browser.open("/console/about");
  const { page } = watched;
  await page.route("**/readyz", (route) => route.abort());
  await page.route("**/graphql", (route) => {
    const [, operation = ""] = /^\s*query (\w+)/.exec(route.request().postDataJSON()?.query ?? "") ?? [];
    if (operation === "Viewer") return route.continue();
    if (operation !== "Holds") return route.abort();
    const heldSince = "2026-11-22T10:00:00.000Z";
    const catalogHold = {
      heldSince,
      memberCount: 100,
      removalCount: 40,
      zones: Array.from({ length: 40 }, (_, at) => `zone${at}.example.com`),
    };
    const restoreHold = { heldSince, secondaryNames: ["knot1", "bind1"], zoneCount: 3 };
    return route.fulfill({ json: { data: { catalogHold, restoreHold } } });
  });
  await page.reload();
  await page.getByText("No answer since").first().waitFor();
  await watched.expectAccessible();
  await page.unrouteAll({ behavior: "wait" });
  await watched.tryNow();
  watched.forgive(/ERR_FAILED|No answer/);
});

test("revoking a key", async () => {
  await service.key({ name: "lost" });
  const watched = await browser.open("/console/keys");
  await watched.page.getByRole("button", { name: /^Revoke lost/ }).click();
  await watched.page.getByRole("dialog", { name: "Revoke lost?" }).waitFor();
  await watched.expectAccessible();
});

test("signing in", async () => {
  const watched = await browser.open("/console/", null);
  await watched.page.getByLabel("API key").waitFor();
  await watched.expectAccessible();
  watched.forgive(/status of 401/);
});
