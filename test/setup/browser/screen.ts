/** A screen of the console, and what most of them need. */
import type { Page } from "playwright-core";
import { type Company, mainZone } from "./company.ts";
import { SheetUser } from "./sheet-user.ts";

/** Its name, its address with the names of ids in braces, a text that shows that it is there, and what opens on it. */
export type Screen = readonly [
  name: string,
  path: string,
  shows?: string,
  open?: (page: Page, company: Company) => Promise<unknown>,
];

/** Screens at one address, with what opens on each by its name. */
export const screensAt = (path: string, shows: string, opened: Readonly<Record<string, Screen[3]>>): Screen[] =>
  Object.entries(opened).map(([name, open]) => [name, path, shows, open]);

/** The address of the zone with the records of real life. */
export const zonePath = `/console/zones/${mainZone}`;

export const sheet = (page: Page): Promise<SheetUser> => new SheetUser(page).ready();

export const clicked =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await page.getByRole("button", { name }).first().click();
  };

/** Chooses in the menu of the zone with the records of real life. */
export const more = (...names: string[]) => clicked(`More for ${mainZone}`, ...names);
