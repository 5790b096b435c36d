/** Requests of a browser that a test answers. */
import type { Page, Route } from "playwright-core";
import { eventually } from "./eventually.ts";

/**
 * Handles requests of a page, in front of the handlers that it has. Chromium goes on for a moment with what it began before it was asked to
 * wait, so a request is sent first, until it comes here.
 */
export async function intercept(page: Page, url: string, handle: (route: Route) => unknown): Promise<void> {
  await page.route(url, handle);
  const first = "**/healthz";
  await page.route(first, (route) => route.fulfill({ body: "intercepted" }));
  await eventually(
    async () => (await page.evaluate("fetch('/healthz').then((response) => response.text())")) === "intercepted",
  );
  await page.unroute(first);
}
