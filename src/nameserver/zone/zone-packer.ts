/**
 * The messages of whole zones (AXFR, RFC 5936 §2.2), packed for any client. Names end in a pointer to the zone's name: the question of the
 * first message, the first owner of the others (RFC 1035 §4.1.4).
 */
import { Class, headerLength } from "../../dns/message/header.ts";
import { type Name, parseName } from "../../dns/name.ts";
import { typeCode } from "../../dns/type-codes.ts";
import type { ServedRecord } from "./zone-reader.ts";

/** A prepared message has neither header, question, OPT record nor signature. */
export interface TransferMessage {
  readonly octets: Uint8Array;
  readonly records: number;
  readonly isLast: boolean;
}

/** A message of this size gets no further record: compression pointers reach no further. */
export const fullMessage = 16_000;

/** Of a message of several records: a record that does not fit is alone in the next one. */
const maxOctetsOfSeveral = 32_000;
/** The first message must not contain only the SOA: to IXFR that means "no differences" (RFC 1995 §2). */
const maxOctetsOfFirst = 64_000;

const maxRecordHead = 255 + 10;

const questionTail = 4;

const pointerReach = 0x4000;
const pointer = 0xc000;

/** Four characters (`\DDD`) for each octet of a name. */
const maxOwnerText = 4 * 255;

/** Octets of a row of PostgreSQL's binary form before its first field, and before each field. */
const rowHead = 2;
const fieldHead = 4;

const [at, dot, backslash] = [0x40, 0x2e, 0x5c];
const apexOwner = Buffer.from("@");

export class ZonePacker {
  readonly #apex: Name;
  readonly #octets = Buffer.allocUnsafe(maxRecordHead + 65_535);
  #limit = maxOctetsOfFirst;
  #length = 0;
  #records = 0;
  /** Offsets in the message: of the octets, and of the zone's name, 0 before it is written. */
  #start: number;
  #apexAt = headerLength;
  /** The last owner as text, and the offset of its name, 0 in a new message. */
  readonly #owner = Buffer.allocUnsafe(maxOwnerText);
  #ownerLength = 0;
  #ownerAt = 0;
  #type = "";
  #typeCode = 0;

  constructor(apex: Name) {
    this.#apex = apex;
    this.#start = headerLength + apex.length + questionTail;
  }

  addAtApex({ type, ttl, wire }: Omit<ServedRecord, "owner">): void {
    this.#add(apexOwner, 0, 1, typeCode(type) as number, ttl, wire, 0, wire.length);
  }

  /** In the form of `readZoneRows`. Yields the messages that become full. */
  *addRows(rows: readonly Buffer[]): Generator<TransferMessage> {
    for (const row of rows) {
      const ownerAt = rowHead + fieldHead;
      const ownerEnd = ownerAt + row.readUInt32BE(rowHead);
      const typeAt = ownerEnd + fieldHead;
      const typeEnd = typeAt + row.readUInt32BE(ownerEnd);
      const ttlAt = typeEnd + fieldHead;
      const wireAt = ttlAt + 4 + fieldHead;
      if (!this.#hasRoom(row.length - wireAt)) yield this.#take();
      const type = this.#codeOf(row, typeAt, typeEnd);
      this.#add(row, ownerAt, ownerEnd, type, row.readUInt32BE(ttlAt), row, wireAt, row.length);
    }
  }

  /** Yields the messages that become full. */
  *addRecords(records: readonly ServedRecord[]): Generator<TransferMessage> {
    for (const { owner, type, ttl, wire } of records) {
      if (!this.#hasRoom(wire.length)) yield this.#take();
      const name = Buffer.from(owner, "latin1");
      this.#add(name, 0, name.length, typeCode(type) as number, ttl, wire, 0, wire.length);
    }
  }

  *finish(soa: Omit<ServedRecord, "owner">): Generator<TransferMessage> {
    if (this.#isFull) yield this.#take();
    this.addAtApex(soa);
    yield this.#take(true);
  }

  get #size(): number {
    return this.#start + this.#length;
  }

  get #isFull(): boolean {
    return this.#size >= fullMessage;
  }

  /** Whether a record fits; the first always does. */
  #hasRoom(octets: number): boolean {
    return !this.#isFull && (this.#records === 0 || this.#size + maxRecordHead + octets <= this.#limit);
  }

  #take(isLast = false): TransferMessage {
    const message = {
      octets: Uint8Array.prototype.slice.call(this.#octets, 0, this.#length),
      records: this.#records,
      isLast,
    };
    [this.#start, this.#length, this.#records, this.#apexAt, this.#ownerAt] = [headerLength, 0, 0, 0, 0];
    this.#limit = maxOctetsOfSeveral;
    return message;
  }

  #codeOf(block: Buffer, start: number, end: number): number {
    const type = block.toString("latin1", start, end);
    if (type !== this.#type) [this.#type, this.#typeCode] = [type, typeCode(type) as number];
    return this.#typeCode;
  }

  #add(
    owners: Buffer,
    ownerStart: number,
    ownerEnd: number,
    type: number,
    ttl: number,
    wires: Uint8Array,
    wireStart: number,
    wireEnd: number,
  ): void {
    this.#name(owners, ownerStart, ownerEnd);
    const [octets, length, size] = [this.#octets, this.#length, wireEnd - wireStart];
    octets.writeUInt16BE(type, length);
    octets.writeUInt16BE(Class.IN, length + 2);
    octets.writeUInt32BE(ttl, length + 4);
    octets.writeUInt16BE(size, length + 8);
    if (size > 32) octets.set(wires.subarray(wireStart, wireEnd), length + 10);
    else for (let i = 0; i < size; i += 1) octets[length + 10 + i] = wires[wireStart + i] as number;
    this.#length = length + 10 + size;
    this.#records += 1;
  }

  #name(owners: Buffer, start: number, end: number): void {
    const isApex = end - start === 1 && owners[start] === at;
    if (!isApex && this.#isLastOwner(owners, start, end)) {
      this.#pointTo(this.#ownerAt);
      return;
    }
    if (!isApex) {
      this.#ownerAt = this.#size;
      this.#ownerLength = owners.copy(this.#owner, 0, start, end);
      if (!this.#plainLabels(owners, start, end)) this.#labels(owners.toString("latin1", start, end));
    }
    this.#suffix();
  }

  #labels(owner: string): void {
    const name = parseName(owner, this.#apex);
    const labels = name.length - this.#apex.length;
    this.#octets.set(name.subarray(0, labels), this.#length);
    this.#length += labels;
  }

  #isLastOwner(owners: Buffer, start: number, end: number): boolean {
    const isReached = this.#ownerAt > 0 && this.#ownerAt < pointerReach;
    return (
      isReached &&
      end - start === this.#ownerLength &&
      owners.compare(this.#owner, 0, this.#ownerLength, start, end) === 0
    );
  }

  /** Returns false, and writes nothing, for an owner with an escape. */
  #plainLabels(owners: Buffer, start: number, end: number): boolean {
    const octets = this.#octets;
    let lengthAt = this.#length;
    let to = lengthAt + 1;
    for (let from = start; from < end; from += 1) {
      const octet = owners[from] as number;
      if (octet === backslash) return false;
      if (octet === dot) {
        octets[lengthAt] = to - lengthAt - 1;
        lengthAt = to;
      } else {
        octets[to] = octet;
      }
      to += 1;
    }
    octets[lengthAt] = to - lengthAt - 1;
    this.#length = to;
    return true;
  }

  #suffix(): void {
    if (this.#apexAt > 0) {
      this.#pointTo(this.#apexAt);
    } else {
      this.#apexAt = this.#size;
      this.#octets.set(this.#apex, this.#length);
      this.#length += this.#apex.length;
    }
  }

  #pointTo(offset: number): void {
    this.#octets.writeUInt16BE(pointer | offset, this.#length);
    this.#length += 2;
  }
}
