/**
 * Notes, change sets, templates, labels and webhooks, as they are photographed.
 */
import type { Page } from "playwright-core";
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { clicked, type Scene, zonePath } from "./scene.ts";

/** Opens the note of the name servers, to which the form leads in a narrow window. */
async function openNote(page: Page): Promise<SheetUser> {
  const user = await new SheetUser(page).ready();
  const isNarrow = (page.viewportSize()?.width ?? 0) < 640;
  await user.press("Control+Home", "ArrowDown", isNarrow ? "Alt+Enter" : "Space");
  await user.button(/note…$/i).click();
  return user;
}

export const preparedScenes: readonly Scene[] = [
  {
    name: "sheet-notes",
    path: zonePath,
    open: async (page) => {
      const user = await openNote(page);
      await page
        .getByLabel("Note", { exact: true })
        .fill(`Both are ours; ask the network team before a third is added here (${page.viewportSize()?.width}).`);
      await user.button("Save the note").click();
      await page.getByRole("dialog", { name: /^Note of/ }).waitFor({ state: "detached" });
      const form = page.getByRole("dialog");
      if ((await form.count()) > 0) await form.getByRole("button", { name: "Cancel" }).click();
      await page.getByTitle("Both are ours").first().waitFor();
      await page.locator("[role=gridcell][data-active]").focus();
      await user.add("text", "TXT", "v=spf1");
      await page.getByText("which names no sender").first().waitFor();
      await user.add("bad", "A", "192.0.2.300");
      await page.getByText("is wrong").waitFor();
    },
  },
  {
    name: "sheet-note",
    path: zonePath,
    open: async (page) => void (await openNote(page)),
  },
  { name: "webhooks", path: "/console/webhooks", shows: "chat of the team" },
  { name: "webhook-new", path: "/console/webhooks?new=webhook", shows: "change_set.applied" },
  { name: "webhook", path: (company) => `/console/webhooks/${company.webhook}`, shows: "certificate has expired" },
  { name: "change-sets", path: "/console/changesets", shows: "Mail moves" },
  { name: "change-sets-none", path: "/console/changesets?state=CANCELLED", shows: "No change set matches" },
  { name: "change-set-new", path: "/console/changesets?new=set", shows: "New change set" },
  { name: "change-set", path: (company) => `/console/changesets/${company.changeSet}`, shows: "198.51.100.27" },
  {
    name: "change-set-approve",
    path: (company) => `/console/changesets/${company.changeSet}`,
    shows: "198.51.100.27",
    open: clicked("Approve…"),
  },
  {
    name: "change-set-conflicts",
    path: (company) => `/console/changesets/${company.conflicting}`,
    shows: "Somebody else changed the same",
    open: (page) => page.getByRole("table", { name: /^Conflicts/ }).scrollIntoViewIfNeeded(),
  },
  {
    name: "change-set-scheduled",
    path: (company) => `/console/changesets/${company.scheduled}`,
    shows: "it is not applied, and waits as before",
  },
  {
    name: "change-set-schedule",
    path: (company) => `/console/changesets/${company.ready}`,
    shows: "would change",
    open: clicked("More for the change set", "Schedule…"),
  },
  { name: "change-set-applied", path: (company) => `/console/changesets/${company.applied}`, shows: "1 zone changed" },
  {
    name: "propose",
    path: zonePath,
    open: async (page) => {
      const user = await new SheetUser(page).ready();
      await user.add("press", "CNAME", "press.hosting.example.");
      await user.review();
      await clicked("Propose…")(page);
      await page.getByRole("dialog", { name: "Propose the edits" }).getByLabel("Change set").waitFor();
    },
  },
  { name: "zones-label", path: "/console/zones?label=env%3Dprod", shows: "example.net" },
  {
    name: "labels",
    path: "/console/zones?label=customer",
    shows: "example.com",
    open: async (page) => {
      await clicked("More for example.com", "Labels…")(page);
      await page.getByText("separated by blanks").waitFor();
    },
  },
  { name: "templates", path: "/console/templates", shows: "customer site" },
  { name: "template", path: (company) => `/console/templates/${company.template}`, shows: "of the web server" },
  {
    name: "template-apply",
    path: (company) => `/console/templates/${company.template}`,
    shows: "of the web server",
    open: clicked("Apply to zones…"),
  },
  { name: "template-edit", path: (company) => `/console/templates/${company.template}/edit`, shows: "Without a SOA" },
  {
    name: "zone-from-template",
    path: (company) => `/console/zones?new=zone&template=${company.template}`,
    shows: "of the web server",
  },
];
