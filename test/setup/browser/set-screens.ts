/** Histories and the past of zones, change sets and templates. */
import type { Page } from "playwright-core";
import { clicked, more, type Screen, screensAt, zonePath } from "./screen.ts";

const choose =
  (...places: number[]) =>
  async (page: Page) => {
    for (const place of places)
      await page
        .getByLabel(/^Choose/)
        .nth(place)
        .check();
    await page.getByRole("region", { name: "Chosen changes" }).waitFor();
  };

async function compare(page: Page): Promise<void> {
  await choose(0, 4)(page);
  await clicked(/^Compare$/)(page);
  await page.getByRole("region", { name: "Comparison" }).getByRole("table").waitFor();
}

const inDialog = (text: string | RegExp) => (page: Page) => page.getByRole("dialog").getByText(text).first().waitFor();

const then =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page);
  };

export const setScreens: readonly Screen[] = [
  ["zone-history", `${zonePath}/history`, "created with"],
  ["zone-history-chosen", `${zonePath}/history`, "created with", choose(1)],
  ["comparison", `${zonePath}/history`, "created with", compare],
  ["change", "/console/changes/{change}", "Monitoring is"],
  [
    "undo",
    "/console/changes/{change}",
    "Monitoring is",
    then(clicked("Undo…"), (page) => page.getByRole("button", { name: /^Apply/ }).waitFor()),
  ],
  [
    "restoring",
    `${zonePath}/history/{moved}`,
    "api moves to new hosts",
    then(clicked("Restore…"), (page) => page.getByRole("button", { name: /^Apply/ }).waitFor()),
  ],
  ["moment-differs", `${zonePath}/history/{moved}?show=differs`, "removed since"],
  ["moment-none", `${zonePath}/history/1`, "To the first moment"],
  ...screensAt(`${zonePath}/history/{change}`, "Monitoring is", {
    moment: (page) => page.getByRole("table", { name: "Records" }).waitFor(),
  }),
  ...screensAt("/console/settings/deleted", "old-pier.example", {
    "deleted-zones": undefined,
    "deleted-zone": async (page) => {
      await page.getByRole("link", { name: "old-pier.example" }).click();
      await page.getByText("when it was deleted").waitFor();
    },
    restore: then(clicked(/^Restore old-pier/), inDialog("4 records")),
  }),
  ["change-set", "/console/changes/{changeSet}", "198.51.100.27"],
  ["change-set-approve", "/console/changes/{changeSet}", "198.51.100.27", clicked("Approve…")],
  ...screensAt("/console/changes/{conflicting}", "Somebody else changed the same", {
    "change-set-conflicts": (page) => page.getByRole("table", { name: /^Conflicts/ }).scrollIntoViewIfNeeded(),
    "change-set-cancel": clicked("More for the change", "Cancel the change…"),
  }),
  ["change-set-scheduled", "/console/changes/{scheduled}", "it is not applied, and waits as before"],
  ["change-set-schedule", "/console/changes/{ready}", "would change", clicked("More for the change", "Schedule…")],
  ["change-set-applied", "/console/changes/{applied}", "1 zone changed"],
  ["zones-label", "/console/zones?label=env%3Dprod", "example.net"],
  ...screensAt("/console/zones?label=customer", "example.com", {
    labels: then(more("Labels…"), (page) => page.getByText("separated by blanks").waitFor()),
  }),
  ["templates", "/console/settings/templates", "customer site"],
  ["template", "/console/settings/templates/{template}", "of the web server"],
  ["template-apply", "/console/settings/templates/{template}", "of the web server", clicked("Apply to zones…")],
  ["template-new", "/console/settings/templates/new", "Without a SOA"],
  ["template-edit", "/console/settings/templates/{template}/edit", "Without a SOA"],
  ["zone-from-template", "/console/zones?new=zone&template={template}", "of the web server"],
];
