/**
 * A screen of the console as it is photographed, and what all of them need.
 */
import type { Page } from "playwright-core";
import { type Company, mainZone } from "./company.ts";

/** A scene: its file, its address, what shows that it is there, and what is done then. */
export interface Scene {
  readonly name: string;
  readonly path: string | ((company: Company) => string);
  /** A text; of the sheet, that the grid has the focus. */
  readonly shows?: string;
  readonly open?: (page: Page, company: Company) => Promise<void>;
  readonly isSignedOut?: boolean;
}

/** The address of the zone with the records of real life. */
export const zonePath = `/console/zones/${mainZone}`;

/** Clicks buttons, one after the other. */
export const clicked =
  (...names: (string | RegExp)[]) =>
  async (page: Page) => {
    for (const name of names) await page.getByRole("button", { name }).first().click();
  };
