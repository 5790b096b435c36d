/**
 * Writes DNS messages (RFC 1035 §4, RFC 6891). Only names with the same letter case are shared by compression, so that data keeps its case.
 */

import { type Name, rootName } from "../name.ts";
import { compressible } from "./compression.ts";
import { type Header, headerLength, MetaType, maxMessageLength, Section } from "./header.ts";
import type { Question, ResourceRecord } from "./message-reader.ts";

/** The OPT record that `edns` writes, and the head of its padding option, octets. */
export const optLength = 11;
export const paddingHeadLength = 4;

/** RFC 7830. */
export const paddingOption = 12;

const pointerReach = 0x4000;

/** The methods return false for records that do not fit. */
export class MessageWriter {
  readonly limit: number;
  /** The flags of the header; they can be changed until the message is finished. */
  flags: number;
  length = headerLength;
  #octets: Buffer;
  readonly #id: number;
  readonly #counts = [0, 0, 0, 0];
  readonly #offsets = new Map<string, number>();
  #lastNames: string[] = [];

  constructor({ id, flags }: Header, limit: number = maxMessageLength) {
    this.#id = id;
    this.flags = flags;
    this.limit = limit;
    this.#octets = Buffer.allocUnsafe(Math.min(limit, 2048) + headerLength);
  }

  count(section: Section): number {
    return this.#counts[section] as number;
  }

  /** Adds a question. Every message has room for one. */
  question({ name, type, class: of }: Question): void {
    this.#name(name);
    this.#number(type, 2);
    this.#number(of, 2);
    this.#counts[Section.QUESTION] = this.count(Section.QUESTION) + 1;
  }

  /** Leaves the message unchanged when the record does not fit. */
  add(section: Section, { name, type, class: of, ttl, rdata }: ResourceRecord, limit: number = this.limit): boolean {
    const start = this.length;
    this.#lastNames = [];
    this.#name(name);
    this.#number(type, 2);
    this.#number(of, 2);
    this.#number(ttl, 4);
    const lengthAt = this.length;
    this.#number(0, 2);
    this.#rdata(type, rdata);
    if (this.length > limit) {
      this.length = start;
      for (const text of this.#lastNames) this.#offsets.delete(text);
      return false;
    }
    this.#octets.writeUInt16BE(this.length - lengthAt - 2, lengthAt);
    this.#counts[section] = this.count(section) + 1;
    return true;
  }

  /** Adds records in order and stops at the first one that does not fit. */
  addAll(section: Section, records: readonly ResourceRecord[]): boolean {
    return records.every((record) => this.add(section, record));
  }

  /** Adds octets that were packed in advance for exactly this position of the message. */
  addPacked(section: Section, octets: Uint8Array, records: number): boolean {
    if (this.length + octets.length > this.limit) return false;
    const at = this.#reserve(octets.length);
    this.#octets.set(octets, at);
    this.#counts[section] = this.count(section) + records;
    return true;
  }

  /**
   * Adds the OPT record; the limit leaves room for it. It holds the upper bits of an rcode above 15 (RFC 6891 §6.1), and `padding` octets
   * of padding, if given.
   */
  edns(udpSize: number, rcode: number, dnssecOk: boolean, padding?: number): void {
    const ttl = (rcode >> 4) * 0x1000000 + (dnssecOk ? 0x8000 : 0);
    const rdata = padding === undefined ? new Uint8Array() : paddingOf(padding);
    const opt = { name: rootName, type: MetaType.OPT, class: udpSize, ttl, rdata };
    this.flags = (this.flags & ~15) | (rcode & 15);
    this.add(Section.ADDITIONAL, opt, this.limit + optLength + rdata.length);
  }

  mark() {
    return { length: this.length, counts: [...this.#counts] };
  }

  rewind({ length, counts }: ReturnType<MessageWriter["mark"]>): void {
    this.length = length;
    for (const [section, count] of counts.entries()) this.#counts[section] = count;
    for (const [text, at] of this.#offsets) if (at >= length) this.#offsets.delete(text);
  }

  /** A view of the buffer of the writer. */
  finish(): Uint8Array {
    this.#octets.writeUInt16BE(this.#id, 0);
    this.#octets.writeUInt16BE(this.flags, 2);
    for (const [at, count] of this.#counts.entries()) this.#octets.writeUInt16BE(count, 4 + 2 * at);
    return this.#octets.subarray(0, this.length);
  }

  #rdata(type: number, rdata: Uint8Array): void {
    const { before, names } = (rdata.length > 0 && compressible.get(type)) || { before: 0, names: 0 };
    this.#bytes(rdata, 0, before);
    let at = before;
    for (let i = names; i > 0; i -= 1) {
      const end = nameEnd(rdata, at);
      this.#name(rdata.subarray(at, end));
      at = end;
    }
    this.#bytes(rdata, at, rdata.length);
  }

  #name(name: Name): void {
    const text = Buffer.from(name.buffer, name.byteOffset, name.length).toString("latin1");
    let at = 0;
    for (let label = name[0] ?? 0; label !== 0; label = name[at] ?? 0) {
      const suffix = at === 0 ? text : text.slice(at);
      const offset = this.#offsets.get(suffix);
      if (offset !== undefined) {
        this.#number(0xc000 | offset, 2);
        return;
      }
      if (this.length < pointerReach) {
        this.#offsets.set(suffix, this.length);
        this.#lastNames.push(suffix);
      }
      this.#bytes(name, at, at + label + 1);
      at += label + 1;
    }
    this.#number(0, 1);
  }

  #bytes(from: Uint8Array, start: number, end: number): void {
    const at = this.#reserve(end - start);
    if (end - start > 32) this.#octets.set(start === 0 && end === from.length ? from : from.subarray(start, end), at);
    else for (let i = start; i < end; i += 1) this.#octets[at + i - start] = from[i] as number;
  }

  #number(value: number, size: 1 | 2 | 4): void {
    const at = this.#reserve(size);
    this.#octets.writeUIntBE(value, at, size);
  }

  #reserve(count: number): number {
    const start = this.length;
    if (start + count > this.#octets.length) {
      const grown = Buffer.allocUnsafe(Math.max(start + count, 2 * this.#octets.length));
      this.#octets.copy(grown, 0, 0, start);
      this.#octets = grown;
    }
    this.length = start + count;
    return start;
  }
}

function paddingOf(octets: number): Uint8Array {
  const option = new Uint8Array(paddingHeadLength + octets);
  option.set([0, paddingOption, octets >> 8, octets & 255]);
  return option;
}

function nameEnd(rdata: Uint8Array, at: number): number {
  let end = at;
  for (let label = rdata[end] ?? 0; label !== 0; label = rdata[end] ?? 0) end += label + 1;
  return end + 1;
}
