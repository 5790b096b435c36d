/**
 * The sheet, its dialogs, the import and the text as axe sees them: light and dark, 1280 and 320 pixels wide, where nothing scrolls
 * sideways.
 */
import { beforeAll } from "@jest/globals";
import { testWith } from "../../setup/basics/programs.ts";
import { testBrowser } from "../../setup/browser/console-browser.ts";
import { SheetUser } from "../../setup/browser/sheet-user.ts";
import { testService } from "../../setup/service/service.ts";

const test = testWith("chromium");
const service = testService();
const browser = testBrowser(service);
let owner = "";
let count = 0;

beforeAll(async () => {
  owner = await service.user("owner@example.com");
  const input = { name: "knot1", address: "127.0.0.1", port: 1, newTsigKey: "knot1.key" };
  await service.mutate("createSecondary", input, "secondary { id }");
});

interface Scene {
  readonly name: string;
  /** Below the path of the zone. */
  readonly path?: string;
  readonly open: (user: SheetUser, zone: string) => Promise<void>;
}

/** An added, a changed, a removed and a refused row. */
async function stageAll(user: SheetUser): Promise<void> {
  await user.add("added", "AAAA", "2001:DB8::1");
  await user.add("refused", "A", "192.0.2.300");
  await user.page.keyboard.press("Control+Home");
  for (const key of ["ArrowDown", "ArrowDown", "Delete"]) await user.page.keyboard.press(key);
  await user.page
    .getByText(/is not an IPv4|write an IPv4/)
    .first()
    .waitFor();
}

async function openForm(user: SheetUser, type: string, data: string): Promise<void> {
  await user.add("formed", type, data);
  await user.page.keyboard.press("/");
  await user.type("formed");
  await user.press("Enter", "Alt+Enter");
  await user.page.getByRole("dialog").waitFor();
}

const lines = (...texts: string[]) => texts.join("\n");

async function preview(user: SheetUser, text: string): Promise<void> {
  await user.page.getByLabel("Text of the master file").fill(text);
  await user.button("Look at the difference").click();
}

const scenes: readonly Scene[] = [
  { name: "what is staged", open: stageAll },
  {
    name: "the reasons of a refused review",
    open: async (user) => {
      await stageAll(user);
      await user.press("Control+Enter");
      await user.page.getByText("Refused. Nothing was changed.").first().waitFor();
    },
  },
  {
    name: "the review",
    open: async (user) => {
      await user.add("added", "TXT", "a text that is long enough for more than one line of a narrow window");
      await user.review();
    },
  },
  {
    name: "the review, side by side",
    open: async (user) => {
      await user.add("added", "A", "192.0.2.1");
      await user.page.keyboard.press("Control+Home");
      for (const key of ["ArrowDown", "ArrowDown", "Delete"]) await user.page.keyboard.press(key);
      await user.review();
      await user.button("side by side").click();
    },
  },
  {
    name: "a committed change",
    open: async (user) => {
      await user.add("added", "A", "192.0.2.1");
      await user.review();
      await user.apply();
    },
  },
  {
    name: "a conflict",
    open: async (user, zone) => {
      const id = await service.record(zone, "box", "A", "192.0.2.1");
      await user.row("box").waitFor();
      await user.page.keyboard.press("/");
      await user.type("box");
      await user.press("Enter", "End", "F2");
      await user.type("192.0.2.2");
      await user.press("Enter");
      await service.data("mutation ($id: ID!) { deleteRecord(input: { id: $id }) { deletedId } }", { id });
      await user.button("Add it again").waitFor();
    },
  },
  { name: "the form of an MX", open: (user) => openForm(user, "MX", "10 mail") },
  { name: "the form of a TXT", open: (user) => openForm(user, "TXT", "v=spf1 -all") },
  {
    name: "the form of several records",
    open: async (user) => {
      await user.page.keyboard.press("/");
      await user.type("ns");
      await user.press("Control+a", "Control+a", "Alt+Enter");
      await user.page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "no match",
    open: async (user) => {
      await user.page.keyboard.press("/");
      await user.type("none-has-this");
      await user.button("Clear the filter").waitFor();
    },
  },
  { name: "the import", path: "/import", open: (user) => user.button("Look at the difference").waitFor() },
  {
    name: "the difference of an import",
    path: "/import",
    open: async (user) => {
      await preview(user, lines("$TTL 300", "a A 192.0.2.1", "@ MX 10 a"));
      await user.button(/^Import \+/).waitFor();
    },
  },
  {
    name: "a refused import",
    path: "/import",
    open: async (user) => {
      await preview(user, lines("a A 192.0.2.1", "b A x"));
      await user.page.getByText("line 2").first().waitFor();
    },
  },
  {
    name: "the text, refused",
    path: "/text",
    open: async (user, zone) => {
      const area = user.page.getByLabel(`Master file of ${zone}`);
      await user.page.getByText("As it is committed.").waitFor();
      await area.fill(`${await area.inputValue()}b A x\n`);
      await user.button("Review and save").click();
      await user.page.getByText("Nothing was changed.").waitFor();
    },
  },
];

test.each(scenes)("$name", async ({ path = "", open }) => {
  const zone = `looks${count++}.example`;
  await service.domain(zone, owner);
  const watched = await browser.open(`/console/zones/${zone}${path}`);
  const user = new SheetUser(watched.page);
  if (path === "") await user.ready();
  await open(user, zone);
  await watched.expectAccessible();
  // The browser reports the refusal of an import.
  watched.forgive(/status of 422/);
});
