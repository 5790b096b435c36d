/**
 * Zone transfers out (RFC 5936 AXFR, RFC 1995 IXFR): one snapshot each, in messages of about 16 KiB that are made only
 * as fast as the client reads. IXFR comes from the journal, change by change, and only to a client that got the serial
 * it names from here: after a restored backup the same serial may mean other data. All others get the whole zone.
 * Limitations: changes are not condensed (RFC 1995 §5); over UDP an IXFR is answered with the SOA alone (§2).
 */

import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { Flag, MetaType, Rcode, Section } from "../dns/message/header.ts";
import type { Question, ResourceRecord } from "../dns/message/message-reader.ts";
import type { MessageWriter } from "../dns/message/message-writer.ts";
import { type Name, parseName, zoneNameText } from "../dns/name.ts";
import { uncheckedSoaSerial } from "../dns/rdata/soa.ts";
import { type Serial, serial, serialIsGreater } from "../dns/serial.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { resource } from "./answer.ts";
import { originOf } from "./client-origin.ts";
import type { FairTurns } from "./fair-turns.ts";
import type { NameserverHooks } from "./hooks.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";
import type { RequestContext } from "./request-context.ts";
import {
  closeSnapshot,
  openSnapshot,
  readJournal,
  readJournalPath,
  readZoneRecords,
  readZoneSoa,
  type ServedRecord,
  type ServedZone,
} from "./zone-reader.ts";

/** The octets from which on a message is sent: compression reaches no further. */
const fullMessage = 16_000;

/** Dependencies of a transfer. */
export interface TransferDeps {
  readonly pool: Pool;
  readonly hooks: NameserverHooks;
  readonly transfers: FairTurns;
  readonly refusals: RateLimitedLog;
  readonly log: Logger;
}

/** Answers an AXFR or IXFR question: one message, or many. */
export async function answerTransfer(
  deps: TransferDeps,
  request: RequestContext,
  question: Question,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const { client, key } = request;
  const isIxfr = question.type === MetaType.IXFR;
  if (client.protocol === "udp" && !isIxfr) return request.refuse(Rcode.FORMERR); // RFC 5936 §4.2
  const from = isIxfr ? serialOfClient(request, question) : undefined;
  if (isIxfr && from === undefined) return request.refuse(Rcode.FORMERR);
  const zone = zoneNameText(question.name);
  const served = await readZoneSoa(deps.pool, zone);
  const allowed = served !== undefined && (await deps.hooks.mayTransfer(zone, client.address, key));
  if (!allowed) {
    deps.refusals.warn({ zone, known: served !== undefined, address: client.address, key }, "a transfer was refused");
    return request.refuse(served && !served.zone.hidden ? Rcode.REFUSED : Rcode.NOTAUTH);
  }
  if (client.protocol === "udp" || (from !== undefined && !isNewer(served.zone, from)))
    return soaAlone(request, question.name, served.soa);
  if (await deps.hooks.isWithheld(served.zone.id, from, client.address, key)) {
    deps.refusals.warn({ zone, address: client.address, key, serial: from }, "a transfer waits for confirmRestore");
    return request.refuse(Rcode.REFUSED);
  }
  return streamTransfer(deps, request, question, from);
}

/** The serial that the client has: of the SOA in the authority section (RFC 1995 §3). */
function serialOfClient({ message }: RequestContext, { name }: Question): Serial | undefined {
  const [soa, second] = message.authority;
  if (!soa || second || soa.type !== TypeCode.SOA || zoneNameText(soa.name) !== zoneNameText(name)) return undefined;
  return uncheckedSoaSerial(soa.rdata);
}

/** Whether we have anything for a client at this serial; two that cannot be compared count as newer (RFC 1982 §3.2). */
function isNewer(zone: ServedZone, from: Serial): boolean {
  return zone.serial !== from && !serialIsGreater(from, serial(zone.serial));
}

function soaAlone(request: RequestContext, apex: Name, soa: ServedRecord): Uint8Array {
  const answers = [resource(apex, soa)];
  const none: ResourceRecord[] = [];
  return request.answer({
    rcode: Rcode.NOERROR,
    authoritative: true,
    answers,
    authority: none,
    additional: none,
    glue: false,
  });
}

async function* streamTransfer(
  deps: TransferDeps,
  request: RequestContext,
  question: Question,
  from: Serial | undefined,
): AsyncGenerator<Uint8Array> {
  const { client, key } = request;
  const endTurn = await deps.transfers.acquire(key === undefined ? originOf(client.address).network : `key ${key}`);
  let connection: PoolClient | undefined;
  try {
    connection = await openSnapshot(deps.pool);
    const served = await readZoneSoa(connection, zoneNameText(question.name));
    if (!served) yield request.refuse(Rcode.NOTAUTH);
    else if (from !== undefined && !isNewer(served.zone, from)) yield soaAlone(request, question.name, served.soa);
    else yield* transferMessages(deps, request, question.name, connection, served, from);
  } finally {
    if (connection) await closeSnapshot(connection);
    endTurn();
  }
}

interface ZoneWithSoa {
  readonly zone: ServedZone;
  readonly soa: ServedRecord;
}

/** The messages of a transfer: the SOA, the records of the journal or of the zone, the SOA again. */
async function* transferMessages(
  { hooks, log }: TransferDeps,
  request: RequestContext,
  apex: Name,
  connection: PoolClient,
  { zone, soa }: ZoneWithSoa,
  from: Serial | undefined,
): AsyncGenerator<Uint8Array> {
  const start = performance.now();
  const { address } = request.client;
  const isKnown = from !== undefined && (await hooks.fitsDifferences(zone.id, from, address, request.key));
  const path = isKnown ? await readJournalPath(connection, zone, from) : undefined;
  const rows = path ? readJournal(connection, zone.id, path) : readZoneRecords(connection, zone.id);
  const packer = new MessagePacker(request, apex);
  packer.add(soa);
  for await (const some of rows) {
    for (const row of some) {
      const full = packer.add(row);
      if (full) yield full;
    }
  }
  const last = [packer.add(soa), packer.take()];
  await hooks.recordTransfer(zone.id, { serial: zone.serial, isWhole: !path }, address, request.key);
  for (const message of last) if (message) yield message;
  const kind = path ? "IXFR" : "AXFR";
  const { records, octets } = packer;
  const ms = Math.round(performance.now() - start);
  const report = {
    zone: zone.zone,
    serial: zone.serial,
    kind,
    address,
    key: request.key,
    records,
    octets,
    ms,
  } as const;
  log.info(report, "transferred");
  hooks.onTransfer?.(report);
}

/** Packs records into messages. */
class MessagePacker {
  records = 0;
  octets = 0;
  readonly #request: RequestContext;
  readonly #apex: Name;
  #writer: MessageWriter;
  #inWriter = 0;
  #owner = "@";
  #name: Name;

  constructor(request: RequestContext, apex: Name) {
    this.#request = request;
    this.#apex = apex;
    this.#name = apex;
    this.#writer = request.begin(Flag.AA);
  }

  /** Adds a record; returns a message when one is full. */
  add(row: ServedRecord): Uint8Array | undefined {
    const record = resource(this.#nameOf(row.owner), row);
    let full: Uint8Array | undefined;
    if (!this.#writer.add(Section.ANSWER, record)) {
      full = this.take();
      if (!this.#writer.add(Section.ANSWER, record)) throw new Error(`a record at ${row.owner} fits into no message`);
    }
    this.records += 1;
    this.#inWriter += 1;
    return full ?? (this.#writer.length >= fullMessage ? this.take() : undefined);
  }

  /** The message of the records added since the last one; undefined when no record was added. */
  take(): Uint8Array | undefined {
    if (this.#inWriter === 0) return undefined;
    const message = this.#request.seal(this.#writer);
    this.octets += message.length + 2;
    this.#inWriter = 0;
    this.#writer = this.#request.begin(Flag.AA);
    return message;
  }

  /** Records of one owner follow one another: its name is parsed once. */
  #nameOf(owner: string): Name {
    if (owner !== this.#owner) {
      this.#owner = owner;
      this.#name = owner === "@" ? this.#apex : parseName(owner, this.#apex);
    }
    return this.#name;
  }
}
