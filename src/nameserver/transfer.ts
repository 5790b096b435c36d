/**
 * Zone transfers out (RFC 5936 AXFR, RFC 1995 IXFR): one state of the zone each, in messages of about 16 KiB that are
 * made only as fast as the client reads. IXFR comes from the journal, change by change, and only to a client that got
 * the serial it names from here: after a restored backup the same serial may mean other data. All others get the whole
 * zone: from the messages that are kept of the last transfer where the zone has not changed since, a small one by one statement,
 * otherwise from a snapshot of the database. What reads the database needs a turn; a snapshot lasts as long as its client reads,
 * which is limited (least-rate.ts).
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
import type { TransferTurns } from "./fair-turns.ts";
import type { Client, NameserverHooks } from "./hooks.ts";
import { atLeastRate } from "./least-rate.ts";
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
import { readWholeZone, readZoneRows, type WholeZone } from "./zone-rows.ts";

/** How long messages are made at a stretch, ms: the service has other work. */
const maxSliceMs = 1;

/** Dependencies of a transfer. */
export interface TransferDeps {
  /** For snapshots. */
  readonly pool: Pool;
  readonly reads: Reads;
  readonly hooks: NameserverHooks;
  readonly transfers: TransferTurns;
  /** The time in which a client must read something, ms. */
  readonly slowReaderMs: number;
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
  const admitted = { served, isSecondary: access.isSecondary };
  if (from === undefined || access.fitsDifferencesTo === null) return streamZone(deps, request, admitted);
  return streamDifferences(deps, request, admitted, from);
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

/** A transfer that may be sent. */
interface Admitted {
  readonly served: ZoneWithSoa;
  readonly isSecondary: boolean;
}

/** Waits for a turn at the database. Whose it is, is the holder of the key, or the network where a transfer needs no key. */
const turnOf = (
  { transfers }: TransferDeps,
  { holder, client }: RequestContext,
  isSecondary: boolean,
  onWait?: () => void,
) => transfers.acquire(holder ?? originOf(client.address).network, isSecondary, onWait);

/** What the client may be sent of a zone now, after it waited. */
const accessNow = ({ hooks }: TransferDeps, { client, key }: RequestContext, zone: string, from: Serial | undefined) =>
  hooks.transferAccess(zone, from, client.address, key);

/** The whole zone; from memory without a turn. */
async function* streamZone(
  deps: TransferDeps,
  request: RequestContext,
  { served, isSecondary }: Admitted,
): AsyncGenerator<Uint8Array> {
  const kept = keptZone(deps, request, served);
  if (kept) return yield* transferMessages(deps, request, served, kept);
  const { zone: name } = served.zone;
  let hasWaited = false;
  const endTurn = await turnOf(deps, request, isSecondary, () => {
    hasWaited = true;
  });
  let connection: PoolClient | undefined;
  try {
    // While it waited, another transfer may have kept the messages, and its key may have been revoked.
    const [current, access] = await Promise.all([
      readWholeZone(deps.reads, name),
      hasWaited ? accessNow(deps, request, name, undefined) : undefined,
    ]);
    if (access && !access.mayTransfer) return yield request.refuse(Rcode.REFUSED);
    const inMemory = current && (wholeZone(request, current) ?? keptZone(deps, request, current));
    if (inMemory) {
      endTurn();
      return yield* transferMessages(deps, request, current, inMemory);
    }
    connection = await openSnapshot(deps.pool);
    const zone = await readZoneSoa(readsOf(connection), name);
    if (!zone) return yield request.refuse(Rcode.NOTAUTH);
    const messages = sealed(request, prepare(deps.zoneMessages, connection, zone));
    const sent = transferMessages(deps, request, zone, { kind: "AXFR", messages });
    yield* atLeastRate(sent, deps.slowReaderMs, isSecondary);
  } finally {
    if (connection) await closeSnapshot(connection);
    endTurn();
  }
}

/** The differences from a serial where the client has that from here and they are shorter, otherwise the whole zone. */
async function* streamDifferences(
  deps: TransferDeps,
  request: RequestContext,
  { served, isSecondary }: Admitted,
  from: Serial,
): AsyncGenerator<Uint8Array> {
  const endTurn = await turnOf(deps, request, isSecondary);
  let connection: PoolClient | undefined;
  try {
    connection = await openSnapshot(deps.pool);
    const current = await readZoneSoa(readsOf(connection), served.zone.zone);
    if (!current) return yield request.refuse(Rcode.NOTAUTH);
    const { zone, soa } = current;
    if (!isNewer(zone, from)) return yield soaAlone(request, zoneNameWire(zone.zone), soa);
    const access = await accessNow(deps, request, zone.zone, from);
    if (!access.mayTransfer) return yield request.refuse(Rcode.REFUSED);
    const path = access.fitsDifferencesTo === null ? undefined : await readJournalPath(connection, zone, from);
    const messages = path && differences(request, zone, soa, readJournal(connection, zone.id, path));
    if (messages) {
      const sent = transferMessages(deps, request, current, { kind: "IXFR", messages });
      return yield* atLeastRate(sent, deps.slowReaderMs, isSecondary);
    }
  } finally {
    if (connection) await closeSnapshot(connection);
    endTurn();
  }
  yield* streamZone(deps, request, { served, isSecondary });
}

const versionOf = ({ zone, version }: ZoneWithSoa): ZoneVersion => ({ zoneId: zone.id, version });

/** What is transferred. */
interface TransferContent {
  readonly kind: "AXFR" | "IXFR";
  readonly messages: AsyncIterable<SealedMessage>;
}

/** A zone whose records are at hand, if they are; it is not kept, since it is read as fast. */
function wholeZone(request: RequestContext, { zone, soa, records }: WholeZone): TransferContent | undefined {
  if (!records) return undefined;
  const packer = new ZonePacker(zoneNameWire(zone.zone));
  packer.addAtApex(soa);
  return { kind: "AXFR", messages: sealed(request, [...packer.addRecords(records), ...packer.finish(soa)]) };
}

/** A zone whose messages are kept. */
function keptZone(
  { zoneMessages }: TransferDeps,
  request: RequestContext,
  served: ZoneWithSoa,
): TransferContent | undefined {
  const kept = zoneMessages.get(versionOf(served));
  return kept && { kind: "AXFR", messages: sealed(request, kept) };
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
