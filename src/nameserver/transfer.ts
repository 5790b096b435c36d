/**
 * Zone transfers out (RFC 5936 AXFR, RFC 1995 IXFR), each of one state of the zone. Differences go only to a client that got its serial
 * from here: after a restored backup the same serial may mean other data. All others get the whole zone: from kept messages, by one
 * statement when it is small, otherwise from a snapshot. That needs a turn, and lasts as long as its client reads, which is limited.
 * Limitations: changes are not condensed (RFC 1995 §5); over UDP an IXFR is answered with only the SOA (§2).
 */
import type { Pool, PoolClient } from "pg";
import { type Reads, readsOf } from "../database/point-reads.ts";
import { MetaType, Rcode } from "../dns/message/header.ts";
import type { Question, ResourceRecord } from "../dns/message/message-reader.ts";
import { type Name, zoneNameText, zoneNameWire } from "../dns/name.ts";
import { uncheckedSoaSerial } from "../dns/rdata/soa.ts";
import { type Serial, serial, serialIsGreater } from "../dns/serial.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { resource } from "./answer.ts";
import { originOf } from "./client-origin.ts";
import type { TransferTurns } from "./fair-turns.ts";
import type { Client } from "./hooks.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";
import type { RequestContext } from "./request-context.ts";
import {
  differences,
  leastOctets,
  type Transfer,
  type TransferMessagesDeps,
  transferMessages,
} from "./transfer-messages.ts";
import { readFewDifferences, readJournal, readJournalPath, type ZoneWithDifferences } from "./zone/zone-journal.ts";
import type { ZoneMessages, ZoneVersion } from "./zone/zone-messages.ts";
import { type TransferMessage, ZonePacker } from "./zone/zone-packer.ts";
import {
  closeSnapshot,
  openSnapshot,
  readZoneSoa,
  type ServedRecord,
  type ServedZone,
  type ZoneWithSoa,
} from "./zone/zone-reader.ts";
import { readWholeZone, readZoneRows, type WholeZone } from "./zone/zone-rows.ts";

/** How long an access check is valid while a transfer waits, ms. */
const permissionMs = 100;

/** Records besides the SOA, and octets of their data, that are read by one statement. */
const smallZone = { records: 500, octets: 131_072 };

export interface TransferDeps extends TransferMessagesDeps {
  readonly pool: Pool;
  readonly reads: Reads;
  readonly transfers: TransferTurns;
  readonly refusals: RateLimitedLog;
  readonly zoneMessages: ZoneMessages;
  readonly transfersNeedTls: boolean;
}

export async function answerTransfer(
  deps: TransferDeps,
  request: RequestContext,
  question: Question,
): Promise<Uint8Array | AsyncIterable<Uint8Array>> {
  const { client, key } = request;
  const isIxfr = question.type === MetaType.IXFR;
  const zone = zoneNameText(question.name);
  const reason = transportObjection(client, deps.transfersNeedTls);
  if (reason !== undefined) {
    deps.refusals.warn({ zone, address: client.address, key, reason }, "a transfer was refused");
    return request.refuse(Rcode.REFUSED);
  }
  if (client.protocol === "udp" && !isIxfr) return request.refuse(Rcode.FORMERR); // RFC 5936 §4.2
  const from = isIxfr ? serialOfClient(request, question) : undefined;
  if (isIxfr && from === undefined) return request.refuse(Rcode.FORMERR);
  const [served, access] = await Promise.all([
    readServed(deps, request, zone, from),
    deps.hooks.transferAccess(zone, from, client.address, key),
  ]);
  const allowed = served !== undefined && access.mayTransfer;
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
  // When the serials agree, both reads saw one state of the zone: a raise that requires a whole transfer changes the serial.
  if (served.differences && access.fitsDifferencesTo === served.zone.serial) {
    const messages = differences(request, served.zone, served.soa, [served.differences]);
    return transferMessages(deps, request, { zone: served.zone, kind: "IXFR", messages });
  }
  const { isSecondary, fitsDifferencesTo } = access;
  return streamZone(deps, request, { served, isSecondary, from: fitsDifferencesTo === null ? undefined : from });
}

/** Undefined when a zone may be transferred over the client's transport. */
function transportObjection({ tls }: Client, needsTls: boolean): string | undefined {
  if (!tls) return needsTls ? "it did not come over TLS, and DNS_TRANSFER is tls" : undefined;
  return tls.isDot() ? undefined : 'its TLS connection did not name "dot" by ALPN (RFC 9103 §7.1)';
}

type ZoneInPart = ZoneWithDifferences & Partial<WholeZone>;

/** With a small number of differences when `from` is given, otherwise with the records of a small zone. Over UDP with neither. */
function readServed(
  { reads }: TransferDeps,
  { client }: RequestContext,
  zone: string,
  from: Serial | undefined,
): Promise<ZoneInPart | undefined> {
  if (client.protocol === "udp") return readZoneSoa(reads, zone);
  return from === undefined ? readWholeZone(reads, zone, smallZone) : readFewDifferences(reads, zone, from);
}

/** From the SOA in the authority section (RFC 1995 §3). */
function serialOfClient({ message }: RequestContext, { name }: Question): Serial | undefined {
  const [soa, second] = message.authority;
  if (!soa || second || soa.type !== TypeCode.SOA || zoneNameText(soa.name) !== zoneNameText(name)) return undefined;
  return uncheckedSoaSerial(soa.rdata);
}

/** Serials that cannot be compared count as newer (RFC 1982 §3.2). */
function isNewer(zone: ServedZone, from: Serial): boolean {
  return zone.serial !== from && !serialIsGreater(from, serial(zone.serial));
}

function soaAlone(request: RequestContext, apex: Name, soa: ServedRecord): Uint8Array {
  const none: ResourceRecord[] = [];
  const sections = { answers: [resource(apex, soa)], authority: none, additional: none };
  return request.answer({ ...sections, rcode: Rcode.NOERROR, authoritative: true, glue: false });
}

interface Admitted {
  readonly served: ZoneInPart;
  readonly isSecondary: boolean;
  /** The client's serial, if differences from it fit the client's copy. */
  readonly from: Serial | undefined;
}

/** The turn counts for the key's holder; without a key, for the client's network. */
const turnOf = ({ transfers }: TransferDeps, { holder, client }: RequestContext, isSecondary: boolean) =>
  transfers.acquire(holder ?? originOf(client.address).network, isSecondary);

const accessNow = ({ hooks }: TransferDeps, { client, key }: RequestContext, zone: string, from: Serial | undefined) =>
  hooks.transferAccess(zone, from, client.address, key);

/** Sends differences when they are shorter, otherwise the whole zone. Kept messages and small zones need no turn. */
async function* streamZone(
  deps: TransferDeps,
  request: RequestContext,
  { served, isSecondary, from }: Admitted,
): AsyncGenerator<Uint8Array> {
  if (from === undefined) {
    using kept = deps.zoneMessages.lend(versionOf(served));
    const messages = kept?.messages ?? messagesOfSmall(served);
    if (messages) return yield* transferMessages(deps, request, { zone: served.zone, kind: "AXFR", messages });
  }
  const { zone: name } = served.zone;
  const start = performance.now();
  await using held = new AsyncDisposableStack();
  held.defer(await turnOf(deps, request, isSecondary));
  const least = { leastOctets: leastOctets(isSecondary) };
  const snapshot = held.adopt(await openSnapshot(deps.pool), closeSnapshot);
  if (from !== undefined) {
    const reply = await differencesIn(snapshot, deps, request, name, from);
    if (reply instanceof Uint8Array) return yield reply;
    if (reply) return yield* transferMessages(deps, request, { ...reply, ...least });
  } else if (performance.now() - start > permissionMs) {
    const { mayTransfer } = await accessNow(deps, request, name, undefined);
    if (!mayTransfer) return yield request.refuse(Rcode.REFUSED);
  }
  // During the wait the zone may have changed, and another transfer may have stored the messages.
  const current = await readWholeZone(readsOf(snapshot), name, smallZone);
  if (!current) return yield request.refuse(Rcode.NOTAUTH);
  using kept = deps.zoneMessages.lend(versionOf(current));
  const inMemory = kept?.messages ?? messagesOfSmall(current);
  if (inMemory) {
    await held.disposeAsync();
    return yield* transferMessages(deps, request, { zone: current.zone, kind: "AXFR", messages: inMemory });
  }
  const messages = prepare(deps.zoneMessages, snapshot, current);
  yield* transferMessages(deps, request, { zone: current.zone, kind: "AXFR", messages, ...least });
}

/** An answer may be of one message; undefined when the whole zone has to be sent. */
async function differencesIn(
  snapshot: PoolClient,
  deps: TransferDeps,
  request: RequestContext,
  name: string,
  from: Serial,
): Promise<Transfer | Uint8Array | undefined> {
  const current = await readZoneSoa(readsOf(snapshot), name);
  if (!current) return request.refuse(Rcode.NOTAUTH);
  const { zone, soa } = current;
  if (!isNewer(zone, from)) return soaAlone(request, zoneNameWire(name), soa);
  // The check follows the opening of the snapshot: a zone that a raise in between requires as a whole must not be sent as differences.
  const { mayTransfer, fitsDifferencesTo } = await accessNow(deps, request, name, from);
  if (!mayTransfer) return request.refuse(Rcode.REFUSED);
  const path = fitsDifferencesTo === null ? undefined : await readJournalPath(snapshot, zone, from);
  if (!path) return undefined;
  return { zone, kind: "IXFR", messages: differences(request, zone, soa, readJournal(snapshot, zone.id, path)) };
}

const versionOf = ({ zone, version }: ZoneWithSoa): ZoneVersion => ({ zoneId: zone.id, version });

/** Undefined for a large zone. The messages are not kept: reading a small zone again is as fast. */
function messagesOfSmall({ zone, soa, records }: ZoneInPart): readonly TransferMessage[] | undefined {
  if (!records) return undefined;
  const packer = new ZonePacker(zoneNameWire(zone.zone));
  packer.addAtApex(soa);
  return [...packer.addRecords(records), ...packer.finish(soa)];
}

async function* prepare(
  zoneMessages: ZoneMessages,
  connection: PoolClient,
  served: ZoneWithSoa,
): AsyncGenerator<TransferMessage> {
  const { zone, soa } = served;
  const collector = zoneMessages.collect(versionOf(served));
  const packer = new ZonePacker(zoneNameWire(zone.zone));
  const noted = (message: TransferMessage) => {
    collector?.add(message);
    return message;
  };
  try {
    packer.addAtApex(soa);
    for await (const rows of readZoneRows(connection, zone.id))
      for (const message of packer.addRows(rows)) yield noted(message);
    for (const message of packer.finish(soa)) yield noted(message);
  } finally {
    collector?.end();
  }
}
