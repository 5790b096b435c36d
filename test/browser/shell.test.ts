/**
 * What is around every page of the console: signing in and out, keys, colours; and what it does with answers that are no success. Lost answers
 * are in lost.test.ts.
 */
import { beforeAll, describe, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { clickButtons, copied, expectAccessible, testConsole } from "../setup/browser/console-browser.ts";
import { adminKey } from "../setup/service/service.ts";

// The browser reports who is not signed in, and who has to wait.
const { test, service, browser } = testConsole({}, /status of 4(01|29)/);
const zone = "example.com";
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
});

/** Opens a page of the console, of which the test brings about what is forgiven. */
async function open(path: string, key?: string | null, forgiven?: RegExp): Promise<Page> {
  const watched = await browser.open(`/console/${path}`, key);
  if (forgiven) watched.forgive(forgiven);
  return watched.page;
}

test("one who is not signed in is asked for a key, and led to where the address pointed", async () => {
  const page = await open(`zones/${zone}/servers?x=1`, null);
  const field = page.getByLabel("API key");
  await field.waitFor();
  expect(await field.getAttribute("type")).toBe("password");
  expect(await field.getAttribute("autocomplete")).toBe("current-password");
  await field.fill("wrong");
  await field.press("Enter");
  await page.getByText("The API key is not known").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  await field.fill(adminKey);
  await field.press("Enter");
  await page.getByRole("heading", { name: zone }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/zones/${zone}/servers`);
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("asking whether one is signed in is no error of the page", async () => {
  const { page, problems } = await browser.open("/console/", null);
  await page.getByLabel("API key").waitFor();
  expect(problems).toEqual([]);
});

test("an address of another site is nowhere to be led to", async () => {
  const page = await open("sign-in?to=https://attacker.example/", null);
  await page.getByLabel("API key").fill(adminKey);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Zones" }).waitFor();
});

test("the wait of a limit is counted down", async () => {
  const page = await open("sign-in", null);
  const message = "Too many wrong keys; try again in 30 s.";
  const json = { code: 429, status: "error", error: "TOO_MANY_REQUESTS", message };
  await intercept(page, "**/sign-in", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 429, headers: { "Retry-After": "30" }, json })
      : route.continue(),
  );
  await page.getByLabel("API key").fill("another");
  await page.getByLabel("API key").press("Enter");
  await page.getByText("Too many wrong keys").waitFor();
});

test("a key that ends asks for another over the page, which stays", async () => {
  const key = await browser.key({ name: "short", userId });
  const page = await open("zones", key);
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  await page.evaluate("window.wasLoadedOnce = true");
  const [{ id } = { id: "" }] = await service.sql<{ id: string }>("select id from api_key where name = 'short'");
  await service.mutate("revokeApiKey", { apiKeyId: id }, "apiKey { id }");
  await page.getByLabel("Filter by name").fill("com");
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByText("was revoked").waitFor();
  expect(await page.getByRole("heading", { name: "Zones", includeHidden: true }).count()).toBe(1);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await dialog.getByLabel("API key").fill(adminKey);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("columnheader", { name: "Owner" }).waitFor();
  expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
});

test("signing out ends the sign-in at the service", async () => {
  const page = await open("zones");
  await clickButtons(page, /^Account: /, "Sign out");
  await page.getByLabel("API key").waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await page.goto(`${service.url}/console/zones`);
  await page.getByLabel("API key").waitFor();
});

test("colours are chosen in the menu, and kept", async () => {
  const page = await open("zones");
  const dark = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme");
  expect(await dark()).toBe("light dark");
  await clickButtons(page, /^Account: /, "Dark");
  expect(await dark()).toBe("dark");
  await page.reload();
  expect(await dark()).toBe("dark");
});

test("keys lead through the pages; those of a letter can be switched off", async () => {
  const page = await open("zones");
  const go = page.getByRole("dialog", { name: "Search or go to" });
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("example?");
  expect(await page.getByLabel("Filter by name").inputValue()).toBe("example?");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await go.getByRole("combobox").fill("exam");
  await go.getByRole("option", { name: zone }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: zone }).waitFor();
  await page.getByRole("link", { name: "History" }).last().click();
  await page.waitForURL(/zones.*history/);
  await page.keyboard.press("g");
  await page.keyboard.press("z");
  await page.getByRole("heading", { name: "Zones" }).waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys of the keyboard" });
  await help.getByLabel("Keys of a single letter work").uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.keyboard.press("Control+k");
  await go.waitFor();
  expect(await help.count()).toBe(0);
});

test("former addresses and letters lead to the pages of today", async () => {
  const page = await open("keys/tsig?new=key");
  await page.getByRole("dialog", { name: "New TSIG key" }).waitFor();
  expect(page.url()).toBe(`${service.url}/console/settings/tsig?new=key`);
  await page.goto(`${service.url}/console/audit?zone=${zone}`);
  await page.getByRole("button", { name: "Access", pressed: true }).waitFor();
  expect(new URL(page.url()).search).toBe(`?zone=${zone}&kind=access`);
  await page.goto(`${service.url}/console/zones/${zone}/at/${await service.serial(zone)}`);
  await page.waitForURL(/\/zones\/example\.com\/history\/\d+$/);
  await page.getByRole("table", { name: "Records" }).waitFor();
  await page.goto(`${service.url}/console/zones?user=owner%40example.com`);
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  expect(new URL(page.url()).search).toBe("?owner=owner%40example.com");
  for (const [letter, path] of [
    ["a", "/activity"],
    ["f", "/check"],
    ["v", "/servers"],
    ["s", "/settings/keys"],
    ["c", "/activity?kind=reviews"],
    ["t", "/zones"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL(`${service.url}/console${path}`);
  }
  await page.goto(`${service.url}/console/nowhere`);
  await page.getByRole("heading", { name: "No such page" }).waitFor();
});

test("a sign-out that failed is shown until it is dismissed", async () => {
  const page = await open("about", adminKey, /ERR_CONNECTION_REFUSED/);
  await intercept(page, "**/sign-in", (route) => route.abort("connectionrefused"));
  await clickButtons(page, /^Account: /, "Sign out");
  const results = page.getByRole("status", { name: "Results" });
  await results.getByText("You are still signed in. The service did not answer.").waitFor();
  await results.getByRole("button", { name: "Dismiss" }).click();
  await results.getByText("You are still signed in.").waitFor({ state: "detached" });
});

test("a result is said on the page that it led to, and not on the next one", async () => {
  const page = await open("zones", await browser.key({ name: "anna", userId }));
  await page.getByRole("button", { name: "New zone" }).click();
  await page.getByRole("dialog").getByLabel("Zone", { exact: true }).fill("said.example");
  await page.keyboard.press("Enter");
  const said = page.getByRole("status", { name: "Results" }).getByText("said.example is created.");
  await page.getByRole("heading", { name: "said.example" }).waitFor();
  expect(await said.count()).toBe(1);
  await page.getByRole("link", { name: "History" }).press("Enter");
  await page.waitForURL(/\/history$/);
  expect(await said.count()).toBe(0);
});

test("in GraphiQL, over plain HTTP too, an operation runs as the one who is signed in", async () => {
  const { page } = await browser.open("/graphiql");
  await page.getByText("publication").first().waitFor();
  await page.getByRole("button", { name: /^Execute query/ }).click();
  await page.locator(".result-window").getByText(zone).waitFor();
});

/** Refuses an operation of the page from now on. */
async function refuse(page: Page, operation: string, status: number, error: { message: string; extensions: object }) {
  await intercept(page, "**/graphql", (route) =>
    (route.request().postData() ?? "").includes(operation)
      ? route.fulfill({ status, json: { errors: [error], data: null } })
      : route.fallback(),
  );
}

describe("an answer that is no success", () => {
  test("a fault of the service shows its sentence with an id to copy, and is tried again by a button", async () => {
    const page = await open("about", adminKey, /status of 500/);
    const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
    await refuse(page, "query ZoneList", 500, {
      message: `Internal error; see the service log for error ${id}.`,
      extensions: { code: "INTERNAL_ERROR", details: { errorId: id } },
    });
    await page.getByRole("link", { name: "Zones", exact: true }).click();
    await page.getByText("see the service log for error").waitFor();
    await page.getByRole("button", { name: "Copy the id of the error" }).click();
    await copied(page, "the id of the error");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(id);
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
  });

  test("a refusal that passes is waited for, and its wait is counted down", async () => {
    const page = await open("zones", adminKey, /status of 503/);
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
    await refuse(page, "mutation CreateZone", 503, {
      message: "The database does not answer; try again in 30 s.",
      extensions: { code: "UNAVAILABLE", retryAfter: 30 },
    });
    await page.getByRole("button", { name: "New zone" }).click();
    const dialog = page.getByRole("dialog", { name: "New zone" });
    await dialog.getByLabel("Zone").fill("later.example");
    await dialog.getByLabel("User").fill("owner@example.com");
    await page.keyboard.press("Enter");
    await dialog.getByText("The database does not answer").waitFor();
    await dialog.getByText("UNAVAILABLE").waitFor();
    // What was written stays, to be sent again.
    expect(await dialog.getByLabel("Zone").inputValue()).toBe("later.example");
    await refuse(page, "query ZoneList", 429, {
      message: "Too many requests; try again in 30 s.",
      extensions: { code: "TOO_MANY_REQUESTS", retryAfter: 30 },
    });
    await page.keyboard.press("Escape");
    await page.clock.install();
    await page.getByLabel("Filter by name").fill("example");
    // It is tried three times before it is shown; the steps are far shorter than its wait.
    const counted = page.getByRole("button", { name: /^Try again in \d+ s$/ });
    await eventually(async () => {
      await page.clock.runFor(5000);
      expect(await counted.count()).toBe(1);
    });
    const again = page.getByRole("button", { name: "Try again", exact: true });
    await eventually(async () => {
      await page.clock.runFor(5000);
      expect(await again.count()).toBe(1);
    });
    await page.unrouteAll({ behavior: "wait" });
    // Pressed at once: the page may read by itself, too, and the button is gone then.
    await again.evaluateAll((buttons) =>
      buttons.map((button) => button.dispatchEvent(new Event("click", { bubbles: true }))),
    );
    await page.getByRole("link", { name: zone, exact: true }).waitFor();
  });

  test("a change that the key may not make any more is refused in the service's words, and stays staged", async () => {
    const user = await browser.sheet(zone);
    await user.add("kept", "A", "192.0.2.1");
    await user.review();
    const extensions = { code: "FORBIDDEN" };
    await refuse(user.page, "mutation SheetChange", 200, { message: "This key may only read.", extensions });
    await user.press("Control+Enter");
    await user.page.getByRole("alert").getByText("This key may only read.").first().waitFor();
    await user.press("Escape");
    await user.page.getByRole("status").filter({ hasText: "1 edit" }).waitFor();
  });

  test("one who has no zones is led to the first", async () => {
    const key = await browser.key({ name: "new", userId: await service.user(`new@${zone}`) });
    const page = await open("", key);
    await page.getByRole("heading", { name: "Serve your first zone" }).waitFor();
    expect(await page.getByRole("link", { name: "Add server" }).count()).toBe(0);
    await page.getByLabel("Name of the zone").fill("own.example");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New zone" }).getByRole("button", { name: "Create the zone" }).click();
    await page.getByRole("heading", { name: "own.example" }).waitFor();
  });

  test("reads that find no answer leave what was read where it is, and are answered when there is one", async () => {
    const page = await open("zones", adminKey, /ERR_CONNECTION_REFUSED/);
    const link = page.getByRole("link", { name: zone, exact: true });
    await link.waitFor();
    let attempts = 0;
    await intercept(page, "**/graphql", (route) => {
      if ((route.request().postData() ?? "").includes("query ZoneList")) attempts += 1;
      return route.abort("connectionrefused");
    });
    await intercept(page, "**/readyz", (route) => route.abort("connectionrefused"));
    await page.getByLabel("Filter by name").fill(zone);
    await eventually(() => expect(attempts).toBeGreaterThan(1));
    expect([await link.count(), await page.getByRole("alert").filter({ hasText: "did not answer" }).count()]).toEqual([
      1, 0,
    ]);
    await page.unrouteAll({ behavior: "wait" });
    await eventually(async () => expect(await page.locator("tbody tr").count()).toBe(1));
    await link.waitFor();
  });
});
