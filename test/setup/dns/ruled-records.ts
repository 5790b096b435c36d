/** Records as checks look at them, from lines such as `www 300 A 192.0.2.1`. */
import { parseName } from "../../../src/dns/name.ts";
import { parseRdata, printRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import type { RuledRecord } from "../../../src/zone/edit/rules.ts";

/** The TTL is 300 where a line has none. */
export function ruledRecords(zone: string, lines: readonly string[]): RuledRecord[] {
  return lines.map((line, at) => {
    const [, owner = "", ttl = 300, mnemonic = "", data = ""] = /^(\S+) (?:(\d+) )?(\S+) (.*)$/.exec(line) ?? [];
    const type = recordType(mnemonic);
    const wire = parseRdata(type, data, { origin: parseName(`${zone}.`), context: "master" });
    return { id: at + 1, owner, type: mnemonic, ttl: Number(ttl), rdata: printRdata(type, wire), wire };
  });
}
