/**
 * Users and their quotas, as they are photographed.
 */
import { SheetUser } from "../setup/browser/sheet-user.ts";
import { clicked, type Scene } from "./scene.ts";

export const userScenes: readonly Scene[] = [
  { name: "users", path: "/console/users", shows: "anna@harbour-dns.example" },
  { name: "user-review", path: "/console/users", shows: "mira@", open: clicked("More for mira@", "Review…") },
  {
    name: "user-quota",
    path: "/console/users",
    shows: "mira@",
    open: async (page) => {
      await clicked("More for mira@", "Quota…")(page);
      await page.getByLabel("Changes a day").waitFor();
    },
  },
  {
    name: "quota-exceeded",
    path: "/console/zones/north-quay.example",
    open: async (page) => {
      const user = await new SheetUser(page).ready();
      for (const berth of ["one", "two", "three"]) await user.add(`berth-${berth}`, "A", "198.51.100.46");
      await user.press("Control+Enter");
      await page.getByRole("dialog").getByText("The quota of mira@").waitFor();
    },
  },
  { name: "user-new", path: "/console/users?new=user", shows: "no mail is sent" },
];
