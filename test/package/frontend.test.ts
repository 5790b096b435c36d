/** examples/frontend in a real browser, before a real service: what a frontend that was written from schema.graphql alone can do. */
import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "@jest/globals";
import { type Browser, chromium, type Locator, type Page, type Route } from "playwright-core";
import { eventually } from "../setup/basics/eventually.ts";
import { freePort } from "../setup/basics/free-port.ts";
import { intercept } from "../setup/basics/intercept.ts";
import { has, testWith } from "../setup/basics/programs.ts";
import { temporaryFolder } from "../setup/basics/temporary-folder.ts";
import { run, type Serving, serve, shellEnvironment } from "../setup/process/command.ts";
import { FollowingResponder } from "../setup/service/following-responder.ts";
import { testService } from "../setup/service/service.ts";

const test = testWith("chromium");
const root = resolve(import.meta.dirname, "../..");
// A service that is started again listens where it did before.
const service = testService({ HTTP_PORT: String(await freePort()) });
const zone = "frontend.example.com";
const folder = temporaryFolder();
let [userId, key] = ["", ""];
let serving: Serving | undefined;
let browser: Browser | undefined;

/** Installs the example beside the schema, generates its types, compiles and builds it, and serves what was built, as a stranger does. */
beforeAll(async () => {
  if (!has("chromium")) return;
  userId = await service.user("frontend@example.com");
  key = await service.key({ name: "frontend", userId });
  await service.domain(zone, userId);
  await service.domain("other.example.com", await service.user("other@example.com"));
  const cwd = join(folder, "examples/frontend");
  const left = new Set(["node_modules", "dist", "generated"]);
  cpSync(join(root, "examples/frontend"), cwd, { recursive: true, filter: (path) => !left.has(basename(path)) });
  cpSync(join(root, "schema.graphql"), join(folder, "schema.graphql"));
  const env = { ...shellEnvironment(), NO_COLOR: "1", FORCE_COLOR: "0", ZONESMITH_URL: service.url };
  await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd, env });
  await run("npm", ["run", "build"], { cwd, env });
  const address = ["--host", "127.0.0.1", "--strictPort", "--port", String(await freePort())];
  serving = await serve(join(cwd, "node_modules/.bin/vite"), ["preview", ...address], { cwd, env });
  // As root, Chromium runs without its sandbox; /dev/shm is small in containers.
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
  browser = await chromium.launch({ executablePath, args });
}, 600_000);
afterAll(async () => {
  await browser?.close();
  await serving?.stop();
});

let page: Page;
let errors: string[];
/** What the browser may report, since the test has brought it about. */
let forgiven: RegExp | undefined;
/** A new tab with nothing stored. */
beforeEach(async () => {
  [errors, forgiven] = [[], undefined];
  const context = await (browser as Browser).newContext();
  context.setDefaultTimeout(120_000);
  page = await context.newPage();
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(serving?.url ?? "");
});
afterEach(async () => {
  await page.context().close();
  expect(errors.filter((error) => !forgiven?.test(error))).toEqual([]);
});

async function signIn(): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("API key").press("Enter");
  await page.getByRole("heading", { name: "Zones" }).waitFor();
}

async function openZone(name = zone): Promise<void> {
  await signIn();
  await page.getByRole("link", { name, exact: true }).click();
  await page.getByRole("heading", { name: "Records" }).waitFor();
  // A page that is loaded again does not have it.
  await page.evaluate("window.wasLoadedOnce = true");
}

const row = (text: string) => page.getByRole("row").filter({ hasText: text });
const addForm = () => page.locator("form").filter({ has: page.getByRole("button", { name: "Add" }) });
const noRow = (text: string) => eventually(async () => expect(await row(text).count()).toBe(0));

async function fill(form: Locator, values: Record<string, string>): Promise<void> {
  const { Type, ...texts } = values;
  if (Type) await form.getByLabel("Type").selectOption(Type);
  for (const [label, text] of Object.entries(texts)) await form.getByLabel(label).fill(text);
  await form.getByLabel("Data").press("Enter");
}

/** Holds back mutations, so that what is shown before the service answers stays to be seen; returns what lets them go. */
async function holdMutations(): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await intercept(page, "**/graphql", (route) => {
    if (/^\s*mutation/.test(route.request().postDataJSON()?.query ?? "")) held.push(route);
    else void route.continue();
  });
  return async () => {
    await eventually(() => held.length > 0);
    for (const route of held.splice(0)) await route.continue();
  };
}

const titles = () => page.locator(".zones a").allTextContents();

describe("signing in", () => {
  test("a key that is not known is refused beside its field, with its code", async () => {
    await page.getByLabel("API key").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("UNAUTHENTICATED").waitFor();
    expect(await page.getByLabel("API key").getAttribute("aria-invalid")).toBe("true");
    forgiven = /status of 401/;
  });

  test("a user's key shows that user's zones; a key that is revoked later leads back to the start", async () => {
    const short = await service.key({ name: "short", userId });
    await page.getByLabel("API key").fill(short);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("frontend@example.com").first().waitFor();
    await eventually(async () => expect(await titles()).toEqual([zone]));
    const [{ id } = { id: "" }] = await service.sql<{ id: string }>("select id from api_key where name = 'short'");
    await service.data(`mutation { revokeApiKey(input: { apiKeyId: "${id}" }) { apiKey { id } } }`);
    await page.getByLabel("API key").waitFor();
    forgiven = /Failed to load resource|ERR_/;
  });
});

describe("the list of zones", () => {
  test("has a filter, and pages forward and back", async () => {
    const names = Array.from({ length: 25 }, (_, at) => `many${String(at).padStart(2, "0")}.example.com`);
    for (const name of names) await service.domain(name, userId);
    await signIn();
    await eventually(async () => expect(await titles()).toHaveLength(20));
    const first = await titles();
    await page.getByRole("button", { name: "Next" }).click();
    await eventually(async () => expect([...first, ...(await titles())]).toEqual([zone, ...names]));
    await page.getByRole("button", { name: "Previous" }).click();
    await eventually(async () => expect(await titles()).toEqual(first));
    await page.getByLabel("Filter zones").fill("many1");
    await eventually(async () => expect(await titles()).toEqual(names.slice(10, 20)));
  });

  test("shows what other clients create, change and delete", async () => {
    await signIn();
    await page.getByLabel("Filter zones").fill("appears");
    await page.getByText("No zone contains").waitFor();
    const name = "appears.example.com";
    await service.domain(name, userId);
    const item = page.getByRole("listitem").filter({ hasText: name });
    await item.waitFor();
    await service.record(name, "changed", "A", "192.0.2.1");
    await item.getByText(String(await service.serial(name))).waitFor();
    await service.rest("DELETE", "/domain/delete", { form: { zone: name } });
    await item.waitFor({ state: "detached" });
  });
});

describe("a record", () => {
  test("is shown when it is added, as not committed yet, and stays when it is", async () => {
    await openZone();
    const release = await holdMutations();
    await fill(addForm(), { Owner: "added", Type: "AAAA", Data: "2001:0db8::1" });
    await row("2001:0db8::1").and(page.locator("[aria-busy=true]")).waitFor();
    await release();
    await row("2001:db8::1").and(page.locator("[aria-busy=false]")).waitFor();
    await eventually(async () => expect(await row("added").count()).toBe(1));
    await eventually(async () => expect(await addForm().getByLabel("Owner").inputValue()).toBe(""));
    await page.getByText(`serial ${await service.serial(zone)}`).waitFor();
  });

  test.each([
    ["bad data", { Owner: "bad", Type: "A", Data: "192.0.2.300" }, "Data", "INVALID_RDATA", "write an IPv4 address"],
    [
      "a CNAME beside data",
      { Owner: "taken", Type: "CNAME", Data: "other.net." },
      "Owner",
      "RECORD_CONFLICT",
      "remove one",
    ],
  ])("that is refused is rolled back: %s", async (_what, values, label, code, advice) => {
    await service.record(zone, "taken", "A", "192.0.2.9").catch(() => {});
    const serial = await service.serial(zone);
    await openZone();
    const release = await holdMutations();
    const before = await page.getByRole("row").count();
    await fill(addForm(), values);
    await page.locator("tr[aria-busy=true]").waitFor();
    await release();
    await page.locator("tr[aria-busy=true]").waitFor({ state: "detached" });
    const field = addForm().getByLabel(label);
    await eventually(async () => expect(await field.getAttribute("aria-invalid")).toBe("true"));
    await eventually(async () => {
      const reasons = await page.locator(`[id="${await field.getAttribute("aria-describedby")}"]`).textContent();
      expect(reasons).toContain(code);
      expect(reasons).toContain(advice);
      expect(await field.inputValue()).toBe(values[label as "Data"]);
      expect(await page.getByRole("row").count()).toBe(before);
    });
    expect(await service.serial(zone)).toBe(serial);
  });

  test("that is edited is shown as it will be; a refusal opens the form again, with what was entered", async () => {
    await service.record(zone, "edited", "MX", "10 mail.example.net.");
    await openZone();
    await page.getByRole("button", { name: "Edit edited MX" }).click();
    const form = page.locator("td form");
    const release = await holdMutations();
    await fill(form, { Data: "x mail.example.net." });
    await row("x mail.example.net.").and(page.locator("[aria-busy=true]")).waitFor();
    await release();
    await form.getByText("INVALID_RDATA").waitFor();
    await eventually(async () => expect(await form.getByLabel("Data").inputValue()).toBe("x mail.example.net."));
    await fill(form, { Data: "20 mail.example.net." });
    await release();
    await row("20 mail.example.net.").and(page.locator("[aria-busy=false]")).waitFor();
    await page.getByRole("button", { name: "Edit edited MX" }).click();
    await form.getByLabel("Data").press("Escape");
    await form.waitFor({ state: "detached" });
    const focused = () => page.evaluate("document.activeElement.getAttribute('aria-label')");
    await eventually(async () => expect(await focused()).toMatch(/^Edit edited MX/));
  });

  test("that is removed is gone at once, and is back when that is refused", async () => {
    await service.record(zone, "goner", "A", "192.0.2.7");
    const serial = await service.serial(zone);
    await openZone();
    const release = await holdMutations();
    const remove = async (name: string) => {
      await page.getByRole("button", { name: `Remove ${name}` }).click();
      await page.getByRole("button", { name: `Really remove ${name}` }).click();
    };
    await remove("goner A");
    await noRow("goner");
    await release();
    await page.getByText(`serial ${serial + 1}`).waitFor();
    await remove("@ SOA");
    await noRow("SOA");
    await release();
    await row("SOA").getByText("PROTECTED_RECORD").waitFor();
  });
});

describe("what happens elsewhere", () => {
  test("another client's change is shown without a reload, and opens by its id", async () => {
    await openZone();
    await service.record(zone, "elsewhere", "TXT", "from another client");
    await row("from another client").waitFor();
    const serial = String(await service.serial(zone));
    await page.locator("summary").filter({ hasText: serial }).click();
    await page.getByText('+ elsewhere 3600 TXT "from another client"').waitFor();
    expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
  });

  test("a zone that is deleted is said to be", async () => {
    await service.domain("deleted.example.com", userId);
    await openZone("deleted.example.com");
    await service.rest("DELETE", "/domain/delete", { form: { zone: "deleted.example.com" } });
    await page.locator(".stream", { hasText: "There is no zone deleted.example.com" }).waitFor();
  });

  test("a stream that was interrupted is opened again, and shows what was changed meanwhile", async () => {
    await openZone();
    await service.pause();
    await page.getByText("reconnecting").waitFor();
    await service.run();
    await service.record(zone, "meanwhile", "A", "192.0.2.8");
    await row("meanwhile").waitFor();
    expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
    forgiven = /Failed to load resource|ERR_/;
  });

  test("publication goes on as the secondary is seen to serve the zone", async () => {
    const responder = await new FollowingResponder(service).register("follower");
    const [follow, wait] = [responder.onNotify, () => 0];
    await responder.follow(zone);
    await openZone();
    const title = page.locator(".title").first();
    await title.locator(".badge", { hasText: "live" }).waitFor();
    responder.onNotify = wait;
    await fill(addForm(), { Owner: "published", Type: "A", Data: "192.0.2.10" });
    await title.locator(".badge", { hasText: "pending" }).waitFor();
    await title.getByText("follower pending").waitFor();
    responder.onNotify = follow;
    await responder.follow(zone);
    await title.locator(".badge", { hasText: "live" }).waitFor();
    expect(await page.evaluate("window.wasLoadedOnce")).toBe(true);
    await responder.close();
  });
});
