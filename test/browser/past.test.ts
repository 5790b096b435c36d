/** The past of a zone: any moment of it, the versions of an RRset, and the ways back. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";
import { adminKey, type Json } from "../setup/service/service.ts";

const { test, service, browser } = testConsole();
const zone = "example.com";
const hostile = "<img src=x onerror=document.title='hit'>";
let owner = "";

const edit = (edits: Json, of = zone): Promise<Json> =>
  service.mutate("changeRecords", { zone: of, ...edits }, "change { id serial } records { id }");

/** The address, created, then moved with a note, then gone beside a name with an A-label that has come. */
let [added, moved, removed, last]: Json[] = [];
let created = 0;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  await service.domain(zone, owner);
  created = await service.serial(zone);
  added = await edit({ add: [{ owner: "host", type: "A", rdata: "192.0.2.1", ttl: 300 }] });
  const move = { recordId: added.records[0].id, rdata: "192.0.2.2" };
  moved = await edit({ update: [move], note: `a new line ${hostile}` });
  removed = await edit({ remove: [added.records[0].id], add: [{ owner: "bücher", type: "TXT", rdata: "books" }] });
  last = await edit({ add: [{ owner: "last", type: "A", rdata: "192.0.2.9" }] });
});

const momentPath = (moment: string | number) => `/console/zones/${zone}/history/${moment}`;
/** The moment of a serial, once its records are shown. */
const shows = (page: Page, serial: number) =>
  page.getByRole("region", { name: "Moment" }).getByText(String(serial), { exact: true }).waitFor();
const records = (page: Page) => page.getByRole("table", { name: "Records" });
const pathOf = (page: Page) => new URL(page.url()).pathname;

describe("a moment", () => {
  test("is the zone as it was, each record with who made it so and with what it is now", async () => {
    const { page } = await browser.open(`/console/zones/${zone}/history`);
    await page.getByRole("link", { name: `View zone, as of ${moved.change.serial}` }).click();
    await shows(page, moved.change.serial);
    expect(pathOf(page)).toBe(momentPath(moved.change.serial));
    await page.getByText(/records · 1 differs from now, 2 were added since$/).waitFor();
    const row = records(page).getByRole("row").filter({ hasText: "192.0.2.2" });
    await row.getByText("removed since").waitFor();
    expect(await records(page).getByText("books").count()).toBe(0);
    const downloaded = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export this moment" }).click();
    const file = await downloaded;
    expect(readFileSync(await file.path(), "utf8")).toMatch(/^host\S*\s+300\s+IN\s+A\s+192\.0\.2\.2$/m);
    await row.getByRole("link", { name: `administrator · a new line ${hostile}` }).click();
    await page.getByRole("link", { name: String(moved.change.serial), exact: true }).click();
    await shows(page, moved.change.serial);
    await page.goto(`${service.url}${momentPath(added.change.serial)}`);
    await records(page).getByText("192.0.2.1").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Any time" }).waitFor();
    expect(await page.title()).not.toBe("hit");
  });

  test("says of a record that was edited since what it is now", async () => {
    const name = "edited.example";
    await service.domain(name, owner);
    const { change, records: made } = await edit(
      { add: [{ owner: "a", type: "A", rdata: "192.0.2.1", ttl: 60 }] },
      name,
    );
    await edit({ update: [{ recordId: made[0].id, rdata: "192.0.2.2", ttl: 90 }] }, name);
    const { page } = await browser.open(`/console/zones/${name}/history/${change.serial}`);
    await records(page).getByRole("row").filter({ hasText: "192.0.2.1" }).getByText("now TTL 90 192.0.2.2").waitFor();
  });

  test("is left for an older or a newer one by keys, by the slider and by buttons", async () => {
    const { page } = await browser.open(momentPath(moved.change.serial));
    await records(page).getByText("192.0.2.2").waitFor();
    await page.keyboard.press("ArrowLeft");
    await shows(page, added.change.serial);
    await records(page).getByText("192.0.2.1").waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: String(added.change.serial) })
      .waitFor({ state: "attached" });
    await page.keyboard.press("ArrowRight");
    await page
      .getByRole("status")
      .filter({ hasText: String(moved.change.serial) })
      .waitFor({ state: "attached" });
    await page.keyboard.press("ArrowRight");
    await shows(page, removed.change.serial);
    const slider = page.getByRole("slider");
    await eventually(async () =>
      expect(await slider.getAttribute("aria-valuetext")).toContain(String(removed.change.serial)),
    );
    await page.keyboard.press("Home");
    await shows(page, created);
    await eventually(async () => expect(pathOf(page)).toBe(momentPath(created)));
    await page.getByRole("button", { name: "Older" }).and(page.locator("[aria-disabled=true]")).waitFor();
    const { x = 0, y = 0, width = 0, height = 0 } = (await slider.boundingBox()) ?? {};
    await page.mouse.move(x + 8, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 4, y + height / 2, { steps: 4 });
    await page.mouse.up();
    await page.getByText("it is so now").waitFor();
    await records(page).getByText("192.0.2.9").waitFor();
    await eventually(async () => expect(pathOf(page)).toBe(momentPath(last.change.serial)));
    await slider.press("Home");
    await eventually(async () => expect(pathOf(page)).toBe(momentPath(created)));
    await page.getByRole("button", { name: "Newer" }).click();
    await shows(page, added.change.serial);
    await page.keyboard.press("Shift+ArrowRight");
    await page.getByText("it is so now").waitFor();
    expect(await page.getByRole("button", { name: "Restore…" }).count()).toBe(0);
    await page.keyboard.press("Shift+ArrowLeft");
    await shows(page, created);
    await page.keyboard.press("End");
    await page.getByText("it is so now").waitFor();
  });

  test("is found by a time; before the first there is the way to it", async () => {
    await service.sql("update change set created_at = created_at - interval '2 days' where id <= $1", [
      moved.change.id,
    ]);
    const [yesterday] = await service.sql<Json>("select now() - interval '1 day' as time");
    const { page } = await browser.open(momentPath(yesterday?.time.toISOString()), adminKey, {
      timezoneId: "Asia/Tokyo",
    });
    await shows(page, moved.change.serial);
    const time = page.getByRole("region", { name: "Moment" }).getByRole("time").first();
    expect(await time.getAttribute("title")).toMatch(/ GMT\+9 · .* UTC$/);
    await records(page).getByText("192.0.2.2").waitFor();
    await page.getByLabel("or a time").fill("2020-01-01T12:00");
    await page.keyboard.press("Enter");
    await page.getByText("There is no such moment: example.com was created on").waitFor();
    await page.getByRole("button", { name: `To the first moment, ${created}` }).click();
    await shows(page, created);
    await page.goto(`${service.url}${momentPath("yesterday")}`);
    await page.getByText("This is no moment").waitFor();
  });

  test("is filtered by name and data, by what differs and what changed, which are in the address", async () => {
    const { page } = await browser.open(momentPath(removed.change.serial));
    const rows = records(page).locator("tbody tr");
    const filter = page.getByLabel("Filter name or data");
    await filter.fill("bücher");
    const unicode = expect.stringMatching(/xn--bcher-kva bücher/);
    await eventually(async () => expect(await rows.allInnerTexts()).toEqual([unicode]));
    await filter.fill("none");
    await page.getByText("No record matches “none”").waitFor();
    await page.getByRole("button", { name: "Clear filter" }).click();
    await filter.fill("BOOK");
    await eventually(async () => expect(await rows.count()).toBe(1));
    expect(new URL(page.url()).search).toBe("?q=BOOK");
    await page.keyboard.press("Tab");
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("No record matches “BOOK”").waitFor();
    expect(new URL(page.url()).search).toBe("?q=BOOK");
    await page.getByRole("button", { name: "Clear filter" }).click();
    await page.getByRole("button", { name: "Changed here 1" }).click();
    await eventually(async () => expect(await rows.allInnerTexts()).toEqual([expect.stringContaining("192.0.2.2")]));
    await page.getByRole("button", { name: "Differs from now 1" }).click();
    await eventually(() => expect(new URL(page.url()).search).toBe("?show=differs"));
    expect(await rows.count()).toBe(1);
  });

  test("to which the key may not go back is shown without the way back", async () => {
    const key = await browser.key({ name: "reader", userId: owner, readOnly: true });
    const { page } = await browser.open(momentPath(moved.change.serial), key);
    await records(page).waitFor();
    await page.getByRole("link", { name: "Compare with now" }).waitFor();
    expect(await page.getByRole("button", { name: "Restore…" }).count()).toBe(0);
  });
});

test("the past of an RRset is reached from a record of the sheet and from its form", async () => {
  const user = await browser.sheet(zone);
  const { page } = user;
  const isFiltered = () => page.waitForURL(`**/history?name=last&type=A`);
  await user.click(user.cell("192.0.2.9", "owner"));
  await user.press("Space");
  await page.getByRole("link", { name: "History of last A" }).click();
  await isFiltered();
  await page.getByText("+ last A 192.0.2.9").waitFor();
  await page.goBack();
  await user.ready();
  await user.click(user.cell("192.0.2.9", "owner"));
  await user.press("Alt+Enter");
  await page.getByRole("dialog").getByRole("link", { name: "History of last A" }).click();
  await isFiltered();
  await page.goto(`${service.url}/console/zones/${zone}/rrset?owner=last&type=A`);
  await page.getByText("+ last A 192.0.2.9").waitFor();
  expect(await page.getByText("+ host A").count()).toBe(0);
});

describe("going back", () => {
  const name = "back.example";
  let first: Json;

  beforeAll(async () => {
    await service.domain(name, owner);
    first = await edit({ add: [{ owner: "host", type: "A", rdata: "192.0.2.1" }] }, name);
    await edit({ update: [{ recordId: first.records[0].id, rdata: "192.0.2.2" }] }, name);
  });

  test("shows the difference, again when somebody changes the zone meanwhile, and is one change", async () => {
    const { page } = await browser.open(`/console/zones/${name}/history/${first.change.serial}`);
    await page.getByRole("button", { name: "Restore…" }).click();
    await page.getByRole("heading", { name: `Restore ${first.change.serial}` }).waitFor();
    await page.getByRole("row").getByText("192.0.2.1").waitFor();
    await edit({ add: [{ owner: "other", type: "TXT", rdata: "theirs" }] }, name);
    await page.getByRole("button", { name: /^Apply/ }).click();
    await page.getByText("The zone was changed meanwhile").waitFor();
    await page.getByRole("button", { name: /^Apply/ }).click();
    await page.getByText("Applied", { exact: true }).waitFor();
    const { body } = await service.rest("GET", `/record/list?zone=${name}&type=A`);
    expect(body.map(({ rdata }: Json) => rdata)).toEqual(["192.0.2.1"]);
  });

  test("asks when much of the zone would go, with figures that are those of the whole difference", async () => {
    await service.domain("large.example", owner);
    const serial = await service.serial("large.example");
    const text = Array.from({ length: 4000 }, (_, at) => `h${at} 300 A 192.0.2.1\n`).join("");
    await service.mutate("importZone", { zone: "large.example", text, mode: "MERGE" }, "addedCount");
    const { page } = await browser.open(`/console/zones/large.example/history/${serial}`);
    await page.getByRole("button", { name: "Restore…" }).click();
    await page.getByText("It would remove 4,000 of 4,004 records (100 %) of large.example.").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Apply" }).click();
    await page.getByText("1 zone changed").waitFor();
  });

  test("to what the zone is already changes nothing", async () => {
    const serial = await service.serial(name);
    const { records: passing } = await edit({ add: [{ owner: "passing", type: "A", rdata: "192.0.2.3" }] }, name);
    await edit({ remove: [passing[0].id] }, name);
    const { page } = await browser.open(`/console/zones/${name}/history/${serial}`);
    await page.getByRole("button", { name: "Restore…" }).click();
    await page.getByText("nothing would change").first().waitFor();
  });

  test("from a change that later ones are in the way of leads to those, and to what is left of it", async () => {
    const both = await edit(
      {
        add: [
          { owner: "kept", type: "A", rdata: "192.0.2.4" },
          { owner: "moved", type: "A", rdata: "192.0.2.5" },
        ],
      },
      name,
    );
    const [, { id }] = both.records;
    const later = await edit({ update: [{ recordId: id, rdata: "192.0.2.6" }], note: "moved on" }, name);
    const { page } = await browser.open(`/console/changes/${both.change.id}`);
    await page.getByRole("button", { name: "Undo…" }).click();
    const asked = page.getByRole("alert").filter({ hasText: "1 later change touched the same records." });
    await asked.waitFor();
    await expectAccessible(page);
    await asked.getByRole("listitem").filter({ hasText: "moved on" }).getByRole("link").first().click();
    await page.getByRole("heading", { name: "moved on", level: 1 }).waitFor();
    await page.getByRole("link", { name: String(later.change.serial), exact: true }).waitFor();
    await page.goBack();
    await clickButtons(page, "Undo…", "Undo what is left");
    await page.getByRole("row").filter({ hasText: "kept" }).waitFor();
    await page.getByText("One record of it was changed since").waitFor();
    await page
      .getByRole("button", { name: /^Apply/ })
      .and(page.locator(":focus"))
      .waitFor();
    await page.goto(`${service.url}/console/changes/${both.change.id}`);
    await clickButtons(page, "Undo…", "Undo all 2 changes");
    await page.getByText("1 zone would change: −2").waitFor();
  });

  test("from a change that has nothing left says so", async () => {
    const only = await edit({ add: [{ owner: "gone", type: "A", rdata: "192.0.2.7" }] }, name);
    await edit({ update: [{ recordId: only.records[0].id, rdata: "192.0.2.8" }] }, name);
    const { page } = await browser.open(`/console/changes/${only.change.id}`);
    await clickButtons(page, "Undo…", "Undo what is left");
    await page.getByText("Nothing is left to be undone").first().waitFor();
  });
});

describe("deleted zones", () => {
  const name = "gone.example.org";

  beforeAll(async () => {
    await service.domain(name, owner);
    const { records: made } = await edit({ add: [{ owner: "host", type: "A", rdata: "192.0.2.1" }] }, name);
    await edit({ update: [{ recordId: made[0].id, rdata: "192.0.2.2" }] }, name);
    await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
  });

  test("are looked at as they were, and restored", async () => {
    const { page } = await browser.open("/console/zones");
    await clickButtons(page, "More about zones");
    await page.getByRole("link", { name: "Deleted zones" }).click();
    await page.getByLabel("Find a deleted zone…").fill("none");
    await page.getByText("No deleted zone matches").waitFor();
    await page.getByLabel("Find a deleted zone…").fill("gone");
    await page.getByRole("link", { name }).click();
    await page.getByText("so it was when it was deleted").waitFor();
    await records(page).getByText("192.0.2.2").waitFor();
    await page.keyboard.press("ArrowLeft");
    await records(page).getByText("192.0.2.1").waitFor();
    await page.getByRole("link", { name: "Export this moment" }).waitFor();
    expect(await page.locator("nav[aria-label=Places] [aria-current=page]").allInnerTexts()).toEqual(["Settings"]);
    const address = new URL(page.url()).pathname;
    await page.getByRole("button", { name: "Restore…" }).click();
    const dialog = page.getByRole("dialog", { name: `Restore ${name}?` });
    await dialog.getByText("Its 5 records come back").waitFor();
    await dialog.getByText("for owner@example.com").waitFor();
    await dialog.getByRole("button", { name: "Restore the zone" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText(`${name} is back.`).first().waitFor();
    expect(pathOf(page)).toBe(`/console/zones/${name}`);

    const { domain } = await service.data(
      `{ domain(by: { zone: "${name}" }) { changes(first: 4) { nodes { serial } } } }`,
    );
    const [restored, , edited] = domain.changes.nodes;
    await page.goto(new URL(`/console/zones/${name}/history/${restored.serial}`, page.url()).href);
    const row = records(page).getByRole("row").filter({ hasText: "192.0.2.2" });
    await row.getByTitle(new RegExp(`^${edited.serial}, `)).waitFor();

    await page.goto(new URL(address, page.url()).href);
    await eventually(() => expect(pathOf(page)).toBe(`/console/zones/${name}`));
  });
});
