/** What several changes did together. */
import { expect, test } from "@jest/globals";
import type { DifferenceLine, DifferenceRow } from "../../../../console/difference/difference.ts";
import { type ChangedRecords, countsText, fold } from "../../../../console/difference/fold.ts";
import fc from "../../../setup/basics/property.ts";

/** A record as `id owner ttl type rdata`; `-` is no id. */
function record(line: string): DifferenceRow {
  const [id = "", owner = "", ttl = "", type = "", ...rdata] = line.split(" ");
  return { recordId: id === "-" ? null : id, owner, type, ttl: Number(ttl), rdata: rdata.join(" ") };
}

/** A change as lines that begin with + or −. */
const change = (...lines: string[]): ChangedRecords => ({
  removed: lines.filter((line) => line.startsWith("−")).map((line) => record(line.slice(1))),
  added: lines.filter((line) => line.startsWith("+")).map((line) => record(line.slice(1))),
});

const textOf = ({ owner, ttl, type, rdata }: DifferenceRow) => `${owner} ${ttl} ${type} ${rdata}`;
const signs = { add: "+", remove: "−" } as const;
const lineText = (line: DifferenceLine) =>
  line.kind === "change" ? `~${textOf(line.from)} > ${textOf(line.row)}` : `${signs[line.kind]}${textOf(line.row)}`;

test.each<[string, ChangedRecords[], string[]]>([
  ["an addition", [change("+1 www 300 A 192.0.2.1")], ["+www 300 A 192.0.2.1"]],
  [
    "an edit is one row",
    [change("−1 www 300 A 192.0.2.1", "+1 www 60 A 192.0.2.2")],
    ["~www 300 A 192.0.2.1 > www 60 A 192.0.2.2"],
  ],
  ["what came and went is not shown", [change("+1 www 300 A 192.0.2.1"), change("−1 www 300 A 192.0.2.1")], []],
  ["what went and came back is not shown", [change("−1 www 300 A 192.0.2.1"), change("+1 www 300 A 192.0.2.1")], []],
  [
    "edits follow each other",
    [change("−1 a 300 A 192.0.2.1", "+1 a 300 A 192.0.2.2"), change("−1 a 300 A 192.0.2.2", "+1 b 300 A 192.0.2.3")],
    ["~a 300 A 192.0.2.1 > b 300 A 192.0.2.3"],
  ],
  ["an import has no ids", [change("+- www 300 A 192.0.2.1"), change("−- www 300 A 192.0.2.1")], []],
  [
    "another TTL is an edit without an id too",
    [change("−- w 300 A 192.0.2.1", "+- w 60 A 192.0.2.1")],
    ["~w 300 A 192.0.2.1 > w 60 A 192.0.2.1"],
  ],
  [
    "the SOA first, then the apex, then owners by their numbers",
    [
      change(
        "+1 host10 300 A 192.0.2.1",
        "+2 host2 300 A 192.0.2.2",
        "+3 @ 300 MX 10 m.",
        "+4 @ 300 SOA a. b. 1 2 3 4 5",
      ),
    ],
    ["+@ 300 SOA a. b. 1 2 3 4 5", "+@ 300 MX 10 m.", "+host2 300 A 192.0.2.2", "+host10 300 A 192.0.2.1"],
  ],
])("%s", (_what, changes, expected) => {
  expect(fold(changes).map(lineText)).toEqual(expected);
});

test("an SOA with another serial alone is no line, with another timer it is", () => {
  const soa = (serial: number, refresh: number) => `1 @ 300 SOA a. b. ${serial} ${refresh} 3 4 5`;
  const others = ["+2 www 300 A 192.0.2.1", "−3 x 1 A 192.0.2.3"];
  const lines = fold([change(`−${soa(1, 2)}`, `+${soa(2, 2)}`, ...others)]);
  expect(lines.map(lineText)).toEqual(["+www 300 A 192.0.2.1", "−x 1 A 192.0.2.3"]);
  expect(countsText(lines)).toBe("+1 −1");
  expect(countsText(fold([change(`−${soa(1, 2)}`, `+${soa(2, 9)}`)]))).toBe("~1");
  expect(countsText([])).toBe("no records");
});

/** A zone as what its records say, by their ids. */
type Zone = ReadonlyMap<string, string>;

test("any changes, folded, lead from the zone before to the zone after", () => {
  const edit = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }));
  fc.assert(
    fc.property(fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 6 }), (batches) => {
      let zone: Zone = new Map([
        ["1", "1"],
        ["2", "2"],
      ]);
      const before = zone;
      const of = (id: string, value: string) => record(`${id} o${id} 300 A 192.0.2.${value}`);
      const changes = batches.map((edits) => {
        const next = new Map(zone);
        for (const [id, value] of edits)
          if (value === undefined) next.delete(String(id));
          else next.set(String(id), String(value));
        const ids = [...new Set([...zone.keys(), ...next.keys()])].filter((id) => zone.get(id) !== next.get(id));
        const removed = ids.filter((id) => zone.has(id)).map((id) => of(id, zone.get(id) as string));
        const added = ids.filter((id) => next.has(id)).map((id) => of(id, next.get(id) as string));
        zone = next;
        return { removed, added };
      });
      const applied = new Map(before);
      for (const line of fold(changes)) {
        const { recordId, rdata } = line.row;
        if (line.kind === "remove") applied.delete(recordId as string);
        else applied.set(recordId as string, rdata.replace("192.0.2.", ""));
      }
      expect([...applied].toSorted()).toEqual([...zone].toSorted());
    }),
  );
});
