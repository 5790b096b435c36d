/** A zone as a secondary transfers it to whoever asks (AXFR), in as many messages and signed as a test says. */
import { Class, Flag, Section } from "../../../src/dns/message/header.ts";
import { type ResourceRecord, readMessage } from "../../../src/dns/message/message-reader.ts";
import { MessageWriter } from "../../../src/dns/message/message-writer.ts";
import { readTsig, signMessage, type TsigKey } from "../../../src/dns/message/tsig.ts";
import { ownerName, zoneNameWire } from "../../../src/dns/name.ts";
import { parseRdata } from "../../../src/dns/rdata/rdata.ts";
import { recordType } from "../../../src/dns/rdata/record-type-registry.ts";
import { withSoaSerial } from "../../../src/dns/rdata/soa.ts";
import { serial } from "../../../src/dns/serial.ts";
import { secondsNow } from "../basics/clock.ts";
import type { Publication } from "./publishers.ts";

/** The records of a zone as it is committed, the SOA first, with its serial or with another one that is given. */
export async function committedRecords(
  publication: Publication,
  zone: string,
  serialOfCopy?: number,
): Promise<ResourceRecord[]> {
  const rows = await publication.sql<{ owner: string; type: string; ttl: number; wire: Uint8Array; committed: number }>(
    `select owner, type, ttl, wire, serial::float8 as committed from zone_record r join domain d on d.id = r.domain_id where d.zone = $1
    order by type <> 'SOA', r.id`,
    [zone],
  );
  return rows.map(({ owner, type, ttl, wire, committed }) => ({
    name: ownerName(owner, zone),
    type: recordType(type).code,
    class: Class.IN,
    ttl,
    rdata: type === "SOA" ? withSoaSerial(wire, serial(serialOfCopy ?? committed)) : wire,
  }));
}

export function recordOf(zone: string, owner: string, type: string, rdata: string, ttl = 300): ResourceRecord {
  const apex = zoneNameWire(zone);
  const data = parseRdata(recordType(type), rdata, { origin: apex, context: "master" });
  return { name: ownerName(owner, zone), type: recordType(type).code, class: Class.IN, ttl, rdata: data };
}

/** How a transfer is sent: records in a message, and which messages are signed; all unless it is said. */
export interface TransferForm {
  readonly key?: { readonly name: string; readonly key: TsigKey } | undefined;
  readonly perMessage?: number;
  readonly signs?: (at: number, isLast: boolean) => boolean;
}

/** The messages that answer a request for an AXFR with these records, of which the first is sent again as the last. */
export function transferMessages(
  request: Uint8Array,
  records: readonly ResourceRecord[],
  { key, perMessage = 100, signs = () => true }: TransferForm = {},
): Uint8Array[] {
  const message = readMessage(request);
  const { id, questions } = message;
  let previousMac = readTsig(message)?.mac;
  const all = [...records, ...records.slice(0, 1)];
  const count = Math.ceil(all.length / perMessage);
  let unsigned: Uint8Array[] = [];
  let later = false;
  return Array.from({ length: count }, (_, at) => {
    const writer = new MessageWriter({ id, flags: Flag.QR | Flag.AA });
    if (at === 0) for (const question of questions) writer.question(question);
    for (const record of all.slice(at * perMessage, (at + 1) * perMessage)) writer.add(Section.ANSWER, record);
    const octets = writer.finish();
    if (!key) return octets;
    if (!signs(at, at === count - 1)) {
      unsigned.push(octets);
      return octets;
    }
    const signature = { keyName: zoneNameWire(key.name), time: secondsNow(), previousMac, later, unsigned };
    const signed = signMessage(octets, key.key, signature);
    previousMac = signed.mac;
    unsigned = [];
    later = true;
    return signed.octets;
  });
}
