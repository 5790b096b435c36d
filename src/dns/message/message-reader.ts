/**
 * Reads DNS messages from the wire (RFC 1035 §4, RFC 2136 §2, RFC 6891, RFC 8945 §5.1): names are expanded, the length of the message
 * bounds everything, and malformed messages throw Malformed. Record data is not checked.
 * Limitations: at most one OPT record, in the additional section; TSIG is last there; SIG(0) is read as an ordinary record.
 */

import { Malformed } from "../malformed.ts";
import type { Name } from "../name.ts";
import { expandName, expandRdata } from "./compression.ts";
import { headerLength, MetaType, opcodeOf } from "./header.ts";

/** A question; in an update, the zone to update (RFC 2136 §2.3). */
export interface Question {
  readonly name: Name;
  readonly type: number;
  readonly class: number;
}

/** A resource record; `rdata` is uncompressed. */
export interface ResourceRecord extends Question {
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** The content of an OPT record (RFC 6891 §6.1). */
export interface Edns {
  readonly udpSize: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  readonly options: readonly { readonly code: number; readonly data: Uint8Array }[];
}

/**
 * A message. The sections of an update are its zone (`questions`), prerequisites (`answers`) and updates (`authority`).
 * OPT and TSIG are not in `additional`; `tsigAt` is the offset of the TSIG record in the message.
 */
export interface Message {
  readonly id: number;
  readonly flags: number;
  readonly opcode: number;
  /** Includes the upper eight bits of an OPT record. */
  readonly rcode: number;
  readonly questions: readonly Question[];
  readonly answers: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  readonly additional: readonly ResourceRecord[];
  readonly edns: Edns | undefined;
  readonly tsig: ResourceRecord | undefined;
  readonly tsigAt: number;
}

/** Reads a whole message; throws Malformed with reason `syntax`. */
export function readMessage(octets: Uint8Array): Message {
  const reader = new MessageReader(octets);
  const [id, flags] = [reader.u16(), reader.u16()];
  const counts = [reader.u16(), reader.u16(), reader.u16(), reader.u16()] as const;
  const questions = reader.list(counts[0], () => reader.question());
  const answers = reader.list(counts[1], () => reader.record());
  const authority = reader.list(counts[2], () => reader.record());
  const extra = readAdditional(reader, counts[3]);
  if (reader.at !== octets.length) refuse("octets follow its last record");
  if ([...answers, ...authority].some(({ type }) => type === MetaType.OPT || type === MetaType.TSIG))
    refuse("OPT and TSIG belong in the additional section only");
  const edns = extra.opt && readEdns(extra.opt);
  const extendedRcode = extra.opt ? (extra.opt.ttl >>> 24) << 4 : 0;
  return {
    id,
    flags,
    opcode: opcodeOf(flags),
    rcode: extendedRcode | (flags & 15),
    questions,
    answers,
    authority,
    additional: extra.others,
    edns,
    tsig: extra.tsig,
    tsigAt: extra.tsigAt,
  };
}

interface Additional {
  readonly others: readonly ResourceRecord[];
  readonly opt: ResourceRecord | undefined;
  readonly tsig: ResourceRecord | undefined;
  readonly tsigAt: number;
}

function readAdditional(reader: MessageReader, count: number): Additional {
  const others: ResourceRecord[] = [];
  let opt: ResourceRecord | undefined;
  let tsig: ResourceRecord | undefined;
  let tsigAt = 0;
  for (let left = count; left > 0; left -= 1) {
    const at = reader.at;
    const record = reader.record();
    if (record.type === MetaType.OPT) {
      if (opt) refuse("it has two OPT records"); // RFC 6891 §6.1.1
      if (record.name.length !== 1) refuse("its OPT record is not at the root");
      opt = record;
    } else if (record.type === MetaType.TSIG) {
      if (left !== 1) refuse("its TSIG record is not the last"); // RFC 8945 §5.1
      tsig = record;
      tsigAt = at;
    } else {
      others.push(record);
    }
  }
  return { others, opt, tsig, tsigAt };
}

function readEdns(opt: ResourceRecord): Edns {
  const reader = new MessageReader(opt.rdata, 0);
  const options: { code: number; data: Uint8Array }[] = [];
  while (reader.at < opt.rdata.length) {
    const code = reader.u16();
    options.push({ code, data: reader.take(reader.u16()) });
  }
  return { udpSize: opt.class, version: (opt.ttl >>> 16) & 255, dnssecOk: (opt.ttl & 0x8000) !== 0, options };
}

function refuse(why: string): never {
  throw new Malformed("syntax", `The message is malformed: ${why}.`);
}

class MessageReader {
  readonly octets: Uint8Array;
  at = 0;

  constructor(octets: Uint8Array, least = headerLength) {
    if (octets.length < least) refuse("it has no whole header");
    this.octets = octets;
  }

  take(count: number): Uint8Array {
    if (this.at + count > this.octets.length) refuse("it ends too early");
    this.at += count;
    return this.octets.subarray(this.at - count, this.at);
  }

  u16(): number {
    const [high = 0, low = 0] = this.take(2);
    return high * 256 + low;
  }

  u32(): number {
    return this.u16() * 65536 + this.u16();
  }

  list<T>(count: number, read: () => T): T[] {
    const items: T[] = [];
    for (let left = count; left > 0; left -= 1) items.push(read());
    return items;
  }

  name(): Name {
    const { name, end } = expandName(this.octets, this.at);
    this.at = end;
    return name;
  }

  question(): Question {
    return { name: this.name(), type: this.u16(), class: this.u16() };
  }

  record(): ResourceRecord {
    const question = this.question();
    const ttl = this.u32();
    const length = this.u16();
    const start = this.at;
    this.take(length);
    return { ...question, ttl, rdata: expandRdata(this.octets, question.type, start, this.at) };
  }
}
