/** Zone transfers as a secondary asks for them (RFC 5936, RFC 1995), signed or not, as lines that can be compared. */
import { Section } from "../../../src/dns/message/header.ts";
import { type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { signMessage } from "../../../src/dns/message/tsig.ts";
import { nameText, rootName, zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { secondsNow } from "../basics/clock.ts";
import { queryOf, TcpClient } from "./dns-client.ts";
import type { ClientKey } from "./update-client.ts";

const soaCode = 6;

interface TransferOptions {
  readonly key?: ClientKey | undefined;
  readonly since?: number | undefined;
  readonly address?: string | undefined;
}

/**
 * Transfers a zone; returns its records as `name ttl TYPEn \# length hex` (RFC 3597), those between two SOAs sorted, or `rcode n`. With `since`
 * it asks for the differences since that serial; `address` is the one that it comes from.
 */
export async function transfer(
  port: number,
  zone: string,
  { key, since, address }: TransferOptions = {},
): Promise<string[]> {
  const query = since === undefined ? queryOf(`${zone}.`, "AXFR") : ixfrQuery(zone, since);
  const time = secondsNow();
  const client = await TcpClient.open(port, address);
  try {
    client.send(key ? signMessage(query, key, { keyName: zoneNameWire(key.name), time }).octets : query);
    const records: ResourceRecord[] = [];
    for await (const octets of client.messages()) {
      const message = readMessage(octets);
      if (message.rcode !== 0) return [`rcode ${message.rcode}`];
      records.push(...message.answers);
      if (isComplete(records, since !== undefined)) return linesOf(records);
    }
    throw new Error(`the transfer of ${zone} ended after ${records.length} records`);
  } finally {
    client.socket.destroy();
  }
}

export function ixfrQuery(zone: string, since: number): Uint8Array {
  const rdata = parseRdata(recordType("SOA"), `. . ${since} 0 0 0 0`, { origin: rootName, context: "master" });
  const soa = { name: zoneNameWire(zone), type: soaCode, class: 1, ttl: 0, rdata };
  return queryOf(`${zone}.`, "IXFR", (writer) => writer.add(Section.AUTHORITY, soa));
}

/** Whether these are all: the new SOA stands at both ends, and in differences a third time, before the last additions. */
function isComplete(records: readonly ResourceRecord[], isIncremental: boolean): boolean {
  const [first, second] = records;
  if (!first || !second) return first !== undefined && isIncremental;
  const same = records.filter(({ type, rdata }) => type === soaCode && Buffer.compare(rdata, first.rdata) === 0);
  return same.length === (second.type === soaCode ? 3 : 2);
}

function linesOf(records: readonly ResourceRecord[]): string[] {
  const lines: string[] = [];
  let between: string[] = [];
  for (const { name, ttl, type, rdata } of records) {
    const line = `${nameText(name)} ${ttl} TYPE${type} \\# ${rdata.length} ${Buffer.from(rdata).toString("hex")}`;
    if (type !== soaCode) between.push(line);
    else {
      lines.push(...between.toSorted(), line);
      between = [];
    }
  }
  return lines;
}

/** The serial in the SOA that a transfer begins with. */
export function serialOf(lines: readonly string[]): number {
  const hex = lines[0]?.split(" ").at(-1) ?? "";
  return Number.parseInt(hex.slice(-40, -32), 16);
}
