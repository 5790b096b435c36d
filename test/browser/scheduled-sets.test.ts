/**
 * Change sets in the console that are applied at a time: scheduled in local time with UTC beside it, taken off the schedule, and come back
 * with why; what is in the way, kept or left out at its RRset; and the lists of them. What a set says of itself: who must do what next, that
 * its approval is for another effect by now, and of one whose zones change each for itself which were refused, and the way to stage these again.
 */
import { beforeEach, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { clickButtons, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";
import { adminKey, type Json } from "../setup/service/service.ts";
import { zonePerTest } from "../setup/service/zone-per-test.ts";

// The browser reports what the tests refuse.
const { test, service, browser } = testConsole({}, /status of 4\d\d|ERR_/);
let [zone, owner, author, reviewer] = ["", "", "", ""];

zonePerTest(service, "scheduled", async (...begun) => {
  [zone, owner] = begun;
});
beforeEach(async () => {
  if (author !== "") return;
  author = await browser.key({ name: "anna", userId: owner });
  reviewer = await browser.key({ name: "berta", userId: owner });
});

const api = { owner: "api", type: "A", rdata: "192.0.2.7" };

async function newSet(input: Json, key = author): Promise<string> {
  return (await service.mutate("createChangeSet", input, "changeSet { id }", key)).changeSet.id;
}

const submit = (id: string) => service.mutate("submitChangeSet", { changeSetId: id }, "changeSet { id }", author);
const update = (id: string, rdata: string) => service.mutate("updateRecord", { recordId: id, rdata }, "record { id }");
const addsApi = (title: string) => newSet({ title, zones: [{ edit: { zone, add: [api] } }] });

const page = async (id: string, key = author) => (await browser.open(`/console/changes/${id}`, key)).page;

const inDialog = (of: Page, name: string) => of.getByRole("dialog").getByRole("button", { name });

/** Schedules the set of a page for the time that the dialog offers. */
async function schedule(of: Page): Promise<void> {
  await of.getByRole("button", { name: "More for the change" }).click();
  await of.getByRole("button", { name: "Schedule…" }).click();
  await inDialog(of, "Schedule").click();
  await of.getByRole("button", { name: "Unschedule…" }).waitFor();
}

const makeDue = (id: string) =>
  service.sql("update change_set set apply_at = now() where id = $1 and state = 'SCHEDULED'", [id]);

test("a time is chosen as local, and shown with UTC; its page shows when it was applied, without being asked", async () => {
  const id = await addsApi("tonight");
  const { page } = await browser.open(`/console/changes/${id}`, author, { timezoneId: "Europe/Berlin" });
  await clickButtons(page, "More for the change", "Schedule…");
  const dialog = page.getByRole("dialog", { name: "Schedule the change" });
  const field = dialog.getByLabel("Apply at, local time");
  const offered = await field.inputValue();
  await field.fill("2020-01-01T12:00");
  await dialog.getByText("2020-01-01 11:00:00 UTC").waitFor();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await dialog.locator("[aria-invalid=true]").waitFor();
  await field.fill(offered);
  await dialog.getByLabel("If no service runs then").selectOption("SKIP");
  await page.keyboard.press("Control+Enter");
  await page.getByText("The change is scheduled for").first().waitFor();
  await page.getByText("it is not applied, and waits as before").waitFor();
  expect(await page.getByRole("main").innerText()).toMatch(/:00:00 UTC/);
  await makeDue(id);
  await page.getByText("1 zone changed").waitFor();
  await page.getByRole("article", { name: zone }).getByText("192.0.2.7").waitFor();
});

test("it is taken off the schedule, with why", async () => {
  const id = await addsApi("not now");
  const of = await page(id);
  await schedule(of);
  const sent: string[] = [];
  of.on("request", (request) => {
    const body = request.postData() ?? "";
    if (body.includes("mutation UnscheduleChangeSet")) sent.push(body);
  });
  await of.getByRole("button", { name: "Unschedule…" }).click();
  await of.keyboard.type("next week");
  await of.keyboard.press("Control+Enter");
  await of.getByText("next week").waitFor();
  await of.getByText("anna unscheduled it").waitFor();
  await of.getByRole("button", { name: "Apply", exact: true }).waitFor();
  expect(sent).toHaveLength(1);
});

test("what cannot be applied at its time says so before, and why then, without the commands of other interfaces", async () => {
  const record = await service.record(zone, "web", "A", "192.0.2.1", 300);
  const id = await newSet({
    title: "too late",
    zones: [{ edit: { zone, update: [{ recordId: record, rdata: "192.0.2.2" }] } }],
  });
  const of = await page(id);
  await schedule(of);
  await update(record, "192.0.2.3");
  await of.reload();
  await of.getByText("As it is now, it cannot be applied then.").waitFor();
  await makeDue(id);
  const failed = of.getByRole("region", { name: "What failed" });
  await failed.getByText("It was not applied").waitFor();
  expect(await of.getByRole("main").innerText()).not.toContain("zonesmith changeset");
});

test("a conflict is resolved at its RRset, as mine or as theirs", async () => {
  const ids = [];
  for (const name of ["mail", "web"]) ids.push(await service.record(zone, name, "A", "192.0.2.1", 300));
  const edits = ids.map((id) => ({ recordId: id, rdata: "192.0.2.2" }));
  const of = await page(await newSet({ title: "both", zones: [{ edit: { zone, update: edits } }] }));
  for (const each of ids) await update(each, "192.0.2.3");
  await of.reload();
  const conflicts = of.getByRole("table", { name: `Conflicts in ${zone}` });
  for (const address of ["192.0.2.1", "192.0.2.2", "192.0.2.3"]) await conflicts.getByText(address).first().waitFor();
  const keep = of.getByRole("button", { name: "Use mine mail A" });
  await keep.waitFor();
  await keep.focus();
  await of.keyboard.press("Enter");
  await keep.waitFor({ state: "detached" });
  await of.getByRole("button", { name: "Use theirs web A" }).click();
  await conflicts.waitFor({ state: "detached" });
  await of.getByRole("button", { name: "Apply", exact: true }).click();
  await of.getByText("1 zone changed").waitFor();
  expect([await service.stored(zone, "mail"), await service.stored(zone, "web")]).toEqual([
    ["mail A 300 192.0.2.2"],
    ["web A 300 192.0.2.3"],
  ]);
});

test("a set of which nothing is left is not applied, but cancelled, and says so in the stream", async () => {
  const record = await service.record(zone, "web", "A", "192.0.2.1", 300);
  const id = await newSet({
    title: "none of it",
    zones: [{ edit: { zone, update: [{ recordId: record, rdata: "192.0.2.2" }] } }],
  });
  await update(record, "192.0.2.3");
  const of = await page(id);
  await of.getByRole("button", { name: "Use theirs web A" }).click();
  await of.getByRole("heading", { name: "Nothing would change" }).waitFor();
  expect(await of.getByRole("button", { name: "Apply", exact: true }).isDisabled()).toBe(true);
  await of.getByRole("button", { name: "Cancel the change…" }).click();
  await inDialog(of, "Cancel the change").click();
  await of.getByText("anna cancelled it").waitFor();
  await of.getByRole("link", { name: /^Activity/ }).click();
  await of.getByRole("button", { name: "Reviews" }).click();
  await of.getByRole("listitem").filter({ hasText: "none of it" }).getByText("cancelled").waitFor();
});

test("the publication of what it did is counted", async () => {
  const input = { name: "knot1", address: "127.0.0.1", port: 1, newTsigKey: "knot1.key" };
  const { secondary } = await service.mutate("createSecondary", input, "secondary { id }");
  const of = await page(await addsApi("to be served"));
  await of.getByRole("button", { name: "Apply", exact: true }).click();
  await of.getByText(/1 zone changed, live on 0 of 1, 1 (on its way|late)/).waitFor();
  await service.mutate("deleteSecondary", { by: { id: secondary.id } }, "deletedId");
});

test("what waits is above the stream, and says what for: the viewer's review, its time, its author", async () => {
  const waiting = await newSet({ title: "look at me", requestedApprovals: 1, zones: [{ edit: { zone, add: [api] } }] });
  await submit(waiting);
  const of = await page(await addsApi("at its time"));
  await schedule(of);
  const other = await service.user("other@example.com");
  await service.domain("other.example", other);
  await newSet({ title: "of another", zones: [{ edit: { zone: "other.example", add: [api] } }] }, adminKey);

  const rowsOf = (list: Page) => list.getByRole("region", { name: "Waiting" }).getByRole("listitem");
  const { page: list } = await browser.open("/console/activity", reviewer);
  await rowsOf(list).filter({ hasText: "look at me" }).getByText("needs your review · 0 of 1 approval").waitFor();
  await rowsOf(list)
    .filter({ hasText: "at its time" })
    .getByText(/^applies (on .* )?at \d\d:\d\d$/)
    .waitFor();
  expect(await list.getByText("of another").count()).toBe(0);
  await list.getByRole("button", { name: /^Reviews 1/ }).click();
  await rowsOf(list).filter({ hasText: "look at me" }).getByRole("link").click();
  await list.getByRole("heading", { name: "look at me", level: 1 }).waitFor();

  const { page: own } = await browser.open(`/console/activity?kind=reviews&zone=${zone}`, author);
  await rowsOf(own).filter({ hasText: "look at me" }).getByText("0 of 1 approval").waitFor();
  const { page: admin } = await browser.open("/console/activity?kind=reviews&zone=other.example");
  await rowsOf(admin).filter({ hasText: "of another" }).getByText("a draft, not in review yet").waitFor();
  expect(await rowsOf(admin).count()).toBe(1);
});

const addsAlias = (of: string) => ({ edit: { zone: of, add: [{ owner: "new", type: "CNAME", rdata: "www" }] } });

test("one in review says who must approve it, to its author and to whom it waits for", async () => {
  const id = await newSet({ title: "waits", requestedApprovals: 1, zones: [{ edit: { zone, add: [api] } }] });
  const of = await page(id);
  await of.getByText("It is a draft: submit it for review, and one other person must approve it").waitFor();
  await submit(id);
  await of.getByText("It waits until one other person has approved it: an administrator, owner@example.com").waitFor();
  const other = await page(id, reviewer);
  await other.getByText("It waits for you").waitFor();
});

test("one that was approved says when it would do something else by now, as after a deletion of its zone", async () => {
  const second = `second.${zone}`;
  await service.domain(second, owner);
  const id = await newSet({ title: "outdated", requestedApprovals: 1, zones: [zone, second].map(addsAlias) });
  await submit(id);
  const { changeSetPreview } = await service.data("query ($id: ID!) { changeSetPreview(id: $id) { fingerprint } }", {
    id,
  });
  const approval = { changeSetId: id, verdict: "APPROVE", expectedFingerprint: changeSetPreview.fingerprint };
  await service.mutate("reviewChangeSet", approval, "changeSet { id }", reviewer);
  const of = await page(id);
  await of.getByText("It is approved, and waits to be applied").waitFor();
  await service.rest("DELETE", "/domain/delete", { form: { zone } });
  await of.reload();
  await of.getByText("approved before it changed").waitFor();
  await of.getByText("What it would do now is not what was approved").waitFor();
});

test("of one whose zones change each for itself, the refused ones are named with why", async () => {
  const second = `second.${zone}`;
  await service.domain(second, owner);
  const id = await newSet({ title: "each zone", mode: "EACH_ZONE", zones: [zone, second].map(addsAlias) });
  await service.record(zone, "new", "A", "192.0.2.1");
  const of = await page(id);
  await of.getByRole("button", { name: "Apply", exact: true }).click();
  const refused = of.getByRole("table", { name: "Refused zones" });
  await refused.getByRole("row").filter({ hasText: zone }).getByText("CNAME").waitFor();
  await of.getByText("2 of 2 zones done, 1 refused").waitFor();
  await of.getByText("1 zone changed").waitFor();
  expect(await refused.getByText(second).count()).toBe(0);
});
