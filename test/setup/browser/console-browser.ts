/**
 * The console in a headless Chromium before a real service. Every page that is opened is watched: what the browser reports as an error, what
 * its policy forbids, requests to elsewhere, and secrets in an address or in storage fail the test that opened it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import {
  type Browser,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
  type Response,
} from "playwright-core";
import { eventually } from "../basics/eventually.ts";
import { has, testWith } from "../basics/programs.ts";
import { adminKey, type TestService, testService } from "../service/service.ts";
import { SheetUser } from "./sheet-user.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of WCAG 2.2 AA, and what axe recommends besides. */
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** How a page is looked at with axe: at a width, in a scheme, by some of its rules or by all. */
export type Looks = readonly (readonly [width: number, scheme: "light" | "dark", rules?: readonly string[]])[];

/** By all rules once, and then by those that the scheme or the width decides. */
const usualLooks: Looks = [
  [1280, "light"],
  [1280, "dark", ["color-contrast"]],
  [320, "light", ["target-size"]],
];

/** How long a page is waited for, ms: far beyond what the slowest machine needs. */
const longestWaitMs = 120_000;

export interface Look extends BrowserContextOptions {
  readonly width?: number;
  readonly height?: number;
}

export class WatchedPage {
  readonly page: Page;
  readonly problems: string[] = [];
  readonly #origin: string;
  readonly #secrets: readonly string[];
  readonly #forgiven: RegExp[] = [];
  readonly #follows = Promise.withResolvers<void>();

  constructor(page: Page, origin: string, secrets: readonly string[]) {
    this.page = page;
    this.#origin = origin;
    this.#secrets = secrets;
    page.on("pageerror", this.#onError).on("console", this.#onConsole).on("request", this.#onRequest);
    page.on("response", this.#onResponse);
  }

  /** Settles once the page follows changes; before, it does not say that it follows none. */
  get followed(): Promise<void> {
    return this.#follows.promise;
  }

  readonly #onError = ({ message }: Error) => void this.problems.push(`error: ${message}`);

  readonly #onConsole = (message: ConsoleMessage) => {
    if (message.type() === "error" || message.type() === "warning") this.problems.push(`console: ${message.text()}`);
  };

  readonly #onRequest = (request: Request) => {
    const url = request.url();
    if (!/^(data|blob):/.test(url) && new URL(url).origin !== this.#origin) this.problems.push(`a request to ${url}`);
    if (this.#secrets.some((secret) => url.includes(secret))) this.problems.push(`a secret in ${url}`);
  };

  readonly #onResponse = (response: Response) => {
    if (response.request().headers().accept?.includes("event-stream")) this.#follows.resolve();
  };

  /** Ends watching, and makes the page and its context as new; returns whether they are, which a clock of the test's own or another tab hinders. */
  async leave(): Promise<boolean> {
    const { page } = this;
    page.off("pageerror", this.#onError).off("console", this.#onConsole).off("request", this.#onRequest);
    page.off("response", this.#onResponse);
    if (page.context().pages().length > 1 || (await page.evaluate("'__pwClock' in globalThis"))) return false;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.emulateMedia({ colorScheme: null });
    await page.mouse.move(0, 0);
    // A page may store what it holds when it is left, so another one of its origin clears the storage.
    await page.route("**/blank", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.goto(`${this.#origin}/blank`);
    await page.evaluate("localStorage.clear(); sessionStorage.clear();");
    await page.unrouteAll();
    await page.goto("about:blank");
    await page.context().clearCookies();
    return true;
  }

  /** Forgets problems that the test has brought about, such as a refusal that the browser reports, also those that it reports later. */
  forgive(form: RegExp): void {
    this.#forgiven.push(form);
  }

  /** Waits until the page, which says that the service does not answer, has found that it does; asks it to look at once. */
  async tryNow(): Promise<void> {
    const bar = this.page.getByText(/No answer since/);
    const button = this.page.getByRole("button", { name: "Try now" });
    await eventually(async () => {
      // The page may find it out by itself, and the button goes while it is pressed.
      if ((await button.count()) > 0) await button.click({ timeout: 1_000 }).catch(() => undefined);
      expect([await bar.count(), await button.count()]).toEqual([0, 0]);
    });
  }

  /** What is wrong, with what the browser's storage holds that it must not. */
  async allProblems(): Promise<string[]> {
    const stored = String(
      await this.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"),
    );
    const secrets = this.#secrets.filter((secret) => stored.includes(secret)).map(() => "a secret in storage");
    const problems = this.problems.filter((problem) => !this.#forgiven.some((form) => form.test(problem)));
    return [...problems, ...secrets];
  }
}

/** What axe finds wrong with a page as it is now by these rules, or all of them, one line for each rule. */
export async function accessibility(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const run = `axe.run(document, { runOnly: ${JSON.stringify(rules ?? axeTags)}, resultTypes: ["violations"] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 200) + " " + failureSummary).join(" | ")))`;
  return (await page.evaluate(run)) as string[];
}

/** Waits until the page is drawn as it was set. */
export const isDrawn = (page: Page) =>
  page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");

/** Looks at a page as it is with axe, at the widths and in the schemes of these looks; nothing scrolls sideways. */
export async function expectAccessible(page: Page, looks: Looks = usualLooks): Promise<void> {
  for (const [width, colorScheme, rules] of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await isDrawn(page);
    const problems = await accessibility(page, rules);
    const look = { width, colorScheme, problems, overflow: await page.evaluate(overflow) };
    expect(look).toEqual({ width, colorScheme, problems: [], overflow: 0 });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: null });
}

/** By how much a page is wider than the window, px. */
const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** Clicks the only button of each name, one after the other. */
export async function clickButtons(page: Page, ...names: (string | RegExp)[]): Promise<void> {
  for (const name of names) await page.getByRole("button", { name }).click();
}

/** Waits until a page says that it has copied something, such as `the key`; its button shows that for two seconds alone. */
export const copied = (page: Page, what: string): Promise<void> =>
  page.getByText(`${what}: copied`).waitFor({ state: "attached" });

export class ConsoleBrowser {
  readonly #service: TestService;
  #browser: Browser | undefined;
  readonly #open: { kind: string; watched: WatchedPage }[] = [];
  /** Pages that were left as new, by how they are looked at: a browser needs a multiple of the time for one that is new. */
  readonly #idle: { kind: string; page: Page }[] = [];
  /** Keys and tokens that must be nowhere in the browser but in its cookie. */
  readonly secrets: string[] = [adminKey];

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Creates a key that must be nowhere in the browser. */
  async key(input: Parameters<TestService["key"]>[0]): Promise<string> {
    const key = await this.#service.key(input);
    this.secrets.push(key);
    return key;
  }

  async start(): Promise<void> {
    // As root, Chromium runs without its sandbox; /dev/shm is small in containers.
    const args = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"];
    const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
    this.#browser = await chromium.launch({ executablePath, args });
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }

  /** Opens a page of the console with nothing stored but, unless `key` is null, the cookie of a sign-in. */
  async open(path: string, key: string | null = adminKey, look: Look = {}): Promise<WatchedPage> {
    const { width = 1280, height = 800, ...options } = look;
    const kind = JSON.stringify(options);
    const at = this.#idle.findIndex((idle) => idle.kind === kind);
    const page = at < 0 ? await this.#newPage(options) : (this.#idle.splice(at, 1)[0] as { page: Page }).page;
    const context = page.context();
    await page.setViewportSize({ width, height });
    if (key !== null) {
      const signedIn = await context.request.post(`${this.#service.url}/sign-in`, {
        data: { key },
        headers: { "X-Zonesmith-Console": "1" },
      });
      if (signedIn.status() !== 201) throw new Error(`not signed in: ${await signedIn.text()}`);
    }
    const watched = new WatchedPage(page, new URL(this.#service.url).origin, this.secrets);
    this.#open.push({ kind, watched });
    await page.goto(`${this.#service.url}${path}`);
    return watched;
  }

  async #newPage(options: BrowserContextOptions): Promise<Page> {
    if (!this.#browser) throw new Error("the browser is not started");
    const usual = { locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce" } as const;
    const context = await this.#browser.newContext({ ...usual, ...options });
    context.setDefaultTimeout(longestWaitMs);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    return context.newPage();
  }

  /** Opens the sheet of a zone; a query may follow its name. */
  async sheet(zone: string, key?: string, look?: Look): Promise<SheetUser> {
    const { page } = await this.open(`/console/zones/${zone}`, key, look);
    return new SheetUser(page).ready();
  }

  /** Closes what is open, and returns all that was wrong with it but what is forgiven. */
  async close(forgiven?: RegExp): Promise<string[]> {
    const problems: string[] = [];
    for (const { kind, watched } of this.#open.splice(0)) {
      const { page } = watched;
      if (forgiven) watched.forgive(forgiven);
      problems.push(...(await watched.allProblems()));
      if (await watched.leave()) this.#idle.push({ kind, page });
      else await page.context().close();
    }
    return problems;
  }
}

/**
 * A browser for the whole test file, where there is a Chromium; what is wrong with a page fails the test that opened it, but for problems
 * that every test of the file brings about.
 */
export function testBrowser(service: TestService, forgiven?: RegExp): ConsoleBrowser {
  const browser = new ConsoleBrowser(service);
  beforeAll(async () => {
    if (has("chromium")) await browser.start();
  });
  afterAll(() => browser.stop());
  afterEach(async () => expect(await browser.close(forgiven)).toEqual([]));
  // One that a test has stopped is there for the next test, also where it failed.
  afterEach(() => service.resume());
  return browser;
}

/** A service and a browser for the whole test file, and `test` for what needs them. */
export function testConsole(settings?: Record<string, string>, forgiven?: RegExp) {
  const service = testService(settings);
  return { test: testWith("chromium"), service, browser: testBrowser(service, forgiven) };
}
