/** The difference of a review, from what a dry run removes and adds, and its texts. */
import { expect, test } from "@jest/globals";
import { differenceOf } from "../../../../console/difference/difference.ts";
import { setLossWords } from "../../../../console/difference/loss.ts";
import { inputOf } from "../../../../console/sheet/apply/input.ts";
import { add, remove, write } from "../../../../console/sheet/draft/draft.ts";
import { valuesOf } from "../../../../console/sheet/records/row.ts";
import { diffText, graphqlText, nsupdateText, zoneFileText } from "../../../../console/sheet/review/difference-text.ts";
import { Scene, zone } from "../sheet/scene.ts";

const soa = (serial: number, ttl = 3600) => ({ owner: "@", type: "SOA", ttl, rdata: `a. b. ${serial} 1 2 3 4` });
const a = (owner: string, last: number, ttl: number) => ({ owner, type: "A", ttl, rdata: `192.0.2.${last}` });

/** www .1 is now .10 with another TTL, which moves .2; mail goes, and new comes. */
function edited() {
  const scene = new Scene();
  const www = scene.row("www 3600 A 192.0.2.1");
  const values = { owner: "new", type: "A", ttl: "", rdata: "192.0.2.7" };
  scene.change((draft, records) =>
    write(draft, records, www.id, { ...valuesOf(www), ttl: "300", rdata: "192.0.2.10" }),
  );
  scene.change((draft, records) => remove(draft, records, [scene.row("mail 300 A 192.0.2.3").id]));
  scene.change((draft, records) => add(draft, records, null, [{ key: "n1", values }]));
  const other = scene.row("www 3600 A 192.0.2.2").id;
  const id = (row: ReturnType<typeof a>, recordId: string) => ({ ...row, recordId });
  const removed = [a("mail", 3, 300), id(a("www", 1, 3600), www.id), id(a("www", 2, 3600), other)];
  const added = [a("new", 7, 3600), id(a("www", 10, 300), www.id), id(a("www", 2, 300), other)];
  return { scene, lines: differenceOf(removed, added, (id) => scene.draft.edits.has(id)) };
}

test("an edited record is one line, and one that moves with its RRset says so", () => {
  const { lines } = edited();
  expect(lines).toMatchObject([
    { kind: "remove", row: a("mail", 3, 300) },
    { kind: "change", from: a("www", 1, 3600), row: a("www", 10, 300), moves: false },
    { kind: "change", from: a("www", 2, 3600), row: a("www", 2, 300), moves: true },
    { kind: "add", row: a("new", 7, 3600) },
  ]);
  expect(differenceOf([soa(1)], [soa(2, 300)])).toHaveLength(1);
});

const deletion = (zone: string, recordCount: number) => ({ ...loss(zone, recordCount, recordCount), isDeletion: true });
const loss = (zone: string, lostCount: number, recordCount: number) => ({
  zone,
  isDeletion: false,
  lostCount,
  recordCount,
  isLarge: true,
});

test.each([
  ["nothing", 0, [], undefined],
  ["a deletion", 1, [deletion("a.example", 1)], "delete a.example with its 1 record"],
  [
    "both",
    1,
    [deletion("xn--bcher-kva.example", 1200), loss("b.example", 4000, 4012)],
    "delete bücher.example with its 1,200 records, and remove 4,000 of 4,012 records (100 %) of b.example",
  ],
  [
    "more zones than are listed",
    120,
    Array.from({ length: 100 }, (_, at) => deletion(`${at}.example`, 4)),
    `delete ${[0, 1, 2, 3, 4].map((at) => `${at}.example with its 4 records`).join(", ")}, and 115 more zones, and remove much of 7 zones`,
  ],
])("what a change set takes away, in words: %s", (_, deletedZoneCount, largeLosses, words) => {
  const largeLossCount = largeLosses.length === 100 ? 127 : largeLosses.length;
  expect(setLossWords({ deletedZoneCount, largeLossCount, largeLosses })).toBe(words);
});

test("the difference as a diff, a master file, a GraphQL request and input of nsupdate", () => {
  const { scene, lines } = edited();
  expect(diffText(lines)).toBe(
    "-mail 300 IN A 192.0.2.3\n-www 3600 IN A 192.0.2.1\n+www 300 IN A 192.0.2.10\n" +
      "-www 3600 IN A 192.0.2.2\n+www 300 IN A 192.0.2.2\n+new 3600 IN A 192.0.2.7\n",
  );
  expect(zoneFileText(lines)).toBe(
    "www\t300\tIN\tA\t192.0.2.10\nwww\t300\tIN\tA\t192.0.2.2\nnew\t3600\tIN\tA\t192.0.2.7\n",
  );
  expect(nsupdateText(zone, lines)).toBe(
    "zone example.com.\nupdate delete mail.example.com. A 192.0.2.3\nupdate delete www.example.com. A 192.0.2.1\n" +
      "update add www.example.com. 300 A 192.0.2.10\nupdate delete www.example.com. A 192.0.2.2\n" +
      "update add www.example.com. 300 A 192.0.2.2\nupdate add new.example.com. 3600 A 192.0.2.7\nsend\n",
  );
  const { input } = inputOf(scene.draft, 1);
  expect(JSON.parse(graphqlText(input)).variables.input).toEqual(JSON.parse(JSON.stringify(input)));
});
