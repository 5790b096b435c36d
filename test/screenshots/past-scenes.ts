/**
 * The history and the past of zones, as they are photographed.
 */
import { clicked, type Scene, zonePath } from "./scene.ts";

export const pastScenes: readonly Scene[] = [
  { name: "zone-history", path: `${zonePath}/history`, shows: "created with" },
  {
    name: "comparison",
    path: `${zonePath}/history`,
    shows: "created with",
    open: async (page) => {
      await page
        .getByLabel(/^Compare from/)
        .nth(4)
        .check();
      await clicked(/^Compare$/)(page);
      await page.getByRole("region", { name: "Comparison" }).getByRole("table").waitFor();
    },
  },
  {
    name: "moment",
    path: (company) => `${zonePath}/at/${company.change}`,
    shows: "Monitoring is",
    open: (page) => page.getByRole("table", { name: "Records" }).waitFor(),
  },
  {
    name: "going-back",
    path: (company) => `${zonePath}/at/${company.change}`,
    shows: "Monitoring is",
    open: async (page) => {
      await clicked("Go back to this")(page);
      await page.getByRole("dialog").getByRole("table").waitFor();
    },
  },
  { name: "versions", path: `${zonePath}/rrset?owner=vpn&type=A`, shows: "203.0.113.7" },
  {
    name: "deleted-zones",
    path: "/console/deleted",
    shows: "old-pier.example",
  },
  {
    name: "deleted-zone",
    path: "/console/deleted",
    shows: "old-pier.example",
    open: async (page) => {
      await page.getByRole("link", { name: "old-pier.example" }).click();
      await page.getByText("when it was deleted").waitFor();
    },
  },
  {
    name: "restore",
    path: "/console/deleted",
    shows: "old-pier.example",
    open: async (page) => {
      await clicked(/^Restore old-pier/)(page);
      await page.getByRole("dialog").getByText("4 records").waitFor();
    },
  },
  { name: "change", path: (company) => `/console/history/${company.change}`, shows: "Monitoring is" },
  {
    name: "undo",
    path: (company) => `/console/history/${company.change}`,
    shows: "Monitoring is",
    open: async (page) => {
      await clicked("Undo…")(page);
      await page
        .getByRole("dialog")
        .getByRole("button", { name: /^Apply/ })
        .waitFor();
    },
  },
];
