/**
 * The screens of the console and what opens on them: where each is, and what a person does to see it. Tests look at them with axe, and
 * `npm run screenshots` photographs them.
 */
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { intercept } from "../basics/intercept.ts";
import { mainZone } from "./company.ts";
import { clicked, more, type Screen, screensAt } from "./screen.ts";
import { setScreens } from "./set-screens.ts";
import { send, sheetScreens } from "./sheet-screens.ts";

const openedRow = (page: Page) => page.locator("summary").first().click();

/** A list of zones with both holds that an administrator decides, of a service that does not answer any more. */
async function held(page: Page): Promise<void> {
  await intercept(page, "**/readyz", (route) => route.abort());
  await intercept(page, "**/graphql", (route) => {
    const [, operation = ""] = /^\s*query (\w+)/.exec(route.request().postDataJSON()?.query ?? "") ?? [];
    if (operation === "Viewer") return route.continue();
    if (operation !== "Holds") return route.abort();
    const pendingSince = "2026-11-22T10:00:00.000Z";
    const zones = Array.from({ length: 40 }, (_, at) => `zone${at}.example.com`);
    const pendingCatalogRemoval = { pendingSince, memberCount: 100, removalCount: 40, zones };
    const pendingRestore = { pendingSince, secondaryNames: ["knot1", "bind1"], zoneCount: 3 };
    return route.fulfill({ json: { data: { pendingCatalogRemoval, pendingRestore } } });
  });
  await page.reload();
  await page.getByText("No answer since").first().waitFor();
}

/** A service without zones. */
async function noZones(page: Page): Promise<void> {
  await intercept(page, "**/graphql", async (route) => {
    if (!(route.request().postDataJSON()?.query ?? "").includes("query ZoneCounts")) return route.continue();
    const none = { totalCount: 0 };
    const counts = { ALL: none, LIVE: none, LATE: none, PENDING: none, UNSERVED: none, changes: { nodes: [] } };
    return route.fulfill({ json: { data: counts } });
  });
  await page.reload();
  await page.getByText("Serve your first zone").waitFor();
}

/** Makes a key by the form that is open; its name is another at each width. */
const made = (button: string) => (page: Page) => {
  const name = page.getByRole("dialog").getByLabel("Name");
  // One service is looked at several times, and a name is taken once.
  return send(page, name, `phone-${randomUUID().slice(0, 4)}`, "Create", page.getByRole("button", { name: button }));
};

export const screens: readonly Screen[] = [
  ...screensAt("/console/", "API key", {
    "sign-in": undefined,
    "sign-in-refused": (page) => {
      const refused = page.locator("[aria-invalid=true]");
      return send(page, page.getByLabel("API key"), "zs_not-a-key-of-this-service", "Sign in", refused);
    },
  }),
  ["zones-late", "/console/zones?state=LATE", "+ new A 203.0.113.99"],
  ["zones-no-match", "/console/zones?q=none-has-this", "No zone matches"],
  ["zones-first", "/console/zones", mainZone, noZones],
  ["zone-new", "/console/zones?new=zone", "New zone"],
  ...screensAt("/console/zones", mainZone, {
    zones: undefined,
    "zones-menu": more(),
    "zones-import": clicked("More about zones", "Import several…"),
    "zone-delete": more("Delete…"),
    "zone-transfer": more("Transfer…"),
    "zone-duplicate": more("Duplicate…"),
    "zone-review": more("Review…"),
    "account-menu": clicked(/^Account: /),
    help: (page) => page.keyboard.press("?"),
    palette: (page) => page.keyboard.press("Control+k"),
    "palette-found": async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("mail");
      await page.getByRole("group", { name: "Records" }).waitFor();
    },
    "palette-nothing": async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("none.has.this");
      await page.getByText("Nothing matches").waitFor();
    },
  }),
  ...sheetScreens,
  ...setScreens,
  ["zone-servers", "/console/zones/tidal-energy.example/servers", "nsd-oslo"],
  ["search", "/console/search?q=mail1", "mail1"],
  ["search-empty", "/console/search", "Search the records of all zones"],
  ["search-no-match", "/console/search?q=none-has-this", "No record"],
  ["servers", "/console/servers", "It answers, and does not transfer", (page) => page.locator("summary").click()],
  ["server-new", "/console/servers?new=server", "It signs with a TSIG key of its own"],
  ...screensAt("/console/servers/{secondary}", "knot-berlin.key", {
    server: undefined,
    "server-delete": clicked("Delete…"),
  }),
  ["server-configuration", "/console/servers/{secondary}?software=BIND", "catalog-zones"],
  ...screensAt("/console/activity", "needs your review", {
    activity: undefined,
    "activity-who": clicked("Who"),
    "activity-time": clicked("Any time"),
  }),
  ["check", "/console/check", "PTR_MISSING"],
  ["check-none", "/console/check?zone=2.0.192.in-addr.arpa&severity=ERROR", "Nothing is wrong"],
  ["activity-refused", "/console/activity?kind=refused", "is not signed", openedRow],
  ["activity-access", "/console/activity?kind=access", "was made for", openedRow],
  ["activity-reviews", "/console/activity?kind=reviews", "Mail moves"],
  ["activity-none", "/console/activity?who=nobody&time=1h", "Nothing of nobody in the last hour."],
  ...screensAt("/console/settings/keys?new=key", "It may only read", {
    "key-new": undefined,
    "key-made": async (page) => {
      await page.getByLabel("Whose key").selectOption("ADMINISTRATOR");
      await made("Copy the key")(page);
    },
  }),
  ...screensAt("/console/settings/keys", "this one", {
    keys: undefined,
    "key-revoke": clicked(/^Revoke laptop/),
    "key-revoke-own": clicked(/^Revoke administrator/),
  }),
  ["tsig-keys", "/console/settings/tsig", "certbot.example.com"],
  ...screensAt("/console/settings/tsig?new=key", "the client names the key so", {
    "tsig-key-new": undefined,
    "tsig-key-made": async (page) => {
      await page.getByRole("textbox", { name: "Zones" }).fill(mainZone);
      await made("Copy the configuration")(page);
    },
  }),
  ["webhooks", "/console/settings/webhooks", "chat of the team"],
  ["webhook-new", "/console/settings/webhooks?new=webhook", "change_set.applied"],
  ["webhook-waiting", "/console/settings/webhooks/{webhook}?state=WAITING", "new.example.com"],
  ...screensAt("/console/settings/webhooks/{webhook}", "certificate has expired", {
    webhook: undefined,
    "webhook-edit": clicked("Edit…"),
    "webhook-message": clicked(/^Show domain.created/),
  }),
  ["users", "/console/settings/users", "anna@harbour-dns.example"],
  ["user-new", "/console/settings/users?new=user", "no mail is sent"],
  ...screensAt("/console/settings/users", "mira@", {
    "user-delete": clicked("More for mira@", "Delete…"),
    "user-review": clicked("More for mira@", "Review…"),
    "user-quota": async (page) => {
      await clicked("More for mira@", "Quota…")(page);
      await page.getByLabel("Changes a day").waitFor();
    },
  }),
  ["about", "/console/settings/about", "Name servers of new zones"],
  ["no-page", "/console/nothing", "There is nothing at this address"],
  ["no-zone", "/console/zones/nothing.example", "nothing.example"],
  ["held", "/console/settings/about", "Name servers of new zones", held],
];
