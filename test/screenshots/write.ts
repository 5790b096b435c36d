/**
 * Writes screenshots of every screen of the console to docs/screenshots, light and dark, 1280 and 320 pixels wide, for people to look at:
 * `npm run screenshots`, or `npm run screenshots -- -t sheet` for those whose names match. `LOOKS="zoomed forced"` takes those looks instead.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, afterEach, beforeAll, test } from "@jest/globals";
import { Company, settings } from "../setup/browser/company.ts";
import { ConsoleBrowser } from "../setup/browser/console-browser.ts";
import type { Screen } from "../setup/browser/screen.ts";
import { screens } from "../setup/browser/screens.ts";
import { adminKey, testService } from "../setup/service/service.ts";
import { smallPng } from "./small-png.ts";

const folder = resolve(import.meta.dirname, "../../docs/screenshots");
const service = testService(settings);
const browser = new ConsoleBrowser(service);
const company = new Company(service);

/** How a screen is looked at; `zoomed` is a window of 1280 by 800 at 400 %. */
const looks = {
  wide: { width: 1280, height: 800, schemes: ["light", "dark"] },
  narrow: { width: 320, height: 640, schemes: ["light", "dark"] },
  zoomed: { width: 320, height: 200, deviceScaleFactor: 4, schemes: ["light"] },
  forced: { width: 1280, height: 800, forcedColors: "active", schemes: ["dark"] },
} as const;

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  await company.open();
  await browser.start();
});
afterAll(async () => {
  await browser.stop();
  await company.close();
});
afterEach(() => browser.close());

/** The screens that the README and docs show, 1280 pixels wide; .gitignore excepts their files. */
const kept = ["zones", "sheet-staged", "progress"];

/** Fonts as wide as those of most systems, where they are installed: Debian has wider ones as the system's. */
const fonts = `document.documentElement.style.setProperty("--sans", '"Liberation Sans", system-ui, sans-serif');
  document.documentElement.style.setProperty("--mono", '"Liberation Mono", monospace');`;

const wanted = (process.env.LOOKS ?? "wide narrow").split(" ") as (keyof typeof looks)[];

const all: readonly Screen[] = [
  ...screens,
  ["graphiql", "/graphiql", "publication"],
  ["reference", "/reference/", "", (page) => page.locator(".opblock").last().waitFor()],
];

test.each(all.flatMap((screen) => wanted.map((look) => [`${screen[0]}-${look}`, look, ...screen] as const)))(
  "%s",
  async (...[_file, look, name, path, shows, open]) => {
    const { schemes, width, height, ...rest } = looks[look];
    const key = name.startsWith("sign-in") ? null : adminKey;
    const { page } = await browser.open(company.addressOf(path), key, { ...rest, colorScheme: schemes[0] });
    if (shows) await page.getByText(shows).first().waitFor();
    await open?.(page, company);
    // What is done to see it is done in a wide window.
    await page.setViewportSize({ width, height });
    await page.evaluate(fonts);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      const png = await page.screenshot({ animations: "disabled" });
      const isKept = look === "wide" && kept.includes(name);
      writeFileSync(`${folder}/${name}-${look}-${colorScheme}.png`, isKept ? smallPng(png) : png);
    }
  },
);
