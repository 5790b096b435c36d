/**
 * What is around every page of the console: signing in and out, keys, colours, and what is shown while the service does not answer.
 */
import { beforeAll, expect } from "@jest/globals";
import { eventually } from "../setup/basics/eventually.ts";
import { freePort } from "../setup/basics/free-port.ts";
import { testWith } from "../setup/basics/programs.ts";
import { testBrowser } from "../setup/browser/console-browser.ts";
import { adminKey, testService } from "../setup/service/service.ts";

const test = testWith("chromium");
// A service that is started again listens where it did before.
const service = testService({ HTTP_PORT: String(await freePort()) });
const browser = testBrowser(service);
const zone = "example.com";
let userId = "";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain(zone, userId);
});

const unauthenticated = /status of 401/;
const unreachable =
  /status of 503|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/;

test("one who is not signed in is asked for a key, and led to where the address pointed", async () => {
  const watched = await browser.open(`/console/zones/${zone}/servers?x=1`, null);
  const { page } = watched;
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
  watched.forgive(unauthenticated);
});

test("asking whether one is signed in is no error of the page", async () => {
  const { page } = await browser.open("/console/", null);
  await page.getByLabel("API key").waitFor();
});

test("an address of another site is nowhere to be led to", async () => {
  const watched = await browser.open("/console/sign-in?to=https://attacker.example/", null);
  await watched.page.getByLabel("API key").fill(adminKey);
  await watched.page.getByRole("button", { name: "Sign in" }).click();
  await watched.page.getByRole("heading", { name: "Zones" }).waitFor();
});

test("the wait of a limit is counted down", async () => {
  const watched = await browser.open("/console/sign-in", null);
  const { page } = watched;
  await page.route("**/sign-in", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({
          status: 429,
          headers: { "Retry-After": "30" },
          json: {
            code: 429,
            status: "error",
            error: "TOO_MANY_REQUESTS",
            message: "Too many wrong keys; try again in 30 s.",
          },
        })
      : route.continue(),
  );
  await page.getByLabel("API key").fill("another");
  await page.getByLabel("API key").press("Enter");
  await page.getByText("Too many wrong keys").waitFor();
  watched.forgive(/status of 429/);
});

test("a key that ends asks for another over the page, which stays", async () => {
  const key = await service.key({ name: "short", userId });
  browser.secrets.push(key);
  const watched = await browser.open("/console/zones", key);
  const { page } = watched;
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  await page.evaluate("window.wasLoadedOnce = true");
  const [{ id } = { id: "" }] = await service.sql<{ id: string }>("select id from api_key where name = 'short'");
  await service.data(`mutation { revokeApiKey(input: { id: "${id}" }) { apiKey { id } } }`);
  await page.getByLabel("Find a zone…").fill("com");
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await dialog.getByText("was revoked").waitFor();
  expect(await page.getByRole("heading", { name: "Zones", includeHidden: true }).count()).toBe(1);
  await watched.expectAccessible();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press("Escape");
  await dialog.getByLabel("API key").fill(adminKey);
  await dialog.getByRole("button", { name: "Sign in" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("columnheader", { name: "User" }).waitFor();
  expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
  watched.forgive(unauthenticated);
});

test("signing out ends the sign-in at the service", async () => {
  const watched = await browser.open("/console/zones");
  const { page } = watched;
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  expect(await page.context().cookies()).toEqual([]);
  await page.goto(`${service.url}/console/zones`);
  await page.getByLabel("API key").waitFor();
  watched.forgive(unauthenticated);
});

test("colours are chosen in the menu, and kept", async () => {
  const { page } = await browser.open("/console/zones");
  const dark = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme");
  expect(await dark()).toBe("light dark");
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("button", { name: "Dark" }).click();
  expect(await dark()).toBe("dark");
  await page.reload();
  expect(await dark()).toBe("dark");
});

test("keys lead through the pages; those of a letter can be switched off", async () => {
  const { page } = await browser.open("/console/zones");
  const go = page.getByRole("dialog", { name: "Go to" });
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("example?");
  expect(await page.getByLabel("Find a zone…").inputValue()).toBe("example?");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await go.getByRole("combobox").fill("exam");
  await go.getByRole("option", { name: `${zone} zone` }).waitFor();
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

test("a service that does not answer is a bar that says since when, until it answers", async () => {
  const watched = await browser.open("/console/zones");
  const { page } = watched;
  await page.getByRole("link", { name: zone, exact: true }).waitFor();
  await page.evaluate("window.wasLoadedOnce = true");
  await service.pause();
  await page.getByLabel("Find a zone…").fill("exa");
  const bar = page.getByText(/No answer since \d\d:\d\d:\d\d/).first();
  await bar.waitFor();
  expect(await page.getByRole("link", { name: zone, exact: true }).count()).toBe(1);
  const filter = () => page.evaluate("getComputedStyle(document.querySelector('#page')).filter");
  await eventually(async () => expect(await filter()).toBe("grayscale(1)"));
  await service.run();
  await watched.tryNow();
  await eventually(async () => expect(await page.getByRole("button", { name: "Try now" }).count()).toBe(0));
  await eventually(async () => expect(await filter()).toBe("none"));
  await service.domain("later.example.com", userId);
  await page.getByRole("link", { name: "later.example.com" }).waitFor();
  expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
  watched.forgive(unreachable);
});

test("an address that leads nowhere says so", async () => {
  const { page } = await browser.open("/console/nothing");
  await page.getByText("There is nothing at this address").waitFor();
});
