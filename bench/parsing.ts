/**
 * The bench of parsing: the cost of hostile record data of 100,000 and of 900,000 characters. A linear reader takes nine times as long for
 * the longer text; `npm run bench:parsing` prints the table.
 */
import { parseArgs } from "node:util";
import { Malformed } from "../src/dns/malformed.ts";
import { zoneNameWire } from "../src/dns/name.ts";
import { parseRdata } from "../src/dns/rdata/rdata.ts";
import { recordType } from "../src/dns/rdata/record-type-registry.ts";
import { hostileTexts } from "../test/setup/dns/hostile-texts.ts";
import { median } from "./harness/rounds.ts";
import { row, writeTable } from "./harness/summary.ts";

const { values } = parseArgs({ options: { write: { type: "boolean", default: false } } });
const origin = zoneNameWire("example.org");
const [small, large] = [100_000, 900_000];

/** The median processor time of nine readings, ms, so that other work on the machine does not count. */
function cost(type: string, text: string): number {
  const times = Array.from({ length: 9 }, () => {
    const begun = process.cpuUsage();
    try {
      parseRdata(recordType(type), text, { origin, context: "master" });
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return median(times);
}

const rows = hostileTexts.map(([name, type, textOf]) => {
  cost(type, textOf(small));
  const [less, more] = [cost(type, textOf(small)), cost(type, textOf(large))];
  return row(`${name}, ${type}`, less.toFixed(2), more.toFixed(2), (more / Math.max(less, 0.01)).toFixed(1));
});
const head = [row("", `${small} characters, ms`, `${large}, ms`, "times"), row("---", "---:", "---:", "---:")];
const text = [`Node ${process.versions.node}.`, "", ...head, ...rows, ""].join("\n");
console.log(text);
if (values.write) writeTable(text, "parsing");
