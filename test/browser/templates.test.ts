/**
 * Templates in the console: one is written, its refusals stand at their rows, and a zone is made from it with its variables. Labels, by which
 * zones are found. And quotas: an administrator sets them, and what does not fit is refused where it is reviewed, and stays staged.
 */
import { beforeAll, describe, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { clickButtons, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";

// The browser reports what the tests refuse.
const { test, service, browser } = testConsole({ QUOTA_DOMAINS: "3" }, /status of 4\d\d/);
let key = "";

beforeAll(async () => {
  const owner = await service.user("owner@example.com");
  key = await browser.key({ name: "anna", userId: owner });
  for (const zone of ["one.example", "two.example"]) await service.domain(zone, owner);
});

describe("templates", () => {
  test("one is written with its variables; what is refused is said at its row, and what was written stays", async () => {
    const { page } = await browser.open("/console/settings/templates", key);
    await page.getByText("There are no templates yet").waitFor();
    await page.getByRole("button", { name: "New template" }).click();
    await page.getByLabel("Name", { exact: true }).fill("web");
    await page.getByRole("button", { name: "Variable", exact: true }).click();
    await page.getByLabel("Name of variable 1").fill("address");
    await page.getByLabel("Owner of record 1").fill("www");
    await page.getByLabel("Type of record 1").fill("a");
    await page.getByLabel("Data of record 1").fill(placeholder("adress"));
    await page.getByRole("button", { name: "Create" }).click();
    const data = page.getByLabel("Data of record 1");
    await eventually(async () => expect(await data.getAttribute("aria-invalid")).toBe("true"));
    await data.fill(placeholder("address"));
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "web", level: 2 }).waitFor();
    await page.getByRole("table", { name: "Records" }).getByText(placeholder("address")).waitFor();
  });

  test("pasted lines of a master file become its rows; one line of data stays in its field", async () => {
    const { page } = await browser.open("/console/settings/templates/new", key);
    await page.getByRole("link", { name: "Templates", exact: true }).and(page.locator("[aria-current=page]")).waitFor();
    const paste = async (field: string, text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.getByLabel(field).focus();
      await page.keyboard.press("Control+v");
    };
    await paste(
      "Owner of record 1",
      "$ORIGIN old.example.\nmail 300 A 192.0.2.25\n  AAAA 2001:db8::25 ; both\n@ MX 10 mail\n",
    );
    await page.getByText("3 records pasted.").first().waitFor();
    const row = async (at: number) =>
      Promise.all(
        ["Owner", "Type", "TTL", "Data"].map((name) => page.getByLabel(`${name} of record ${at}`).inputValue()),
      );
    expect([await row(1), await row(2), await row(3)]).toEqual([
      ["mail", "A", "300", "192.0.2.25"],
      ["mail", "AAAA", "300", "2001:db8::25"],
      ["@", "MX", "300", "10 mail"],
    ]);
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await paste("Data of record 4", "v=spf1 a -all");
    await paste("Owner of record 4", "www");
    expect(await row(4)).toEqual(["www", "", "", "v=spf1 a -all"]);
    await paste("Owner of record 4", "Hello,\nthese are the records.");
    await page.getByText("is not read as records").first().waitFor();
    expect(await row(4)).toEqual(["www", "", "", "v=spf1 a -all"]);
    await expectAccessible(page);
  });

  test("a zone is made from it with the value of its variable, which is refused at its field", async () => {
    const { page } = await browser.open("/console/settings/templates", key);
    await page.getByRole("link", { name: "web", exact: true }).click();
    await page.getByRole("link", { name: "New zone from it" }).click();
    const dialog = page.getByRole("dialog", { name: "New zone" });
    await dialog.getByLabel("Zone").fill("made.example");
    await dialog.getByLabel("address").fill("192.0.2.300");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await dialog.getByLabel("address").getAttribute("aria-invalid")).toBe("true"));
    await dialog.getByLabel("address").fill("192.0.2.3");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "made.example" }).waitFor();
    await page.getByRole("gridcell", { name: "192.0.2.3", exact: true }).waitFor();
  });

  test("it is applied to zones as a change set; what is refused is said at its field", async () => {
    const { page } = await browser.open("/console/settings/templates", key);
    await page.getByRole("link", { name: "web", exact: true }).click();
    await page.getByRole("button", { name: "Apply to zones…" }).click();
    const dialog = page.getByRole("dialog", { name: "Apply web to zones" });
    await dialog.getByLabel("Zones").fill("one.example two.example");
    await dialog.getByLabel("address").fill("192.0.2.300");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await dialog.getByLabel("address").getAttribute("aria-invalid")).toBe("true"));
    await dialog.getByLabel("address").fill("192.0.2.4");
    await dialog.getByLabel("What it does").selectOption("make the RRsets that it names its own");
    await dialog.getByLabel("Title").fill("the new web server");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("heading", { name: "the new web server", level: 1 }).waitFor();
    for (const zone of ["one.example", "two.example"])
      await page.getByRole("article", { name: zone }).getByRole("cell", { name: "192.0.2.4" }).waitFor();
  });

  test("it is edited and deleted, and the shared ones of administrators are not", async () => {
    const records = [{ owner: "www", type: "A", rdata: "192.0.2.1" }];
    await service.mutate("createTemplate", { name: "shared", records }, "template { id }");
    const { page } = await browser.open("/console/settings/templates", key);
    await page.getByRole("link", { name: "shared" }).click();
    await page.getByRole("link", { name: "New zone from it" }).waitFor();
    expect(await page.getByRole("link", { name: "Edit" }).count()).toBe(0);
    await page.goBack();
    await page.getByRole("link", { name: "web", exact: true }).click();
    await page.getByRole("link", { name: "Edit" }).click();
    await page.getByRole("button", { name: "Record", exact: true }).click();
    await page.getByLabel("Type of record 2").fill("TXT");
    await page.getByLabel("Data of record 2").fill('"v=spf1 -all"');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("table", { name: "Records" }).getByText('"v=spf1 -all"').waitFor();
    await clickButtons(page, "Delete…", "Delete the template");
    await page.getByRole("link", { name: "shared" }).waitFor();
    await page.getByRole("link", { name: "web", exact: true }).waitFor({ state: "detached" });
  });
});

describe("labels", () => {
  test("a zone gets labels, shows them, and is found by them", async () => {
    const { page } = await browser.open("/console/zones", key);
    await clickButtons(page, "More for one.example", "Labels…");
    const field = page.getByRole("dialog").getByLabel("Labels");
    await field.fill("env=prod team=!");
    await page.keyboard.press("Enter");
    await eventually(async () => expect(await field.getAttribute("aria-invalid")).toBe("true"));
    await field.fill("env=prod, customer");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "env=prod" }).click();
    await page.getByText("two.example").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "one.example", exact: true }).click();
    await page.getByRole("link", { name: "customer" }).waitFor();
    await page.goBack();
    await clickButtons(page, "Label: env=prod", "Any label");
    await page.getByText("two.example").waitFor();
    await page.getByRole("button", { name: "Label", exact: true }).click();
    await page.getByRole("textbox", { name: "Label" }).fill("customer");
    await page.keyboard.press("Enter");
    await page.getByText("two.example").waitFor({ state: "detached" });
  });
});

describe("quotas", () => {
  const zone = "limited.example";
  let [owner, own] = ["", ""];

  beforeAll(async () => {
    owner = await service.user("limited@example.com");
    own = await browser.key({ name: "berta", userId: owner });
    await service.domain(zone, owner);
  });

  const setQuota = (limits: object) => service.mutate("setUserQuota", { by: { id: owner }, ...limits }, "user { id }");

  test("an administrator sees figures and limits, and sets a number, no limit, or the default", async () => {
    const { page } = await browser.open("/console/settings/users");
    const row = page.getByRole("row").filter({ hasText: "limited@example.com" });
    await row.getByText("1 of 3 zones").waitFor();
    await row.getByText("4 records").waitFor();
    await clickButtons(page, "More for limited@example.com", "Quota…");
    const dialog = page.getByRole("dialog", { name: "Quota of limited@example.com" });
    await dialog.getByLabel("Zones", { exact: true }).fill("no limit");
    await dialog.getByLabel("Records of all zones").fill("many");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Write a whole number from 0, or no limit.").waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Records of all zones").fill("4");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("4 of 4 records").waitFor();
    await row.getByText("1 zone", { exact: true }).waitFor();
    const query = `query ($email: String!) { user(by: { email: $email }) { quota {
    domains { limit isDefault } records { limit isDefault } changesPerDay { limit isDefault } } } }`;
    expect(await service.data(query, { email: "limited@example.com" })).toEqual({
      user: {
        quota: {
          domains: { limit: null, isDefault: false },
          records: { limit: 4, isDefault: false },
          changesPerDay: { limit: null, isDefault: true },
        },
      },
    });
  });

  test("a user sees the own quota, and what does not fit is refused with its figures and stays staged", async () => {
    await setQuota({ records: { limit: 4 }, domains: { isDefault: true } });
    const about = await browser.open("/console/settings/about", own);
    await about.page.getByRole("heading", { name: "Your quota" }).waitFor();
    await about.page.getByText("4 of 4 records").waitFor();
    await about.page.getByText("1 of 3 zones").waitFor();

    const user = await browser.sheet(zone, own);
    const { page } = user;
    await user.add("api", "A", "192.0.2.7");
    await user.press("Control+Enter");
    const refusal = page
      .getByRole("alert")
      .getByText("The quota of limited@example.com is 4 records in all; 4 are used, and this would make it 5.");
    await refusal.waitFor();
    await setQuota({ records: { limit: 5 } });
    await user.press("Escape");
    await user.review();
    expect(await refusal.count()).toBe(0);
    await user.apply();
    expect((await service.rest("GET", `/domain/zonefile/${zone}`)).text).toContain("192.0.2.7");
  });
});

/** How a record names a variable. */
function placeholder(name: string): string {
  return `\${${name}}`;
}
