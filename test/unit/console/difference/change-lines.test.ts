/** What a change did, as lines. */
import { expect, test } from "@jest/globals";
import {
  type ChangedRecords,
  changeLines,
  countsText,
  type DifferenceLine,
  type DifferenceRow,
} from "../../../../console/difference/difference.ts";
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

test.each<[string, ChangedRecords, string[]]>([
  ["an addition", change("+1 www 300 A 192.0.2.1"), ["+www 300 A 192.0.2.1"]],
  [
    "an edit is one row",
    change("−1 www 300 A 192.0.2.1", "+1 www 60 A 192.0.2.2"),
    ["~www 300 A 192.0.2.1 > www 60 A 192.0.2.2"],
  ],
  ["what went and came back is not shown", change("−1 www 300 A 192.0.2.1", "+2 www 300 A 192.0.2.1"), []],
  ["an import has no ids", change("+- www 300 A 192.0.2.1", "−- www 300 A 192.0.2.1"), []],
  [
    "another TTL is an edit without an id too",
    change("−- w 300 A 192.0.2.1", "+- w 60 A 192.0.2.1"),
    ["~w 300 A 192.0.2.1 > w 60 A 192.0.2.1"],
  ],
  [
    "the SOA first, then the apex, then owners by their numbers",
    change(
      "+1 host10 300 A 192.0.2.1",
      "+2 host2 300 A 192.0.2.2",
      "+3 @ 300 MX 10 m.",
      "+4 @ 300 SOA a. b. 1 2 3 4 5",
    ),
    ["+@ 300 SOA a. b. 1 2 3 4 5", "+@ 300 MX 10 m.", "+host2 300 A 192.0.2.2", "+host10 300 A 192.0.2.1"],
  ],
])("%s", (_what, done, expected) => {
  expect(changeLines(done).map(lineText)).toEqual(expected);
});

test("an SOA with another serial alone is no line, with another timer it is", () => {
  const soa = (serial: number, refresh: number) => `1 @ 300 SOA a. b. ${serial} ${refresh} 3 4 5`;
  const others = ["+2 www 300 A 192.0.2.1", "−3 x 1 A 192.0.2.3"];
  const lines = changeLines(change(`−${soa(1, 2)}`, `+${soa(2, 2)}`, ...others));
  expect(lines.map(lineText)).toEqual(["+www 300 A 192.0.2.1", "−x 1 A 192.0.2.3"]);
  expect(countsText(lines)).toBe("+1 −1");
  expect(countsText(changeLines(change(`−${soa(1, 2)}`, `+${soa(2, 9)}`)))).toBe("~1");
  expect(countsText([])).toBe("no difference");
});

test("the lines of any change lead from the zone before to the zone after", () => {
  const zone = fc.dictionary(fc.constantFrom("1", "2", "3", "4", "5"), fc.integer({ min: 1, max: 3 }));
  const of = ([id, value]: [string, number]) => record(`${id} o${id} 300 A 192.0.2.${value}`);
  fc.assert(
    fc.property(zone, zone, (before, after) => {
      const removed = Object.entries(before).filter(([id, value]) => after[id] !== value);
      const added = Object.entries(after).filter(([id, value]) => before[id] !== value);
      const applied = new Map(Object.entries(before));
      for (const line of changeLines({ removed: removed.map(of), added: added.map(of) })) {
        const { recordId, rdata } = line.row;
        if (line.kind === "remove") applied.delete(recordId as string);
        else applied.set(recordId as string, Number(rdata.replace("192.0.2.", "")));
      }
      expect([...applied].toSorted()).toEqual(Object.entries(after).toSorted());
    }),
  );
});
