/** What a sheet shows: order, filter, the places of new rows, and where the reasons of a refusal are. */
import { describe, expect, test } from "@jest/globals";
import { inputOf, placeReasons, ttlProblem } from "../../../../console/sheet/apply/input.ts";
import { add, countStaged, type Draft, emptyDraft, remove, write } from "../../../../console/sheet/draft/draft.ts";
import { outcomeOf } from "../../../../console/sheet/draft/outcome.ts";
import { Records } from "../../../../console/sheet/records/records.ts";
import { parseTtl, type StoredRow, ttlWords, valuesOf } from "../../../../console/sheet/records/row.ts";
import type { Filter } from "../../../../console/sheet/view/filter.ts";
import { actedOn, extend, noSelection, selectAll, toggle } from "../../../../console/sheet/view/selection.ts";
import { apexOf, folded, type Sort, soaWords, viewOf } from "../../../../console/sheet/view/view.ts";
import { noFilter, Scene, zone } from "./scene.ts";

function shown(draft: Draft, records: Records, filter: Partial<Filter> = {}, sort?: Sort) {
  const outcome = outcomeOf(draft, records, 3600);
  const wrong = new Set(["n1"]);
  return viewOf(records, draft, { filter: { ...noFilter, ...filter }, sort, outcome, wrong, defaultTtl: 3600 });
}
const texts = (view: ReturnType<typeof shown>) =>
  view.rows.map(({ state, values: { owner, type, rdata } }) => `${state} ${owner} ${type} ${rdata.split(" ")[0]}`);
const values = { owner: "new", type: "A", ttl: "", rdata: "192.0.2.7" };

const row = (owner: string, type = "A", rdata = "192.0.2.1"): StoredRow => ({
  id: `${owner} ${type} ${rdata}`,
  owner,
  type,
  ttl: 300,
  rdata,
});

test("the order is the apex first, then natural by owner, type and data, however the pages arrive", () => {
  const expected = [
    ...[row("@", "SOA"), row("@", "NS"), row("@", "A"), row("host2"), row("host10", "A", "192.0.2.9")],
    ...[row("host10", "A", "192.0.2.10"), row("host10", "MX"), row("host010a"), row("www")],
  ];
  const records = new Records(zone);
  const mixed = expected.toSorted(
    (a, b) => ((a.id.length * 7 + a.id.charCodeAt(3)) % 5) - ((b.id.length * 7 + b.id.charCodeAt(3)) % 5),
  );
  for (let at = 0; at < mixed.length; at += 2) records.put(mixed.slice(at, at + 2));
  expect(records.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
  records.put([{ ...row("host2"), owner: "zz" }]);
  expect(records.rows.at(-1)?.owner).toBe("zz");
  expect(records.size).toBe(expected.length);
  expect(records.rrset("host10 A").map(({ rdata }) => rdata)).toEqual(["192.0.2.9", "192.0.2.10"]);
});

describe("a new row", () => {
  test("is in its place below a row, among others by its name, whatever filter or sort is on", () => {
    const scene = new Scene();
    const mail = scene.row("mail 300 A 192.0.2.3").id;
    scene.change((draft, records) =>
      add(draft, records, mail, [
        { key: "n1", values },
        { key: "n2", values: { ...values, owner: "n2" } },
      ]),
    );
    scene.change((draft, records) => add(draft, records, mail, [{ key: "n3", values: { ...values, owner: "n3" } }]));
    const names = (view: ReturnType<typeof shown>) => view.rows.map(({ values: { owner } }) => owner);
    expect(names(shown(scene.draft, scene.records))).toEqual(["@", "@", "@", "mail", "n3", "new", "n2", "www", "www"]);
    const sorted = names(shown(scene.draft, scene.records, {}, { column: "rdata", descending: true }));
    expect(sorted.slice(sorted.indexOf("mail"), sorted.indexOf("mail") + 4)).toEqual(["mail", "n3", "new", "n2"]);
    expect(names(shown(scene.draft, scene.records, { text: "www" }))).toEqual(["n3", "new", "n2", "www", "www"]);
    scene.foreign({ remove: [mail] }, ["mail"]);
    expect(names(shown(scene.draft, scene.records)).slice(0, 3)).toEqual(["n3", "new", "n2"]);
  });

  test("has the TTL of its RRset, or the default, and one with a TTL of its own moves the RRset", () => {
    const scene = new Scene();
    const ttlOf = (key: string) => shown(scene.draft, scene.records).rows.find((row) => row.key === key)?.ttl;
    scene.change((draft, records) =>
      add(draft, records, null, [
        { key: "n1", values: { ...values, owner: "mail" } },
        { key: "n2", values },
      ]),
    );
    expect([ttlOf("n1"), ttlOf("n2")]).toEqual([300, 3600]);
    scene.change((draft, records) => write(draft, records, "n1", { ...values, owner: "mail", ttl: "15m" }));
    const moved = shown(scene.draft, scene.records).rows.find(({ state }) => state === "moved");
    expect([ttlOf("n1"), moved?.values.rdata, moved?.ttl]).toEqual([900, "192.0.2.3", 900]);
    expect(texts(shown(scene.draft, scene.records, { show: "staged" }))).toHaveLength(3);
    expect(countStaged(scene.draft)).toBe(3);
  });
});

test("a TTL that is written into one staged row is that of its RRset in all of them", () => {
  const scene = new Scene();
  const two = ["n1", "n2"].map((key, at) => ({ key, values: { ...values, ttl: "300", rdata: `192.0.2.${at}` } }));
  scene.change((draft, records) => add(draft, records, null, two));
  scene.change((draft, records) => write(draft, records, "n1", { ...values, ttl: "900", rdata: "192.0.2.0" }));
  expect(inputOf(scene.draft, 1).input.add.map(({ ttl }) => ttl)).toEqual([900, 900]);
  expect(scene.apply()).toBe(true);
});

describe("the filter", () => {
  test.each([
    ["bücher", ["xn--bcher-kva", "Bücher", "link"]],
    ["BÜCH", ["xn--bcher-kva", "Bücher", "link"]],
    ["xn--bcher", ["xn--bcher-kva", "Bücher", "link"]],
    ["xn--bcher-kva.example.net", ["link"]],
    ["bücher.example", ["xn--bcher-kva", "Bücher", "link"]],
    ["例え", ["link2"]],
    ["xn--99999999", ["xn--99999999"]],
    ["ü/x", ["slash"]],
  ])("finds %s in Unicode and as A-labels", (text, owners) => {
    const records = new Records(zone);
    const row = (owner: string, type: string, rdata: string) => ({ id: owner, owner, type, ttl: 300, rdata });
    records.replaceAll([
      row("xn--bcher-kva", "A", "192.0.2.1"),
      row("link", "CNAME", "b.xn--bcher-kva.example.net."),
      row("link2", "CNAME", "xn--r8jz45g.example."),
      row("xn--99999999", "A", "192.0.2.2"),
      row("slash", "TXT", '"ü/x"'),
      row("books", "TXT", '"bucher"'),
    ]);
    const staged = { owner: "Bücher", type: "A", ttl: "", rdata: "192.0.2.9" };
    const { rows } = shown(write(emptyDraft(zone), records, "books", staged), records, { text });
    expect(rows.map((each) => each.values.owner).sort()).toEqual(owners.toSorted());
  });

  test.each([
    ["ftp.example.com", ["ftp"]],
    ["FTP.example.com.", ["ftp"]],
    ["ftp.exa", ["ftp"]],
    ["p.example.com", ["ftp"]],
    ["a.b.example.com", ["a.b"]],
    ["example.com", ["@", "link"]],
    ["example.com.", ["@", "link"]],
    ["link.example.com", ["link"]],
    ["tp.other.com", []],
    ["bücher.example.com", ["xn--bcher-kva"]],
    ["xn--bcher-kva.example.com.", ["xn--bcher-kva"]],
  ])("finds %s by the full name of its owner", (text, owners) => {
    const records = new Records(zone);
    const row = (owner: string, rdata = "192.0.2.1") => ({ id: owner, owner, type: "A", ttl: 300, rdata });
    const names = ["@", "ftp", "b", "a.b", "xn--bcher-kva", "linkage"];
    records.replaceAll([...names.map((name) => row(name)), row("link", "www.example.com.")]);
    const { rows } = shown(emptyDraft(zone), records, { text });
    expect(rows.map((each) => each.values.owner).sort()).toEqual(owners.toSorted());
  });

  test("finds part of the owner or the data, and says which staged rows it hides", () => {
    const scene = new Scene();
    const row = scene.row("www 3600 A 192.0.2.1");
    scene.change((draft, records) => remove(draft, records, [scene.row("mail 300 A 192.0.2.3").id]));
    scene.change((draft, records) => write(draft, records, row.id, { ...valuesOf(row), owner: "other" }));
    const view = shown(scene.draft, scene.records, { text: "WWW 2." });
    expect(texts(view)).toEqual(["changed other A 192.0.2.1", "stored www A 192.0.2.2"]);
    expect(view.hiddenStaged).toBe(1);
    expect(texts(shown(scene.draft, scene.records, { type: "MX" }))).toEqual(["stored @ MX 10"]);
    expect(texts(shown(scene.draft, scene.records, { show: "staged" }))).toHaveLength(2);
    expect(texts(shown(scene.draft, scene.records, { show: "wrong" }))).toEqual([]);
  });
});

test("SOA and NS of the apex fold to one row until one of them is edited", () => {
  const scene = new Scene();
  const rowsOf = (draft: Draft) => {
    const { rows } = shown(draft, scene.records);
    return texts({ rows: folded(rows, apexOf(rows, zone)), hiddenStaged: 0 }).slice(0, 2);
  };
  expect(rowsOf(scene.draft)).toEqual(["stored @ SOA NS ns1.example.net.", "stored @ MX 10"]);
  const [soa, ns] = scene.records.rows;
  expect(soa && soaWords(soa)).toBe("serial 1 · refresh 3 h · negative answers 1 h");
  const unfolded = ["stored @ SOA ns1.example.net.", "removed @ NS ns1.example.net."];
  expect(rowsOf(remove(scene.draft, scene.records, [ns?.id ?? ""]))).toEqual(unfolded);
  const server = { owner: `${zone}.`, type: "ns", ttl: "", rdata: "ns2" };
  const withServer = add(scene.draft, scene.records, ns?.id ?? "", [{ key: "n0", values: server }]);
  expect(rowsOf(withServer)).toEqual([unfolded[0], "stored @ NS ns1.example.net."]);
});

test("the reasons of a refusal are at their rows and cells, and those of no row are apart", () => {
  const scene = new Scene();
  const id = scene.row("mail 300 A 192.0.2.3").id;
  scene.change((draft, records) =>
    add(draft, records, null, [
      { key: "n0", values },
      { key: "n1", values: { ...values, rdata: "x" } },
    ]),
  );
  scene.change((draft, records) => remove(draft, records, [id]));
  const { keys } = inputOf(scene.draft, 1);
  const placed = placeReasons(
    [
      { code: "INVALID_RDATA", field: "add.1.rdata", message: 'rdata "x" is wrong.' },
      { code: "NOT_FOUND", field: "remove.0", message: "there is no record." },
      { code: "RECORD_CONFLICT", field: "owner", message: "The last NS." },
      { code: "RECORD_CONFLICT", message: "Another." },
    ],
    keys,
  );
  expect([...placed.rows]).toEqual([
    ["n1", [{ column: "rdata", message: 'Data "x" is wrong.' }]],
    [id, [{ column: undefined, message: "there is no record." }]],
  ]);
  expect(placed.rest).toEqual(["The last NS.", "Another."]);
});

test("a TTL is seconds, or numbers with units, and shows its unit", () => {
  const texts = ["300", "5m", "1h30m", "1D", "1w", "x", "-1", "2147483648", "1.5"];
  const none = undefined;
  expect(texts.map(parseTtl)).toEqual([300, 300, 5400, 86_400, 604_800, none, none, none, none]);
  expect([3600, 5400, 61, 86_400, 1, 1_209_600].map(ttlWords)).toEqual([
    ...["1 hour", "90 minutes", "61 seconds", "1 day", "1 second", "2 weeks"],
  ]);
  expect([ttlProblem(""), ttlProblem("1h")]).toEqual([undefined, undefined]);
  expect(ttlProblem("soon")).toContain('"soon" is not a TTL');
});

test("a selection grows by ranges in the order that is shown, and an action is about what is shown of it", () => {
  const list = ["a", "b", "c", "d"];
  const range = extend(toggle(noSelection, "b"), list, "b", "d");
  expect([...range.keys]).toEqual(["b", "c", "d"]);
  expect([...extend(range, list, "d", "a").keys]).toEqual(["a", "b"]);
  expect(actedOn(selectAll(list), ["c", "d"], "c")).toEqual(["c", "d"]);
  expect(actedOn(noSelection, list, "c")).toEqual(["c"]);
  expect([...toggle(range, "c").keys]).toEqual(["b", "d"]);
});
