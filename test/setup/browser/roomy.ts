/** Measures what is shown: cells that are too narrow for their text, targets that are too low to be tapped, and fields into which a phone zooms. */
import { expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { isDrawn } from "./console-browser.ts";

/** What is in sight: an open dialog, or else the page. */
const shown = `
  const place = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  const boxOf = (each) => each.getBoundingClientRect();
  const shown = (selector) =>
    [...place.querySelectorAll(selector)].filter((each) => each.checkVisibility({ visibilityProperty: true }) && boxOf(each).width > 1);
  const said = (found) => found.map((each) => Math.round(boxOf(each).width) + " × " + Math.round(boxOf(each).height) + " " + each.outerHTML.slice(0, 160));`;

/** Marks and menus have no text of their own. */
const narrowCells = `${shown}
  const hasText = (cell) => {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (data.trim() && !parentElement.closest("button, [aria-hidden], [popover]") && boxOf(parentElement).width > 1) return true;
    }
    return false;
  };
  said(shown("th, td, [role=gridcell], [role=columnheader]").filter((cell) => boxOf(cell).width < 79.5 && hasText(cell)));`;

/** A link that covers its row is as high as that; one within a text is as it is. */
const lowTargets = `${shown}
  const targetOf = (each) =>
    getComputedStyle(each, "::after").position === "absolute" ? (each.closest("tr, li") ?? each) : (each.closest("label:has([type=checkbox], [type=radio])") ?? each);
  said(shown("button, select, summary, textarea, input, :is(li, td, nav, [role=row]) a:not(dd a)").filter((each) => boxOf(targetOf(each)).height < 23.5));`;

const smallFields = `${shown}
  const isSmall = (each) => parseFloat(getComputedStyle(each).fontSize) < 16;
  said(shown("input:not([type=checkbox], [type=radio], [type=range], [type=file]), select, textarea").filter(isSmall));`;

/** Measures a page as it is: cells at the width of a tablet, targets and fields at that of a phone. */
export async function expectRoomy(page: Page): Promise<void> {
  await page.setViewportSize({ width: 768, height: 800 });
  await isDrawn(page);
  const cells = await page.evaluate(narrowCells);
  await page.setViewportSize({ width: 390, height: 800 });
  await isDrawn(page);
  const targets = await page.evaluate(lowTargets);
  const fields = await page.evaluate(smallFields);
  await page.setViewportSize({ width: 1280, height: 800 });
  expect({ cells, targets, fields }).toEqual({ cells: [], targets: [], fields: [] });
}
