/**
 * The difference of a review, from what a dry run removes and adds, and its texts.
 */
import { expect, test } from "@jest/globals";
import { differenceOf, isLargeRemoval } from "../../../../console/difference/difference.ts";
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
  const removed = [soa(1), a("mail", 3, 300), id(a("www", 1, 3600), www.id), id(a("www", 2, 3600), other)];
  const added = [soa(2), a("new", 7, 3600), id(a("www", 10, 300), www.id), id(a("www", 2, 300), other)];
  return { scene, lines: differenceOf(removed, added, (id) => scene.draft.edits.has(id)) };
}

test("an edited record is one line, one that moves with its RRset says so, and the serial is not a line", () => {
  const { lines } = edited();
  expect(lines).toMatchObject([
    { kind: "remove", row: a("mail", 3, 300) },
    { kind: "change", from: a("www", 1, 3600), row: a("www", 10, 300), moves: false },
    { kind: "change", from: a("www", 2, 3600), row: a("www", 2, 300), moves: true },
    { kind: "add", row: a("new", 7, 3600) },
  ]);
  expect(differenceOf([soa(1)], [soa(2, 300)])).toHaveLength(1);
});

test("many removals are a question above 30 % of the records and 10 of them", () => {
  const lines = (count: number) =>
    differenceOf(
      Array.from({ length: count }, (_, at) => a("x", at, 1)),
      [],
    );
  const asked = [isLargeRemoval(lines(11), 30), isLargeRemoval(lines(11), 100), isLargeRemoval(lines(10), 11)];
  expect(asked).toEqual([true, false, false]);
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
