/**
 * Change sets in the console that are applied at a time: scheduled in local time with UTC beside it, taken off the schedule, and come back
 * with why; what is in the way, kept or left out at its RRset; and the lists of them. Their page follows what others do.
 */
import { beforeAll, beforeEach, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
// The browser reports what the tests refuse.
const browser = testBrowser(service, /status of 4\d\d|ERR_/);
let [owner, author, reviewer] = ["", "", ""];
let zone = "";
let count = 0;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  author = await service.key({ name: "anna", userId: owner });
  reviewer = await service.key({ name: "berta", userId: owner });
  browser.secrets.push(author, reviewer);
});
beforeEach(async () => {
  zone = `scheduled${count++}.example`;
  await service.domain(zone, owner);
});

const createSet = mutation("createChangeSet", "changeSet { id }");
const submitSet = mutation("submitChangeSet", "changeSet { id }");
const updateRecord = mutation("updateRecord", "record { id }");
const api = { owner: "api", type: "A", rdata: "192.0.2.7" };

async function newSet(input: object): Promise<string> {
  return (await service.data(createSet, { input }, author)).createChangeSet.changeSet.id;
}

const addsApi = (title: string) => newSet({ title, zones: [{ zone, add: [api] }] });

const page = async (id: string, key = author) => (await browser.open(`/console/changesets/${id}`, key)).page;

const inDialog = (of: Page, name: string) => of.getByRole("dialog").getByRole("button", { name });

/** Schedules the set of a page for the time that the dialog offers. */
async function schedule(of: Page): Promise<void> {
  await of.getByRole("button", { name: "More for the change set" }).click();
  await of.getByRole("button", { name: "Schedule…" }).click();
  await inDialog(of, "Schedule").click();
  await of.getByRole("button", { name: "Take off the schedule…" }).waitFor();
}

const makeDue = (id: string) =>
  service.sql("update change_set set apply_at = now() where id = $1 and state = 'SCHEDULED'", [id]);

test("a time is chosen as local, and shown with UTC; its page shows when it was applied, without being asked", async () => {
  const id = await addsApi("tonight");
  const watched = await browser.open(`/console/changesets/${id}`, author, { timezoneId: "Europe/Berlin" });
  const { page } = watched;
  await page.getByRole("button", { name: "More for the change set" }).click();
  await page.getByRole("button", { name: "Schedule…" }).click();
  const dialog = page.getByRole("dialog", { name: "Schedule the change set" });
  const field = dialog.getByLabel("Apply at, local time");
  const offered = await field.inputValue();
  await field.fill("2020-01-01T12:00");
  await dialog.getByText("2020-01-01 11:00:00 UTC").waitFor();
  await watched.expectAccessible();
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await dialog.locator("[aria-invalid=true]").waitFor();
  await field.fill(offered);
  await dialog.getByLabel("If no service runs then").selectOption("SKIP");
  await page.keyboard.press("Control+Enter");
  await page.getByText("The change set is scheduled for").first().waitFor();
  await page.getByText("it is not applied, and waits as before").waitFor();
  expect(await page.getByRole("main").innerText()).toMatch(/:00:00 UTC/);
  await watched.expectAccessible();
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
  await of.getByRole("button", { name: "Take off the schedule…" }).click();
  await of.keyboard.type("next week");
  await of.keyboard.press("Control+Enter");
  await of.getByText("next week").waitFor();
  await of.getByText("anna took it off the schedule").waitFor();
  await of.getByRole("button", { name: "Apply", exact: true }).waitFor();
  expect(sent).toHaveLength(1);
});

test("what cannot be applied at its time says so before, and why then, without the commands of other doors", async () => {
  const record = await service.record(zone, "web", "A", "192.0.2.1", 300);
  const id = await newSet({ title: "too late", zones: [{ zone, update: [{ id: record, rdata: "192.0.2.2" }] }] });
  const of = await page(id);
  await schedule(of);
  await service.data(updateRecord, { input: { id: record, rdata: "192.0.2.3" } });
  await of.reload();
  await of.getByText("As it is now, it cannot be applied then.").waitFor();
  await makeDue(id);
  const failed = of.getByRole("region", { name: "What failed" });
  await failed.getByText("It was not applied").waitFor();
  const [{ failure } = { failure: "" }] = await service.sql<{ failure: string }>(
    "select failure::text from change_set where id = $1",
    [id],
  );
  expect(failure).toContain("zonesmith changeset resolve");
  expect(await of.getByRole("main").innerText()).not.toContain("zonesmith changeset");
});

test("a conflict is resolved at its RRset, as mine or as theirs", async () => {
  const ids = [];
  for (const name of ["mail", "web"]) ids.push(await service.record(zone, name, "A", "192.0.2.1", 300));
  const update = ids.map((id) => ({ id, rdata: "192.0.2.2" }));
  const id = await newSet({ title: "both", zones: [{ zone, update }] });
  for (const each of ids) await service.data(updateRecord, { input: { id: each, rdata: "192.0.2.3" } });
  const watched = await browser.open(`/console/changesets/${id}`, author);
  const { page } = watched;
  await page.getByRole("button", { name: "Keep mine mail A" }).waitFor();
  await watched.expectAccessible();
  await page.getByRole("button", { name: "Keep mine mail A" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Keep mine mail A" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Take theirs web A" }).click();
  await page.getByRole("table", { name: `Conflicts in ${zone}` }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  await page.getByText("1 zone changed").waitFor();
  const { text } = await service.rest("GET", `/domain/zonefile/${zone}`);
  expect(text).toMatch(/^mail\..*192\.0\.2\.2$/m);
  expect(text).toMatch(/^web\..*192\.0\.2\.3$/m);
});

test("a set of which nothing is left is not applied, but cancelled", async () => {
  const record = await service.record(zone, "web", "A", "192.0.2.1", 300);
  const id = await newSet({ title: "none of it", zones: [{ zone, update: [{ id: record, rdata: "192.0.2.2" }] }] });
  await service.data(updateRecord, { input: { id: record, rdata: "192.0.2.3" } });
  const of = await page(id);
  await of.getByRole("button", { name: "Take theirs web A" }).click();
  await of.getByRole("heading", { name: "Nothing would change" }).waitFor();
  expect(await of.getByRole("button", { name: "Apply", exact: true }).isDisabled()).toBe(true);
  await of.getByRole("button", { name: "Cancel the change set…" }).click();
  await inDialog(of, "Cancel the change set").click();
  await of.getByText("anna cancelled it").waitFor();
});

test("the publication of what it did is counted", async () => {
  const create = mutation("createSecondary", "secondary { id }");
  const input = { name: "knot1", address: "127.0.0.1", port: 1, newTsigKey: "knot1.key" };
  const made = await service.data(create, { input });
  const of = await page(await addsApi("to be served"));
  await of.getByRole("button", { name: "Apply", exact: true }).click();
  await of.getByText(/1 zone changed, live on 0 of 1, 1 (pending|late)/).waitFor();
  const deletion = mutation("deleteSecondary", "deletedId");
  await service.data(deletion, { input: { id: made.createSecondary.secondary.id } });
});

test("lists: those that I wrote, those that wait for me, and those that are scheduled", async () => {
  const waiting = await newSet({ title: "look at me", approvalsWanted: 1, zones: [{ zone, add: [api] }] });
  await service.data(submitSet, { input: { id: waiting } }, author);
  const of = await page(await addsApi("at its time"));
  await schedule(of);
  const other = await service.user("other@example.com");
  await service.domain("other.example", other);
  const foreign = { title: "of another", zones: [{ zone: "other.example", add: [api] }] };
  await service.data(createSet, { input: foreign });

  const watched = await browser.open("/console/changesets", reviewer);
  const list = watched.page;
  const row = (title: string) => list.getByRole("link", { name: title });
  await list.getByRole("button", { name: "awaiting me" }).click();
  await row("look at me").waitFor();
  await row("at its time").waitFor({ state: "detached" });
  await list.getByRole("button", { name: "scheduled" }).click();
  await row("at its time").waitFor();
  await row("look at me").waitFor({ state: "detached" });
  expect(new URL(list.url()).search).toBe("?state=SCHEDULED");
  await list.getByRole("button", { name: "mine" }).click();
  await list.getByText("No change set matches").waitFor();
  await watched.expectAccessible();

  const { page: own } = await browser.open("/console/changesets?state=MINE", author);
  await own.getByRole("link", { name: "look at me" }).waitFor();
  const { page: admin } = await browser.open("/console/changesets");
  await admin.getByRole("link", { name: "of another" }).waitFor();
});

test("a page of a set shows what another does with it, by its one stream", async () => {
  const id = await newSet({ title: "followed", approvalsWanted: 1, zones: [{ zone, add: [api] }] });
  await service.data(submitSet, { input: { id } }, author);
  const of = await page(id);
  await of.getByText("0 of 1").waitFor();
  const other = await page(id, reviewer);
  await other.getByRole("button", { name: "Approve…" }).click();
  await inDialog(other, "Approve").click();
  await of.getByText("1 of 1 by berta").waitFor();
  await of.getByRole("button", { name: "Apply", exact: true }).waitFor();
});
