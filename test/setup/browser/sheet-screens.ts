/** The sheet of a zone and its dialogs, its text, and the import. */
import type { Locator, Page } from "playwright-core";
import { intercept } from "../basics/intercept.ts";
import { conflictZone, longZone, mainZone } from "./company.ts";
import { clicked, type Screen, screensAt, sheet, zonePath } from "./screen.ts";
import type { SheetUser } from "./sheet-user.ts";

/** Has one row of each kind staged: added, changed, removed. */
async function stage(page: Page): Promise<SheetUser> {
  const user = await sheet(page);
  await find(user, "192.0.2.82");
  await user.press("F2", "Control+a");
  await user.type("192.0.2.84");
  await user.press("Enter");
  await find(user, "docs");
  await user.press("Delete");
  await page.locator("[data-filter]").fill("");
  await page.getByText(/^\d+ of \d+ records/).waitFor({ state: "detached" });
  await page.locator("[data-filter]").press("Enter");
  await user.press("Control+Home", "PageDown", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
  await user.add("_25._tcp.mail2", "TLSA", "3 1 1 0C72AC70B745AC19998811B131D662C9AC69DBDBE7CB23E5B514B56664C5D3D6");
  await user.add("careers", "CNAME", "jobs.hosting.example.");
  for (let row = 0; row < 8; row += 1) await user.press("ArrowDown");
  return user;
}

/** Goes to the data of the first row that matches. */
async function find(user: SheetUser, text: string): Promise<void> {
  await user.page.locator("[data-filter]").fill(text);
  await user.page.getByText(/^\d+ of \d+ records/).waitFor();
  await user.page.locator("[data-filter]").press("Enter");
  await user.press("Control+Home", "End");
}

async function review(page: Page): Promise<SheetUser> {
  const user = await stage(page);
  await user.review();
  return user;
}

const form = (text: string) => async (page: Page) => {
  const user = await sheet(page);
  await find(user, text);
  await user.press("Alt+Enter");
  await page.getByRole("dialog").waitFor();
};

async function selectHosts(page: Page): Promise<SheetUser> {
  const user = await sheet(page);
  await user.press("/");
  await user.type("host");
  await user.press("Enter", "Control+a");
  await page.getByText(/\d selected/).waitFor();
  return user;
}

/** Opens the note of the name servers, to which the form leads in a narrow window. */
async function openNote(page: Page): Promise<SheetUser> {
  const user = await sheet(page);
  await user.press("Control+Home", "ArrowDown", isNarrow(page) ? "Alt+Enter" : "Space");
  await user.button(/note…$/i).click();
  return user;
}

/** Fills a field, presses a button, and waits for what is shown then. */
export async function send(
  page: Page,
  field: Locator,
  text: string,
  button: string | RegExp,
  shown: Locator,
): Promise<void> {
  await field.fill(text);
  await page.getByRole("button", { name: button }).click();
  await shown.first().waitFor();
}

const imported =
  (shown: string, ...lines: string[]) =>
  (page: Page) => {
    const field = page.getByLabel("Text of the master file");
    return send(page, field, lines.join("\n"), "Look at the difference", page.getByText(shown));
  };
const good = ["beta A 192.0.2.70", "beta AAAA 2001:db8:70::1", "@ MX 30 beta", "docs 300 CNAME @"];
const wrong = ["$TTL 300", "beta A 192.0.2.70", "gamma A 192.0.2.300", "delta MX mail", "docs A 192.0.2.1"];

const isNarrow = (page: Page) => (page.viewportSize()?.width ?? 0) < 640;

export const sheetScreens: readonly Screen[] = [
  ["sheet-long-names", `/console/zones/${longZone}`, "", sheet],
  ["sheet-no-match", `${zonePath}?q=none-has-this`, "Clear filter"],
  ...screensAt(zonePath, "", {
    sheet,
    "sheet-staged": stage,
    "sheet-wrong": async (page) => {
      const user = await stage(page);
      await user.addWrong("mail3", "A", "192.0.2.300");
      await user.addWrong("www", "A", "192.0.2.1");
      await page.locator("[aria-invalid=true]").first().waitFor();
      await page
        .getByText(/is wrong|are wrong/)
        .first()
        .waitFor();
    },
    "sheet-pasted": async (page) => {
      const user = await sheet(page);
      await user.paste("press A 192.0.2.61\npress2 A 192.0.2.300\nmail.globex.example. A 192.0.2.62\n");
      await page.getByText("3 rows added to your edits, 2 are wrong.").waitFor();
    },
    composer: async (page) => {
      const user = await sheet(page);
      if (isNarrow(page)) return clicked("Record")(page);
      await user.add("_sip._tcp", "SRV", "10 60 5060x sip");
      await user.field("port").and(page.locator(":focus")).waitFor();
    },
    "composer-types": async (page) => {
      const user = await sheet(page);
      if (isNarrow(page)) return;
      await user.write("www", "A", "");
      await user.press("Shift+Tab", "Shift+Tab");
      await user.type("c");
      await page.getByRole("listbox").waitFor();
    },
    "sheet-editing": async (page) => {
      const user = await sheet(page);
      await find(user, "vpn");
      await page.keyboard.press("F2");
      await user.type("203.0.113.70");
    },
    "sheet-selected": selectHosts,
    "form-mx": form("10 mail1"),
    "form-txt": form("DKIM"),
    "form-https": form("alpn"),
    "form-caa": form("letsencrypt"),
    "form-several": async (page) => {
      await (await selectHosts(page)).press("Alt+Enter");
      await page.getByRole("dialog").waitFor();
    },
    review,
    "review-sides": async (page) => {
      await review(page);
      if (!isNarrow(page)) await page.getByRole("button", { name: "side by side" }).click();
    },
    "review-refused": async (page) => {
      const user = await sheet(page);
      await user.add("careers", "CNAME", "jobs.hosting.example.");
      await user.addWrong("www", "A", "192.0.2.1");
      await user.press("Control+Enter");
      await page.getByText("1 edit is wrong").waitFor();
    },
    propose: async (page) => {
      const user = await sheet(page);
      await user.add("press", "CNAME", "press.hosting.example.");
      await user.review();
      await clicked("Ask for review…")(page);
      await page.getByLabel("Change", { exact: true }).waitFor();
    },
    progress: async (page, company) => {
      await company.restoreMain();
      await page.reload();
      const user = await review(page);
      await user.apply();
      await page.getByText(/^2 of 2 serve it/).waitFor();
    },
    "sheet-notes": async (page) => {
      const user = await openNote(page);
      await page
        .getByLabel("Note", { exact: true })
        .fill("Both are ours; ask the network team before a third is added here.");
      // Seen a second time in one service, the note is there already.
      await user
        .button(/^Save the note$|^Cancel$/)
        .and(page.locator(":enabled"))
        .last()
        .click();
      await page.getByRole("dialog", { name: /^Note of/ }).waitFor({ state: "detached" });
      const opened = page.getByRole("dialog");
      if ((await opened.count()) > 0) await opened.getByRole("button", { name: "Cancel" }).click();
      await page.getByTitle("Both are ours").first().waitFor();
      await page.locator("[role=gridcell][data-active]").focus();
      await user.add("text", "TXT", "v=spf1");
      await page.getByText("which names no sender").first().waitFor();
      await user.addWrong("bad", "A", "192.0.2.300");
      await page.getByText("is wrong").waitFor();
    },
    "sheet-note": openNote,
    lost: async (page) => {
      const user = await sheet(page);
      await user.add("careers", "CNAME", "jobs.hosting.example.");
      await intercept(page, "**/readyz", (route) => route.abort());
      await intercept(page, "**/graphql", (route) => route.abort());
      await page.getByRole("link", { name: "History" }).last().click();
      await page.getByText("No answer since").first().waitFor();
    },
  }),
  ...screensAt(`/console/zones/${conflictZone}`, "", {
    "sheet-conflict": async (page, company) => {
      const user = await sheet(page);
      await find(user, "box");
      await user.press("F2", "Control+a");
      await user.type("192.0.2.2");
      await user.press("Enter");
      await company.changeElsewhere();
      await user.button("Take theirs").first().waitFor();
    },
    "quota-exceeded": async (page) => {
      const user = await sheet(page);
      for (const berth of ["one", "two", "three"]) await user.add(`berth-${berth}`, "A", "198.51.100.46");
      await user.press("Control+Enter");
      await page.getByRole("alert").getByText("The quota of mira@").waitFor();
    },
  }),
  ...screensAt(`${zonePath}/text`, "As it is committed.", {
    "zone-text": undefined,
    "zone-text-refused": async (page) => {
      const area = page.getByLabel(`Master file of ${mainZone}`);
      const text = `${await area.inputValue()}b A x\n`;
      await send(page, area, text, "Review and save", page.getByText("Nothing was changed."));
    },
  }),
  ...screensAt(`${zonePath}?import=1`, "Look at the difference", {
    import: undefined,
    "import-difference": imported("beta", "$TTL 300", ...good),
    "import-comments": imported("beta", "; old", "", "@ SOA a b 1 2 3 4 5", "; for tests", ...good),
    "import-refused": imported("line 3", ...wrong),
  }),
];
