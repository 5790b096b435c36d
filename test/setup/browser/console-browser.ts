/**
 * The console in a headless Chromium before a real service. Every page that is opened is watched: what the browser reports as an error, what
 * its policy forbids, requests to elsewhere, and secrets in an address or in storage fail the test that opened it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { eventually } from "../basics/eventually.ts";
import { has } from "../basics/programs.ts";
import { adminKey, type TestService } from "../service/service.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules of WCAG 2.2 AA, and what axe recommends besides. */
const axeTags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** How long a page is waited for, ms: far beyond what the slowest machine needs. */
const longestWaitMs = 120_000;

/** How a page is looked at. */
export interface Look extends BrowserContextOptions {
  readonly width?: number;
  readonly height?: number;
}

/** A page that is open, and what is wrong with it so far. */
export class WatchedPage {
  readonly page: Page;
  readonly problems: string[] = [];
  readonly #secrets: readonly string[];
  readonly #forgiven: RegExp[] = [];

  constructor(page: Page, origin: string, secrets: readonly string[]) {
    this.page = page;
    this.#secrets = secrets;
    page.on("pageerror", ({ message }) => this.problems.push(`error: ${message}`));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.problems.push(`console: ${message.text()}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!/^(data|blob):/.test(url) && new URL(url).origin !== origin) this.problems.push(`a request to ${url}`);
      if (secrets.some((secret) => url.includes(secret))) this.problems.push(`a secret in ${url}`);
    });
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

  /** What axe finds wrong with the page as it is now by these rules, or all of them, one line for each rule. */
  async accessibility(rules?: readonly string[]): Promise<string[]> {
    if (!(await this.page.evaluate("'axe' in window"))) await this.page.evaluate(axe);
    const run = `axe.run(document, { runOnly: ${JSON.stringify(rules ?? axeTags)}, resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html.slice(0, 200) + " " + failureSummary).join(" | ")))`;
    return (await this.page.evaluate(run)) as string[];
  }

  /**
   * Looks at the page as it is, light and dark, 1280 and 320 pixels wide, where nothing scrolls sideways; of the rules of axe, those of
   * colours alone differ in the dark.
   */
  async expectAccessible(): Promise<void> {
    for (const width of [1280, 320]) {
      await this.page.setViewportSize({ width, height: 800 });
      // The page is drawn at this width.
      await this.page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
      for (const colorScheme of ["light", "dark"] as const) {
        await this.page.emulateMedia({ colorScheme });
        const problems = await this.accessibility(colorScheme === "dark" ? ["color-contrast"] : undefined);
        expect({ width, colorScheme, problems }).toEqual({ width, colorScheme, problems: [] });
      }
      expect({ width, overflow: await this.overflow() }).toEqual({ width, overflow: 0 });
    }
  }

  /** By how much the page is wider than the window, px. */
  async overflow(): Promise<number> {
    return Number(
      await this.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    );
  }
}

/** Waits until a page says that it has copied something, such as `the key`; its button shows that for two seconds alone. */
export const copied = (page: Page, what: string): Promise<void> =>
  page.getByText(`${what}: copied`).waitFor({ state: "attached" });

/** A browser, and the pages that were opened since the last test. */
export class ConsoleBrowser {
  readonly #service: TestService;
  #browser: Browser | undefined;
  readonly #open: { context: BrowserContext; watched: WatchedPage }[] = [];
  /** Keys and tokens that must be nowhere in the browser but in its cookie. */
  readonly secrets: string[] = [adminKey];

  constructor(service: TestService) {
    this.#service = service;
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
    if (!this.#browser) throw new Error("the browser is not started");
    const { width = 1280, height = 800, ...options } = look;
    const context = await this.#browser.newContext({
      viewport: { width, height },
      locale: "en-GB",
      timezoneId: "UTC",
      reducedMotion: "reduce",
      ...options,
    });
    context.setDefaultTimeout(longestWaitMs);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    if (key !== null) {
      const signedIn = await context.request.post(`${this.#service.url}/sign-in`, {
        data: { key },
        headers: { "X-Zonesmith-Console": "1" },
      });
      if (signedIn.status() !== 201) throw new Error(`not signed in: ${await signedIn.text()}`);
    }
    const page = await context.newPage();
    const watched = new WatchedPage(page, new URL(this.#service.url).origin, this.secrets);
    this.#open.push({ context, watched });
    await page.goto(`${this.#service.url}${path}`);
    return watched;
  }

  /** Closes what is open, and returns all that was wrong with it but what is forgiven. */
  async close(forgiven?: RegExp): Promise<string[]> {
    const problems: string[] = [];
    for (const { context, watched } of this.#open.splice(0)) {
      if (forgiven) watched.forgive(forgiven);
      problems.push(...(await watched.allProblems()));
      await context.close();
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
  return browser;
}
