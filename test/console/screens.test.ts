/**
 * Every screen, and every panel that opens on it, as axe sees it: light and dark, 1280 and 320 pixels wide, where nothing scrolls sideways.
 */
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { ConsoleBrowser } from "../setup/console-browser.ts";
import { has, testWith } from "../setup/programs.ts";
import { adminKey, testService } from "../setup/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = new ConsoleBrowser(service);
let change = "";
const longZone = "a-rather-long-name-for-a-zone-that-somebody-registered.example.org";

beforeAll(async () => {
  const owner = await service.user("somebody-with-a-long-address@a-company-with-a-long-name.example");
  await service.domain("example.com", owner);
  await service.domain(longZone, owner);
  const input = { name: "knot1", address: "127.0.0.1", port: 1, newTsigKey: "knot1.key" };
  await service.data(
    "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }",
    { input },
  );
  const id = await service.record("example.com", "host", "A", "192.0.2.1", 300);
  const long = `v=DKIM1; k=rsa; p=${Buffer.from("x".repeat(290)).toString("base64")}`;
  const edits = {
    add: [{ owner: "selector._domainkey", type: "TXT", rdata: long }],
    update: [{ id, rdata: "192.0.2.2", ttl: 60 }],
  };
  const { changeRecords } = await service.data(
    "mutation ($input: ChangeRecordsInput!) { changeRecords(input: $input) { change { id } } }",
    {
      input: { zone: "example.com", note: "a note that says why", ...edits },
    },
  );
  change = changeRecords.change.id;
  if (has("chromium") || process.env.CI) await browser.start();
}, 60_000);
afterAll(() => browser.stop());
afterEach(async () => expect(await browser.close()).toEqual([]));

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
  { name: "account menu", path: "/console/zones", shows: longZone, open: clicked(/^Account: /) },
  { name: "keys of the keyboard", path: "/console/zones", shows: longZone, open: pressed("?") },
  { name: "go to", path: "/console/zones", shows: longZone, open: pressed("Control+k") },
  { name: "a zone", path: `/console/zones/${longZone}`, shows: "ns1.zonesmith.example." },
  { name: "servers of a zone", path: "/console/zones/example.com/servers", shows: "knot1" },
  { name: "history", path: "/console/history", shows: longZone },
  { name: "no history", path: "/console/history?door=SYSTEM", shows: "No change matches" },
  { name: "history of a zone", path: "/console/zones/example.com/history", shows: "created with" },
  { name: "a change", path: "/console/history/{change}", shows: "+1 ~1" },
  { name: "undoing a change", path: "/console/history/{change}", shows: "+1 ~1", open: clicked("Undo…") },
  { name: "no page", path: "/console/nothing", shows: "There is nothing at this address" },
];

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 1280 },
  { colorScheme: "light", width: 320 },
  { colorScheme: "dark", width: 320 },
] as const;

test.each(screens.flatMap((screen) => looks.map((look) => ({ ...look, ...screen, screen: screen.name }))))(
  "$screen, $colorScheme, $width px",
  async ({ path, shows, open, colorScheme, width }) => {
    const watched = await browser.open(path.replace("{change}", change), adminKey, { colorScheme, width });
    await watched.page.getByText(shows).first().waitFor();
    await open?.(watched.page);
    expect(await watched.accessibility()).toEqual([]);
    expect(await watched.overflow()).toBe(0);
  },
);

test.each(looks)("signing in, $colorScheme, $width px", async (look) => {
  const watched = await browser.open("/console/", null, look);
  await watched.page.getByLabel("API key").waitFor();
  expect(await watched.accessibility()).toEqual([]);
  expect(await watched.overflow()).toBe(0);
  watched.forgive(/status of 401/);
});
