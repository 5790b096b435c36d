/**
 * Reads DNS messages (RFC 1035 §4, RFC 2136 §2, RFC 6891, RFC 8945 §5.1): names are expanded, record data is not checked. Limitations: at
 * most one OPT record, in the additional section; TSIG is last there; SIG(0) is read as an ordinary record.
 */

import type { Name } from "../name.ts";
import { WireReader } from "../wire.ts";
import { expandName, expandRdata, refuse } from "./compression.ts";
import { headerLength, MetaType, opcodeOf } from "./header.ts";

/** In an update, the zone to update (RFC 2136 §2.3). */
export interface Question {
  readonly name: Name;
  readonly type: number;
  readonly class: number;
}

export interface ResourceRecord extends Question {
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** RFC 6891 §6.1. */
interface Edns {
  readonly udpSize: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  readonly options: readonly { readonly code: number; readonly data: Uint8Array }[];
}

/** `answers` of an update are its prerequisites, `authority` its updates. OPT and TSIG are not in `additional`; TSIG is at `tsigAt`. */
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

/** Throws Malformed with reason `syntax`. */
export function readMessage(octets: Uint8Array): Message {
  if (octets.length < headerLength) refuse("it has no whole header");
  const reader = new MessageReader(octets);
  const [id, flags] = [reader.number(2), reader.number(2)];
  const counts = [reader.number(2), reader.number(2), reader.number(2), reader.number(2)] as const;
  const questions = reader.times(counts[0], () => reader.question());
  const answers = reader.times(counts[1], () => reader.record());
  const authority = reader.times(counts[2], () => reader.record());
  const { others: additional, opt, tsig, tsigAt } = readAdditional(reader, counts[3]);
  if (reader.left > 0) refuse("octets follow its last record");
  if ([...answers, ...authority].some(({ type }) => type === MetaType.OPT || type === MetaType.TSIG))
    refuse("OPT and TSIG belong in the additional section only");
  const extendedRcode = opt ? (opt.ttl >>> 24) << 4 : 0;
  const codes = { opcode: opcodeOf(flags), rcode: extendedRcode | (flags & 15) };
  const edns = opt && readEdns(opt);
  return { id, flags, ...codes, questions, answers, authority, additional, edns, tsig, tsigAt };
}

function readAdditional(reader: MessageReader, count: number) {
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
  const reader = new MessageReader(opt.rdata);
  const options = reader.list(() => ({ code: reader.number(2), data: reader.take(reader.number(2)) }));
  return { udpSize: opt.class, version: (opt.ttl >>> 16) & 255, dnssecOk: (opt.ttl & 0x8000) !== 0, options };
}

class MessageReader extends WireReader {
  override refuse(why: string): never {
    return refuse(why);
  }

  times<T>(count: number, read: () => T): T[] {
    const items: T[] = [];
    for (let left = count; left > 0; left -= 1) items.push(read());
    return items;
  }

  override name(): Name {
    const { name, end } = expandName(this.octets, this.at);
    this.at = end;
    return name;
  }

  question(): Question {
    return { name: this.name(), type: this.number(2), class: this.number(2) };
  }

  record(): ResourceRecord {
    const question = this.question();
    const ttl = this.number(4);
    const length = this.number(2);
    const start = this.at;
    this.take(length);
    return { ...question, ttl, rdata: expandRdata(this.octets, question.type, start, this.at) };
  }
}
