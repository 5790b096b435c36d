/** What comes into a sheet: pasted text of four forms, fifty thousand records, strings that look like markup, and data through the form. */
import { describe, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { testConsole } from "../../setup/browser/console-browser.ts";
import { zonePerTest } from "../../setup/service/zone-per-test.ts";

const { test, service, browser } = testConsole();
let [zone, owner] = ["", ""];

zonePerTest(service, "data", (...begun) => {
  [zone, owner] = begun;
});

const open = () => browser.sheet(zone);
const stored = (name: string) => service.stored(zone, name);

describe("pasting", () => {
  test("a whole master file", async () => {
    const user = await open();
    await user.paste("$TTL 3600\none 300 A 192.0.2.1\ntwo MX (\n 10\n one )\n");
    await user.page.getByText("2 rows added to your edits.").waitFor();
    await user.commit();
    expect([await stored("one"), await stored("two")]).toEqual([
      ["one A 300 192.0.2.1"],
      [`two MX 3600 10 one.${zone}.`],
    ]);
  });

  test("rows that were copied from another zone, of which one is there already", async () => {
    const source = zone;
    await service.record(source, "copied", "A", "192.0.2.1", 300);
    await service.record(source, "mail", "MX", "10 mail.example.net.");
    zone = `target-${zone}`;
    await service.domain(zone, owner);
    await service.record(zone, "mail", "MX", "10 mail.example.net.");
    const user = await browser.sheet(`${source}?q=192.0.2.1`);
    await user.page.getByLabel("Filter records").fill("example.net");
    await user.row("10 mail.example.net.").waitFor();
    await user.page.getByLabel("Filter records").fill("");
    await user.row("copied").getByRole("checkbox").check();
    await user.row("10 mail.example.net.").getByRole("checkbox").check();
    await user.press("Control+c");
    await user.page.getByText("2 rows copied.").waitFor();
    await user.page.goto(`${service.url}/console/zones/${zone}`);
    await user.ready();
    await user.press("Control+v");
    await user.page.getByText("1 row added to your edits. 1 was there already and is left out.").waitFor();
    await user.commit();
    expect(await stored("copied")).toEqual(["copied A 300 192.0.2.1"]);
  });

  test("names of several labels are of the zone in lines of a master file, which is said", async () => {
    const user = await open();
    await user.paste("one CNAME host.sub\ntwo MX 10 mail.example.net.\n");
    await user.page
      .getByRole("status", { name: "Results" })
      .getByText(`host.sub is relative and became host.sub.${zone}.; end it with a dot if it is a full name.`)
      .waitFor();
    // The notice covers no row.
    const [notice, grid] = [
      user.page.getByText("host.sub is relative"),
      user.page.getByRole("grid").getByRole("presentation"),
    ];
    const { y: top = -1 } = (await notice.boundingBox()) ?? {};
    const { y = Number.POSITIVE_INFINITY, height = 0 } = (await grid.boundingBox()) ?? {};
    expect(top).toBeGreaterThanOrEqual(y + height);
    await user.commit();
    await user.page.getByText("host.sub is relative").waitFor({ state: "detached" });
    expect([await stored("one"), await stored("two")]).toEqual([
      [`one CNAME 3600 host.sub.${zone}.`],
      ["two MX 3600 10 mail.example.net."],
    ]);
  });

  test("a refused line is staged at its row with its reason, is corrected there, and all is applied", async () => {
    const user = await open();
    const lines = Array.from({ length: 20 }, (_, at) => `p${at} A ${at === 7 ? "192.0.2.300" : `192.0.2.${at}`}`);
    await user.paste(`$TTL 300\n${lines.join("\n")}\n`);
    await user.page.getByText("20 rows added to your edits, 1 is wrong.").waitFor();
    await user.button("Wrong 1").click();
    await user
      .row("192.0.2.300")
      .getByText(/write an IPv4 address/)
      .waitFor();
    await user.cell("192.0.2.300").click();
    await user.press("F2");
    await user.type("192.0.2.7");
    await user.press("Enter");
    await user.button("1 is wrong").waitFor({ state: "detached" });
    await user.commit();
    expect(await stored("p7")).toEqual(["p7 A 300 192.0.2.7"]);
    expect(await stored("p8")).toEqual(["p8 A 300 192.0.2.8"]);
  });

  test("a line that is no record and one that the zone refuses are staged beside the good ones", async () => {
    await service.record(zone, "alias", "CNAME", "host", 300);
    const user = await open();
    await user.row("alias").waitFor();
    await user.paste("good 300 IN A 192.0.2.1\nbad IN A 192.0.2.300\nalias 300 IN A 192.0.2.2\n");
    await user.page.getByText("3 rows added to your edits, 1 is wrong.").waitFor();
    // The zone is asked when each row is well formed.
    await user.row("192.0.2.300").getByRole("button", { name: "Remove" }).click();
    await user
      .row("192.0.2.2")
      .getByText(/^✕ .*CNAME/)
      .waitFor();
    await user.page.getByRole("status").filter({ hasText: "2 edits 2 added" }).waitFor();
  });

  test("cells of a spreadsheet: an empty name is the apex, good rows are staged and bad ones marked", async () => {
    const user = await open();
    const rows = ["\tTXT\t300\ta (b)", "w\tA\t300\t192.0.2.1", "\tA\t300\t192.0.2.2"];
    await user.paste([...rows, "empty\tA\t300\t", "odd\tA?\t300\t192.0.2.3"].join("\n"));
    await user.page.getByText("5 rows added to your edits, 2 are wrong.").waitFor();
    await user.button("Show the wrong rows").click();
    await user
      .row("empty")
      .getByText(/^✕ Data is missing|^✕ .*IPv4/)
      .waitFor();
    await user
      .row("odd")
      .getByText(/^✕ .*A\?/)
      .waitFor();
    await user.row("empty").getByRole("checkbox").check();
    await user.row("odd").getByRole("checkbox").check();
    await user.page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
    await user.page.getByRole("status").filter({ hasText: "3 edits 3 added" }).waitFor();
    await user.commit();
    expect([await stored("@"), await stored("w")]).toEqual([
      expect.arrayContaining(['@ TXT 300 "a (b)"', "@ A 300 192.0.2.2"]),
      ["w A 300 192.0.2.1"],
    ]);
  });

  test("more rows than a change takes are an import", async () => {
    const user = await open();
    await user.paste(Array.from({ length: 1001 }, (_, at) => `p${at} A 192.0.2.1`).join("\n"));
    await user.page.getByText("That is 1,001 records. Import them as a file?").waitFor();
    await user.button("Import").click();
    await user.button("Look at the difference").click();
    await user.button("Import +1,001 −0").click();
    await user.page.getByText(/^Imported as/).waitFor();
  });
});

describe("what was pasted is said over the grid until the next edit", () => {
  test("and is undone in one step; without a record nothing is staged", async () => {
    const user = await open();
    await service.record(zone, "there", "A", "192.0.2.1", 300);
    await user.row("there").waitFor();
    await user.paste("Host,Type,TTL,Value\nthere,A,300,192.0.2.1\n,MX,,10 there\nbad,A,,192.0.2.300\n");
    const line = user.page.getByText("2 rows added to your edits, 1 is wrong. 1 was there already and is left out.");
    await line.waitFor();
    await user.press("Delete");
    await line.waitFor({ state: "detached" });
    await user.press("Control+z");
    await line.waitFor();
    await user.button("Undo paste").click();
    await user.page
      .getByRole("status")
      .filter({ hasText: /\d edits? \d/ })
      .waitFor({ state: "detached" });
    await user.paste("Dear all,\nthe records follow.");
    await user.page.getByText("No record found in what was pasted. Write name, type and data in each line.").waitFor();
    expect(
      await user.page
        .getByRole("status")
        .filter({ hasText: /\d edits? \d/ })
        .count(),
    ).toBe(0);
  });

  test("names of another zone are wrong, and are made relative", async () => {
    const user = await open();
    await user.paste("www.globex.example. A 192.0.2.1\nglobex.example. A 192.0.2.2\n");
    await user.page.getByText("2 rows added to your edits, 2 are wrong.").waitFor();
    await user.button("Make them relative").click();
    await user.row("192.0.2.2").getByText("@", { exact: true }).waitFor();
    // The name is that of a CNAME, which the whole zone is asked about.
    await user.button("1 is wrong").waitFor();
    await user.button("Make them relative").waitFor({ state: "detached" });
  });

  test("one column fills the cells that are selected, or is more records of the one", async () => {
    for (const last of [1, 2]) await service.record(zone, `box${last}`, "A", `192.0.2.${last}`, 300);
    const user = await browser.sheet(`${zone}?q=box`);
    await user.row("box2").waitFor();
    await user.cell("box1").click();
    await user.press("Control+a");
    await user.paste("192.0.2.8\n192.0.2.9");
    await user.page.getByText("2 rows changed.").waitFor();
    await user.row("box2").getByText("192.0.2.9", { exact: true }).waitFor();
    await user.press("Escape");
    await user.paste("192.0.2.6\n192.0.2.7");
    await user.page.getByText("2 rows added to your edits.").waitFor();
    await user.commit();
    expect(await stored("box%")).toEqual([
      ...["box1 A 300 192.0.2.6", "box1 A 300 192.0.2.7", "box1 A 300 192.0.2.8", "box2 A 300 192.0.2.9"],
    ]);
  });

  test("several lines that are pasted into the composer are rows", async () => {
    const user = await open();
    await user.press("Alt+n");
    await user.paste("one A 192.0.2.1\ntwo A 192.0.2.2");
    await user.page.getByText("2 rows added to your edits.").waitFor();
    await user.write("three", "A", "");
    await user.paste("192.0.2.3\n192.0.2.4");
    await user.page.getByRole("status").filter({ hasText: "4 edits 4 added" }).waitFor();
    expect(await user.row("three").count()).toBe(2);
  });
});

test("names in Unicode are written, found and shown as well as their A-labels", async () => {
  await service.record(zone, "xn--bcher-kva", "A", "192.0.2.1", 300);
  const user = await open();
  await user.add("Bücher", "AAAA", "2001:db8::1");
  await user.page.getByText("→ xn--bcher-kva").waitFor();
  await user.add("link", "CNAME", "例え.example.");
  await user.page.getByText("→ xn--r8jz45g.example.").waitFor();
  await user.press("ArrowDown");
  await user.commit();
  await user.back();
  expect(await stored("xn--bcher-kva")).toEqual([
    "xn--bcher-kva A 300 192.0.2.1",
    "xn--bcher-kva AAAA 3600 2001:db8::1",
  ]);
  await user.page.keyboard.press("/");
  await user.type("bücher");
  await user.page.getByText(/^2 of \d+ records$/).waitFor();
  expect(await user.cell("192.0.2.1", "owner").innerText()).toMatch(/xn--bcher-kva\s+bücher/);
  await user.page.getByLabel("Filter records").fill("例え");
  expect(await user.cell("link").innerText()).toMatch(/xn--r8jz45g\.example\.\s+例え\.example\./);
  await user.page.getByLabel("Filter records").fill("xn--bcher-kva");
  await user.page.getByText(/^2 of \d+ records$/).waitFor();
});

test("50,000 records are all there, found, and edited at both ends", async () => {
  const text = Array.from({ length: 50_000 }, (_, at) => `host${at} A 192.0.${at >> 8}.${at & 255}`).join("\n");
  const imported = await service.rest("POST", `/domain/zonefile/${zone}?mode=merge`, {
    body: text,
    headers: { "Content-Type": "text/dns" },
  });
  expect(imported.status).toBe(200);
  const user = await open();
  await user.page.getByRole("button", { name: "All 50,004", exact: true }).waitFor();
  await user.page.getByText(/ of 50,004$/).waitFor({ state: "detached" });
  expect(await user.page.getByRole("grid").getByRole("row").count()).toBeLessThan(60);
  await user.press("Control+End");
  await user.row("www").waitFor();
  await user.press("ArrowUp", "F2");
  await user.type("192.0.2.1");
  await user.press("Enter");
  await user.row("was 192.0.195.79").waitFor();
  await user.press("Control+Home");
  await user.row("SOA").waitFor();
  await user.add("added", "A", "192.0.2.2");
  await user.press("ArrowDown", "/");
  await user.type("host4999");
  await user.page.getByText("11 of 50,004 records").waitFor();
  await user.commit();
  expect([await stored("host49999"), await stored("added")]).toEqual([
    ["host49999 A 3600 192.0.2.1"],
    ["added A 3600 192.0.2.2"],
  ]);
});

test("the rows of an RRset have names that tell them apart, and the types at hand are those of the zone", async () => {
  const { page } = await open();
  await page.keyboard.press("ArrowRight");
  for (const server of ["ns1", "ns2"])
    expect(await page.getByLabel(`Select @ NS ${server}.zonesmith.example.`, { exact: true }).count()).toBe(1);
  const chips = page.getByRole("group", { name: "Records that are shown" }).getByRole("button");
  expect(await chips.allTextContents()).toEqual(["All 4", "NS 2", "CNAME 1", "SOA 1"]);
});

test("letters that come faster than the address follows are all in the filter", async () => {
  const user = await open();
  await user.press("/");
  await user.page.evaluate('for (const letter of "ns2.zone") document.execCommand("insertText", false, letter)');
  expect(await user.page.getByLabel("Filter records").inputValue()).toBe("ns2.zone");
  await user.page.getByText(/^1 of \d+ records$/).waitFor();
  await eventually(() => expect(new URL(user.page.url()).search).toBe("?q=ns2.zone"));
});

test("strings that look like markup are shown as text, also in refusals", async () => {
  const markup = "<img src=x onerror=alert(1)>";
  const key = await service.key({ name: `<b>${markup}</b>`, userId: owner });
  await service.record(zone, "text", "TXT", `"${markup} &amp; <script>alert(1)</script>"`);
  const user = await browser.sheet(zone, key);
  await user.row("<script>alert(1)</script>").getByText(markup).waitFor();
  await user.write("", "A", "192.0.2.1");
  await user.field("Name").fill(markup);
  await user.press("Enter");
  await user.page.locator("form [aria-invalid=true]:focus").waitFor();
  await user.press("Enter");
  await user.row(markup).getByText("✕").first().waitFor();
  await user.press("Control+Enter");
  await user.page.getByText("This cannot be applied as it is").first().waitFor();
  await user.page.getByRole("alert").getByText(markup).first().waitFor();
  await user.press("Escape");
  await user.button("Discard").click();
  await user.page
    .getByRole("status")
    .filter({ hasText: /\d edits? \d/ })
    .waitFor({ state: "detached" });
  await user.add("ok", "TXT", markup);
  await user.review();
  await user.page.getByLabel("What is this change?").fill(markup);
  await user.apply();
  expect(await stored("ok")).toEqual([`ok TXT 3600 "${markup}"`]);
  const [change] = await service.sql<{ note: string }>("select note from change order by id desc limit 1");
  expect(change?.note).toBe(markup);
  expect(await user.page.locator("main img").count()).toBe(0);
});

describe("the form", () => {
  test("is made of the fields of the type, spreads a pasted value, and keeps text and fields in step", async () => {
    const user = await open();
    await user.add("_sip._tcp", "SRV", "1 2 3 x");
    await user.page.getByLabel("Filter records").fill("_sip");
    await user.row("_sip._tcp").locator("[data-column=rdata]").dblclick();
    const dialog = user.page.getByRole("dialog");
    await dialog.getByRole("heading", { name: /^SRV · / }).waitFor();
    await dialog.getByLabel("priority").fill("");
    await user.paste("10 20 5060 sip.example.net.");
    await eventually(async () => expect(await dialog.getByLabel("port").inputValue()).toBe("5060"));
    await dialog.getByLabel("weight").fill("70000");
    await dialog.getByText(/65535/).last().waitFor();
    await dialog.getByText("✕").first().waitFor();
    await dialog.getByLabel("weight").fill("30");
    expect(await dialog.getByLabel("as text").inputValue()).toBe("10 30 5060 sip.example.net.");
    await dialog.getByLabel("as text").fill("10 40 5060 sip.example.net.");
    expect(await dialog.getByLabel("weight").inputValue()).toBe("40");
    await user.press("Enter");
    await user.commit();
    expect(await stored("_sip._tcp")).toEqual(["_sip._tcp SRV 3600 10 40 5060 sip.example.net."]);
  });

  test("marks the field that a refusal is about, in its words", async () => {
    const user = await open();
    const dialog = user.page.getByRole("dialog");
    for (const [owner, type, data, field, value, sentence] of [
      ["a", "MX", "10 mail", "exchange", "a..b", /^✕ exchange/],
      ["b", "SRV", "1 2 3 x", "port", "70000", /^✕ port is "70000"; write/],
      ["c", "SRV", "1 2 3 x", "weight", "", /^✕ weight is missing; write/],
      ["d", "CAA", '0 issue "ca.example"', "flags", "300", /^✕ flags is "300"; write/],
      ["e", "SVCB", "1 svc", "parameters", "port=x", /^✕ parameters/],
      ["f", "TXT", "text", "as text", '"text', /^✕ A quoted string is not closed/],
    ] as const) {
      await user.add(owner, type, data);
      await user.row(data).last().locator("[data-column=rdata]").dblclick();
      await dialog.getByLabel(field, { exact: true }).fill(value);
      await dialog.getByText(sentence).waitFor();
      const wrong = dialog.locator("[aria-invalid=true]");
      await eventually(async () => expect(await wrong.count()).toBe(1));
      expect(await dialog.getByLabel(field, { exact: true }).getAttribute("aria-invalid")).toBe("true");
      expect(await dialog.getByText("rdata").count()).toBe(0);
      // What is wrong comes before what it means.
      const [described] = (await wrong.getAttribute("aria-describedby"))?.split(" ") ?? [];
      expect(await dialog.locator(`[id="${described}"]`).innerText()).toMatch(sentence);
      await user.press("Escape");
      await dialog.waitFor({ state: "detached" });
    }
  });

  test("takes plain text of any length for a TXT, and a TTL with its unit", async () => {
    const user = await open();
    const text = `say "quoted" \\ ${"x".repeat(300)} é`;
    await user.add("key", "TXT", "old");
    await user.page.getByLabel("Filter records").fill("key");
    await user.row("key").locator("[data-column=rdata]").dblclick();
    const dialog = user.page.getByRole("dialog");
    await dialog.getByLabel("text", { exact: true }).fill(text);
    await dialog.getByLabel("TTL").fill("1h30m");
    await dialog.getByText("90 minutes").waitFor();
    await user
      .button(/^Stage/)
      .last()
      .click();
    await user.commit();
    const [line = ""] = await stored("key");
    expect(line).toMatch(/^key TXT 5400 "say \\"quoted\\" \\\\ x+" "x+ \\195\\169"$/);
    await user.back();
    await user.row("key").locator("[data-column=rdata]").dblclick();
    await eventually(async () => expect(await dialog.getByLabel("text", { exact: true }).inputValue()).toBe(text));
  });
});

test("a record says when it was last changed and by whom, and leads to that change", async () => {
  await service.record(zone, "recent", "A", "192.0.2.1");
  const user = await open();
  await user.row("recent").getByText("administrator").click();
  await user.page.waitForURL(/\/console\/changes\/\d+$/);
  await user.page.getByRole("row").filter({ hasText: "recent" }).waitFor();
});
