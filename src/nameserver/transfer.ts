/**
 * Zone transfers out (RFC 5936 AXFR, RFC 1995 IXFR): one state of the zone each, in messages of about 16 KiB that are
 * made only as fast as the client reads. IXFR comes from the journal, change by change, and only to a client that got
 * the serial it names from here: after a restored backup the same serial may mean other data. All others get the whole
 * zone: a small one by one statement, a larger one from the messages that are kept of the last transfer where the zone has not changed
 * since, otherwise from a snapshot of the database.
 * Limitations: changes are not condensed (RFC 1995 §5); over UDP an IXFR is answered with the SOA alone (§2).
 */
import { setImmediate } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { Logger } from "pino";
import { type Reads, readsOf } from "../database/point-reads.ts";
import { Flag, MetaType, Rcode, Section } from "../dns/message/header.ts";
import type { Question, ResourceRecord } from "../dns/message/message-reader.ts";
import { type Name, zoneNameText, zoneNameWire } from "../dns/name.ts";
import { uncheckedSoaSerial } from "../dns/rdata/soa.ts";
import { type Serial, serial, serialIsGreater } from "../dns/serial.ts";
import { TypeCode } from "../dns/type-codes.ts";
import { resource } from "./answer.ts";
import { originOf } from "./client-origin.ts";
import { differences, type SealedMessage } from "./difference-messages.ts";
import type { FairTurns } from "./fair-turns.ts";
import type { Client, NameserverHooks } from "./hooks.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";
import type { RequestContext } from "./request-context.ts";
import { readFewDifferences, readJournal, readJournalPath, type ZoneWithDifferences } from "./zone-journal.ts";
import type { ZoneMessages, ZoneVersion } from "./zone-messages.ts";
import { type PreparedMessage, ZonePacker } from "./zone-packer.ts";
import {
  closeSnapshot,
  openSnapshot,
  readZoneSoa,
  type ServedRecord,
  type ServedZone,
  type ZoneWithSoa,
} from "./zone-reader.ts";
import { readWholeZone, readZoneRows } from "./zone-rows.ts";

/** How long messages are made at a stretch, ms: the service has other work. */
const maxSliceMs = 1;

/** Dependencies of a transfer. */
export interface TransferDeps {
  /** For snapshots. */
  readonly pool: Pool;
  readonly reads: Reads;
  readonly hooks: NameserverHooks;
  readonly transfers: FairTurns;
  readonly refusals: RateLimitedLog;
  readonly log: Logger;
  /** The messages of zones that were transferred before. */
  readonly zoneMessages: ZoneMessages;
  /** Whether zones are transferred over TLS alone. */
  readonly transfersNeedTls: boolean;
}

/** Answers an AXFR or IXFR question: one message, or many. */
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
    readServed(deps, zone, client.protocol === "tcp" ? from : undefined),
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
  // At the same serial both saw one state of the zone: one that is raised to be transferred as a whole has another.
  if (served.differences && access.fitsDifferencesTo === served.zone.serial)
    return sendFewDifferences(deps, request, served, served.differences);
  return streamTransfer(deps, request, question, from);
}

/** Why a zone is not transferred the way that a client came; undefined when it is. */
function transportObjection({ tls }: Client, needsTls: boolean): string | undefined {
  if (!tls) return needsTls ? "it did not come over TLS, and DNS_TRANSFER is tls" : undefined;
  return tls.isDot() ? undefined : 'its TLS connection did not name "dot" by ALPN (RFC 9103 §7.1)';
}

/** The zone, and few differences from a serial, if one is named. */
async function readServed(
  { reads }: TransferDeps,
  zone: string,
  from: Serial | undefined,
): Promise<ZoneWithDifferences | undefined> {
  if (from !== undefined) return readFewDifferences(reads, zone, from);
  const served = await readZoneSoa(reads, zone);
  return served && { ...served, differences: undefined };
}

/** Differences in memory need neither a turn nor a connection. */
function sendFewDifferences(
  deps: TransferDeps,
  request: RequestContext,
  served: ZoneWithSoa,
  rows: readonly ServedRecord[],
): AsyncIterable<Uint8Array> {
  const messages = differences(request, served.zone, served.soa, [rows]);
  return transferMessages(deps, request, served, { kind: "IXFR", messages });
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
  const zone = zoneNameText(question.name);
  const endTurn = await deps.transfers.acquire(key === undefined ? originOf(client.address).network : `key ${key}`);
  let connection: PoolClient | undefined;
  try {
    const current = from === undefined ? await readWholeZone(deps.reads, zone) : undefined;
    if (current?.records)
      return yield* transferMessages(deps, request, current, wholeZone(request, current, current.records));
    const kept = current && deps.zoneMessages.get(versionOf(current));
    if (kept) return yield* transferMessages(deps, request, current, { kind: "AXFR", messages: sealed(request, kept) });
    connection = await openSnapshot(deps.pool);
    const served = await readZoneSoa(readsOf(connection), zone);
    if (!served) yield request.refuse(Rcode.NOTAUTH);
    else if (from !== undefined && !isNewer(served.zone, from)) yield soaAlone(request, question.name, served.soa);
    else yield* transferMessages(deps, request, served, await contentFor(deps, request, connection, served, from));
  } finally {
    if (connection) await closeSnapshot(connection);
    endTurn();
  }
}

const versionOf = ({ zone, version }: ZoneWithSoa): ZoneVersion => ({ zoneId: zone.id, version });

/** What is transferred. */
interface TransferContent {
  readonly kind: "AXFR" | "IXFR";
  readonly messages: AsyncIterable<SealedMessage>;
}

/** A zone whose records are at hand; it is not kept, since it is read as fast. */
function wholeZone(
  request: RequestContext,
  { zone, soa }: ZoneWithSoa,
  records: readonly ServedRecord[],
): TransferContent {
  const packer = new ZonePacker(zoneNameWire(zone.zone));
  packer.addAtApex(soa);
  return { kind: "AXFR", messages: sealed(request, [...packer.addRecords(records), ...packer.finish(soa)]) };
}

/** The differences from a serial where the client has that from here and they are shorter, otherwise the whole zone. */
async function contentFor(
  { hooks, zoneMessages }: TransferDeps,
  request: RequestContext,
  connection: PoolClient,
  served: ZoneWithSoa,
  from: Serial | undefined,
): Promise<TransferContent> {
  const { zone, soa } = served;
  const { address } = request.client;
  const isKnown =
    from !== undefined &&
    (await hooks.transferAccess(zone.zone, from, address, request.key)).fitsDifferencesTo !== null;
  const path = isKnown ? await readJournalPath(connection, zone, from) : undefined;
  if (path) return { kind: "IXFR", messages: differences(request, zone, soa, readJournal(connection, zone.id, path)) };
  const kept = zoneMessages.get(versionOf(served));
  return { kind: "AXFR", messages: sealed(request, kept ?? prepare(zoneMessages, connection, served)) };
}

/** The messages of a transfer, which is recorded before the last one is sent and reported after it. */
async function* transferMessages(
  { hooks, log }: TransferDeps,
  { client: { address, tls }, key }: RequestContext,
  { zone }: ZoneWithSoa,
  { kind, messages }: TransferContent,
): AsyncGenerator<Uint8Array> {
  const start = performance.now();
  let [records, octets] = [0, 0];
  for await (const message of messages) {
    if (message.isLast)
      await hooks.recordTransfer(zone.id, { serial: zone.serial, isWhole: kind === "AXFR" }, address, key);
    records += message.records;
    octets += message.octets.length + 2;
    yield message.octets;
  }
  const ms = Math.round(performance.now() - start);
  const report = { zone: zone.zone, serial: zone.serial, kind, address, key, records, octets, ms } as const;
  log.info({ ...report, ...(tls && { tls: true }) }, "transferred");
  hooks.onTransfer?.(report);
}

/** Prepares the messages of a whole zone, and keeps them for the next transfer. */
async function* prepare(
  zoneMessages: ZoneMessages,
  connection: PoolClient,
  served: ZoneWithSoa,
): AsyncGenerator<PreparedMessage> {
  const { zone, soa } = served;
  const collector = zoneMessages.collect(versionOf(served));
  const packer = new ZonePacker(zoneNameWire(zone.zone));
  const noted = (message: PreparedMessage) => {
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

/** Makes messages for one client out of prepared ones, with pauses in which the service does its other work. */
async function* sealed(
  request: RequestContext,
  messages: Iterable<PreparedMessage> | AsyncIterable<PreparedMessage>,
): AsyncGenerator<SealedMessage> {
  let sliceStart = performance.now();
  for await (const { octets: packed, records, isLast } of messages) {
    const writer = request.begin(Flag.AA);
    if (!writer.addPacked(Section.ANSWER, packed, records))
      throw new Error("a record of the zone fits into no message");
    yield { octets: request.seal(writer), records, isLast };
    if (performance.now() - sliceStart < maxSliceMs) continue;
    await setImmediate();
    sliceStart = performance.now();
  }
}
