/**
 * Keys that end while edits are staged: the page and the edits stay, and go on with another key of the same person.
 */
import { beforeAll, beforeEach, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { adminKey, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service, /status of 401/);
let [owner, zone, first, second] = ["", "", "", ""];
let count = 0;
let user: SheetUser;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
});

/** A sheet with one staged record, by a key of its own; its person has a second one. */
beforeEach(async () => {
  zone = `ended${count++}.example`;
  await service.domain(zone, owner);
  [first, second] = [await service.key({ name: zone, userId: owner }), await service.key({ name: "2", userId: owner })];
  browser.secrets.push(first, second);
  const { page } = await browser.open(`/console/zones/${zone}`, first);
  user = await new SheetUser(page).ready();
  await user.add("staged", "A", "192.0.2.1");
  await user.page.getByText("1 staged:").waitFor();
});

async function signIn(key: string): Promise<void> {
  await user.page.getByLabel("API key").fill(key);
  await user.page.keyboard.press("Enter");
  await user.page.getByLabel("API key").waitFor({ state: "detached" });
}

const isStored = async () =>
  (
    await service.sql(
      "select 1 from zone_record where owner = 'staged' and domain_id = (select id from domain where zone = $1)",
      [zone],
    )
  ).length;

const ends = [
  ["revoked", "update api_key set revoked_at = now() where name = $1", "was revoked"],
  ["expired", "update api_key set expires_at = now() where name = $1", "has expired"],
] as const;

test.each(ends)(
  "a key that is %s: the edits are there, reviewed and applied by another key of the user",
  async (_how, end, sentence) => {
    await service.sql(end, [zone]);
    await user.press("Control+Enter");
    await user.page.getByText(sentence).first().waitFor();
    await user.cell("192.0.2.1").waitFor();
    await signIn(second);
    await user.page.getByText("1 staged:").waitFor();
    await user.page.reload();
    await user.page.getByText("1 staged:").waitFor();
    await user.cell("192.0.2.1").click();
    expect(await isStored()).toBe(0);
    await user.review();
    await user.apply();
    expect(await isStored()).toBe(1);
    await user.page.getByRole("button", { name: "1 staged" }).waitFor({ state: "detached" });
  },
);

test("another person who signs in over the page does not take the edits along", async () => {
  await service.sql("update api_key set revoked_at = now() where name = $1", [zone]);
  await user.press("Control+Enter");
  await user.page.getByText("was revoked").first().waitFor();
  await signIn(adminKey);
  await user.page.getByText("1 staged:").waitFor({ state: "detached" });
  await user.page.getByText("ns1.zonesmith.example.").first().waitFor();
  expect(await user.page.evaluate("JSON.stringify({ ...localStorage })")).toContain("192.0.2.1");
});

test("a refusal that still comes for the sign-in of before does not ask for another", async () => {
  const { page } = user;
  const held: (() => Promise<void>)[] = [];
  await page.route("**/graphql", async (route) => {
    const sent = route.request().postData() ?? "";
    if (held.length > 0 || !/query SheetCheck.*"192\.0\.2\.2"/.test(sent)) return route.fallback();
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  await page.context().clearCookies();
  await user.add("second", "A", "192.0.2.2");
  await eventually(() => expect(held).toHaveLength(1));
  await user.press("Control+k");
  await user.type("x");
  await signIn(first);
  // The field below has the focus again: Esc empties it, and then closes the dialog.
  await page.getByRole("combobox", { name: "Zone or page" }).and(page.locator(":focus")).waitFor();
  await user.press("Escape", "Escape");
  await page.getByRole("dialog", { name: "Go to" }).waitFor({ state: "detached" });
  const late = page.waitForResponse(
    (response) => response.status() === 401 && /query SheetCheck/.test(response.request().postData() ?? ""),
  );
  await held[0]?.();
  await late;
  await user.cell("192.0.2.2").click();
  await user.review();
  await user.apply();
  expect(await isStored()).toBe(1);
});
