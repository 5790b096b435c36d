/**
 * What a change set says of itself: who must do what next, that its approval is for another effect by now, and of one whose zones change each
 * for itself how far it has come, which were refused and why, and the way to stage these again.
 */
import { beforeAll, beforeEach, expect } from "@jest/globals";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { type Json, mutation, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
let [owner, anna, berta] = ["", "", ""];
let zones: string[] = [];
let count = 0;

const create = `mutation ($input: CreateChangeSetInput!) { createChangeSet(input: $input) {
  changeSet { id } preview { fingerprint } } }`;
const submit = mutation("submitChangeSet", "changeSet { id }");
const review = mutation("reviewChangeSet", "changeSet { id }");
const created = async (input: Json): Promise<{ id: string; fingerprint: string }> => {
  const { changeSet, preview } = (await service.data(create, { input }, anna)).createChangeSet;
  return { id: changeSet.id, fingerprint: preview.fingerprint };
};
const adds = (zone: string) => ({ zone, add: [{ owner: "new", type: "CNAME", rdata: "www" }] });

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  anna = await service.key({ name: "anna", userId: owner });
  berta = await service.key({ name: "berta", userId: owner });
  browser.secrets.push(anna, berta);
});
beforeEach(async () => {
  zones = [`a${count}.example`, `b${count++}.example`];
  for (const zone of zones) await service.domain(zone, owner);
});

test("one in review says who must approve it, to its author and to whom it waits for", async () => {
  const { id } = await created({ title: "waits", approvalsWanted: 1, zones: zones.map(adds) });
  const { page } = await browser.open(`/console/changesets/${id}`, anna);
  await page.getByText("It is a draft: submit it for review, and one other person must approve it").waitFor();
  await service.data(submit, { input: { id } }, anna);
  await page
    .getByText("It waits until one other person has approved it: an administrator, owner@example.com")
    .waitFor();
  const { page: other } = await browser.open(`/console/changesets/${id}`, berta);
  await other.getByText("It waits for you").waitFor();
});

test("one that was approved says when it would do something else by now, as after a deletion of its zone", async () => {
  const { id, fingerprint } = await created({ title: "outdated", approvalsWanted: 1, zones: zones.map(adds) });
  await service.data(submit, { input: { id } }, anna);
  await service.data(review, { input: { id, verdict: "APPROVE", fingerprint } }, berta);
  const { page } = await browser.open(`/console/changesets/${id}`, anna);
  await page.getByText("It is approved, and waits to be applied").waitFor();
  await service.rest("DELETE", "/domain/delete", { form: { zone: zones[0] as string } });
  await page.reload();
  await page.getByText("approved before it changed").waitFor();
  await page.getByText("What it would do now is not what was approved").waitFor();
});

test("the sets that one wrote are listed as one's own, also an administrator's", async () => {
  await created({ title: `of anna ${count}`, zones: zones.map(adds) });
  const input = { title: `of the administrator ${count}`, zones: zones.map(adds) };
  await service.data(create, { input });
  const { page } = await browser.open("/console/changesets?state=MINE");
  await page.getByRole("link", { name: input.title }).waitFor();
  expect(await page.getByRole("link", { name: `of anna ${count}` }).count()).toBe(0);
});

test("of one whose zones change each for itself, the refused ones are named with why, and staged again", async () => {
  const { id } = await created({ title: "each zone", mode: "EACH_ZONE", zones: zones.map(adds) });
  const [first, second] = zones as [string, string];
  await service.record(first, "new", "A", "192.0.2.1");
  const { page } = await browser.open(`/console/changesets/${id}`, anna);
  await page.getByRole("button", { name: "Apply", exact: true }).click();
  const refused = page.getByRole("table", { name: "Refused zones" });
  await refused.getByRole("row").filter({ hasText: first }).getByText("CNAME").waitFor();
  await page.getByText("2 of 2 zones done, 1 refused").waitFor();
  await page.getByText("1 zone changed").waitFor();
  expect(await refused.getByText(second).count()).toBe(0);
  await page.getByRole("button", { name: "Stage the refused ones again" }).click();
  await page.getByRole("region", { name: "What it does" }).getByRole("article", { name: first }).waitFor();
  expect(new URL(page.url()).pathname).not.toContain(id);
});
