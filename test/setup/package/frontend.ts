/**
 * examples/frontend as a stranger runs it: installed and built in a folder of its own, and its page in a headless Chromium.
 */
import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { freePort } from "../basics/free-port.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { run, type Serving, serve, shellEnvironment } from "../process/command.ts";

const root = resolve(import.meta.dirname, "../../..");

/** Copies the example beside the schema, without what a developer may have built there, and returns its folder. */
function copyExample(folder: string): string {
  const left = new Set(["node_modules", "dist", "generated"]);
  const copy = join(folder, "examples/frontend");
  cpSync(join(root, "examples/frontend"), copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  cpSync(join(root, "schema.graphql"), join(folder, "schema.graphql"));
  return copy;
}

/** The example, built and served, and a browser that looks at it. */
export class Frontend {
  readonly #folder = temporaryFolder();
  #serving: Serving | undefined;
  #browser: Browser | undefined;

  get url(): string {
    return this.#serving?.url ?? "";
  }

  /** Installs the example, generates its types, compiles and builds it, and serves what was built before a service. */
  async start(serviceUrl: string): Promise<void> {
    const cwd = copyExample(this.#folder);
    const env = { ...shellEnvironment(), NO_COLOR: "1", FORCE_COLOR: "0", ZONESMITH_URL: serviceUrl };
    await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd, env });
    await run("npm", ["run", "build"], { cwd, env });
    const vite = join(cwd, "node_modules/.bin/vite");
    const address = ["--host", "127.0.0.1", "--strictPort", "--port", String(await freePort())];
    this.#serving = await serve(vite, ["preview", ...address], { cwd, env });
    // As root, Chromium runs without its sandbox; /dev/shm is small in containers.
    const args = ["--no-sandbox", "--disable-dev-shm-usage"];
    const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim();
    this.#browser = await chromium.launch({ executablePath, args });
  }

  /** A new tab with nothing stored; `errors` is what it reports as errors. */
  async open(): Promise<{ page: Page; errors: string[] }> {
    if (!this.#browser) throw new Error("the browser is not started");
    const context = await this.#browser.newContext();
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await page.goto(this.url);
    return { page, errors };
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
    await this.#serving?.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
