/**
 * Parses master files with bounded memory (RFC 1035 §5, $TTL and its defaults RFC 2308 §4, RFC 3597 §5). A problem is reported with its
 * first line, and reading continues, up to `maxProblems`. Limitations: only class IN; $INCLUDE is refused; the importer checks whether an
 * owner is in the zone.
 */

import { seconds } from "../fields/number.ts";
import { Malformed, quote, syntaxError } from "../malformed.ts";
import { type Name, nameText, parseName } from "../name.ts";
import { genericText, parseRdataFrom, printRdata } from "../rdata/rdata.ts";
import { type RecordType, recordType } from "../rdata/record-type-registry.ts";
import { soaMinimum } from "../rdata/soa.ts";
import { type CompletedName, TextReader } from "../text-reader.ts";
import { typeText } from "../type-codes.ts";
import { type Entry, EntrySplitter } from "./entry-splitter.ts";
import { generatedRecords } from "./generate.ts";

const maxTtl = 2 ** 31 - 1;
export const maxProblems = 100;

export interface MasterRecord {
  /** Of its first line, from 1. */
  readonly line: number;
  readonly owner: Name;
  /** Seconds, 0 to 2147483647. */
  readonly ttl: number;
  /** May be a type that only a signer creates (not `creatable`); an importer then omits the record with a warning. */
  readonly type: RecordType;
  readonly wire: Uint8Array;
  /** For warnings. */
  readonly completed: readonly CompletedName[];
  /** Parts that are not DNS data and are lost. */
  readonly marks: readonly Mark[];
}

/** The aging time of Windows DNS, or the routing policy of Route 53. */
export type Mark = "aging" | "routing";

/** A record only for the server that wrote it; an importer omits it. */
interface MasterOmission {
  readonly line: number;
  readonly omitted: string;
}

export type MasterItem = MasterRecord | MasterProblem | MasterOmission;

interface MasterProblem {
  readonly line: number;
  readonly problem: Malformed;
}

export interface MasterFileOptions {
  /** Completes relative names before the first `$ORIGIN`. */
  readonly origin: Name;
  /** The TTL for records before the first TTL in the file. Without this option such a record is a problem, unless it is an SOA. */
  readonly defaultTtl?: number;
}

/** Throws Malformed with reason `ttl`. */
function parseTtl(text: string): number {
  const ttl = seconds(text, maxTtl);
  if (ttl === undefined)
    throw new Malformed(
      "ttl",
      `${quote(text)} is not a TTL; write seconds from 0 to 2147483647, or units such as 1h30m.`,
    );
  return ttl;
}

export class MasterFileReader {
  readonly #splitter = new EntrySplitter();
  #origin: Name;
  /**
   * The TTL of `$TTL`. Without one, a record without a TTL gets the last TTL that was written (RFC 1035 §5.1), otherwise the default TTL of
   * the options.
   */
  #dollarTtl: number | undefined;
  #lastTtl: number | undefined;
  /** The last owner, which applies to a record that begins with a blank; "unread" when the last record was malformed. */
  #owner: Name | "unread" | undefined;
  #problems = 0;

  constructor(options: MasterFileOptions) {
    this.#origin = options.origin;
    this.#lastTtl = options.defaultTtl;
  }

  /** The items that end in this chunk. */
  *push(chunk: string): Generator<MasterItem> {
    yield* this.#read(this.#splitter.push(chunk));
  }

  /** The remaining items. */
  *end(): Generator<MasterItem> {
    yield* this.#read(this.#splitter.end());
  }

  /** Reads one record from a text of its own, outside of the chunks. */
  *record(line: number, text: string, marks: readonly Mark[]): Generator<MasterItem> {
    yield* this.#read([{ line, text }], marks);
  }

  *#read(entries: Iterable<Entry>, marks: readonly Mark[] = []): Generator<MasterItem> {
    for (const entry of entries) {
      for (const item of this.#items(entry, marks)) {
        if (this.#problems >= maxProblems) return;
        yield item;
        if (!("problem" in item)) continue;
        this.#problems += 1;
        if (this.#problems === maxProblems)
          yield {
            line: item.line,
            problem: syntaxError(`There are ${maxProblems} problems so far; the rest was not read.`),
          };
      }
    }
  }

  /** A $GENERATE ends at its first problem. */
  *#items(entry: Entry, marks: readonly Mark[]): Generator<MasterItem> {
    const { line } = entry;
    try {
      if (!("text" in entry))
        throw syntaxError(`${entry.tooLong} is longer than a record can be; is a parenthesis not closed?`);
      const [directive] = /^\$GENERATE(?=\s)/i.exec(entry.text) ?? [];
      if (directive === undefined) {
        const item = this.#entry(line, entry.text, marks);
        if (item) yield item;
        return;
      }
      for (const text of generatedRecords(entry.text.slice(directive.length))) {
        const item = this.#record(line, text, marks);
        if (item) yield item;
      }
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      yield { line, problem: error };
    }
  }

  #entry(line: number, text: string, marks: readonly Mark[]): MasterItem | undefined {
    if (!text.startsWith("$")) return this.#record(line, text, marks);
    this.#directive(new TextReader(text, { origin: this.#origin, context: "master" }));
    return undefined;
  }

  #record(line: number, text: string, marks: readonly Mark[]): MasterItem | undefined {
    const completed: CompletedName[] = [];
    const onCompleted = (name: CompletedName) => completed.push(name);
    const reader = new TextReader(text, { origin: this.#origin, context: "master", onCompleted });
    if (reader.peek() === undefined) return undefined;
    reader.field = "owner";
    if (!/^[ \t]/.test(text)) this.#readOwner(reader);
    const { ttl, type, isAged } = this.#readHead(reader);
    if (typeof type === "string") return { line, omitted: type };
    const wire = parseRdataFrom(reader, type);
    const owner = this.#owner;
    if (owner === undefined) throw syntaxError("The first record begins with a blank; write its owner there.");
    if (owner === "unread") return undefined;
    return {
      line,
      owner,
      ttl: ttl ?? this.#impliedTtl(type, wire),
      type,
      wire,
      completed,
      marks: marksOf(text, isAged, marks),
    };
  }

  #readOwner(reader: TextReader): void {
    this.#owner = "unread";
    this.#owner = parseName(reader.word("the owner"), this.#origin);
  }

  /** TTL and class in any order, each optional, then the type (RFC 1035 §5.1). */
  #readHead(reader: TextReader): { ttl: number | undefined; type: RecordType | string; isAged: boolean } {
    let ttl: number | undefined;
    let inClass = false;
    let isAged = false;
    for (;;) {
      reader.field = "type";
      const word = reader.word("a record type such as MX");
      if (/^[0-9]/.test(word) && ttl === undefined) {
        ttl = parseTtl(word);
        this.#lastTtl = ttl;
      } else if (/^(?:IN|CLASS1)$/i.test(word) && !inClass) {
        inClass = true;
      } else if (/^\[AG(?:E|ING):\d+\]$/i.test(word)) {
        isAged = true;
      } else if (/^(?:CH|HS|CS|NONE|CLASS[0-9]+)$/i.test(word)) {
        throw syntaxError(`The class is ${quote(word)}; only IN is kept here.`);
      } else {
        return { ttl, type: notZoneData(word) ?? recordType(word), isAged };
      }
    }
  }

  #impliedTtl(type: RecordType, wire: Uint8Array): number {
    const ttl = this.#dollarTtl ?? this.#lastTtl;
    if (ttl !== undefined) return ttl;
    if (type.mnemonic !== "SOA")
      throw new Malformed(
        "ttl",
        "The record has no TTL, nor has any record before it; write one, or $TTL at the top of the file.",
      );
    // In a file without a TTL, the last field of the SOA is the TTL (RFC 1035 §3.3.13).
    this.#lastTtl = Math.min(maxTtl, soaMinimum(wire));
    return this.#lastTtl;
  }

  #directive(reader: TextReader): void {
    reader.field = "directive";
    const word = reader.word("a directive").toUpperCase();
    reader.field = word;
    if (word === "$ORIGIN") this.#origin = parseName(reader.word("a domain name"), this.#origin);
    else if (word === "$TTL") this.#dollarTtl = parseTtl(reader.word("a TTL"));
    else if (word === "$INCLUDE")
      throw syntaxError(
        "$INCLUDE is refused, as that file is not here; flatten this one first, with BIND's " +
          "named-compilezone -f text -F text -s full -o flat.zone ZONE FILE.",
      );
    else
      throw syntaxError(
        `${quote(word)} is not a directive; $ORIGIN, $TTL and $GENERATE are, ` +
          "and an owner that begins with a dollar is written \\$.",
      );
    reader.finish();
  }
}

/** Undefined for a type of zone data. Throws Malformed for aliases. */
function notZoneData(word: string): string | undefined {
  const type = word.toUpperCase();
  if (type === "WINS" || type === "WINSR") return `${type} is a setting of Windows DNS and no zone data`;
  if (type !== "AWS" && type !== "ALIAS" && type !== "ANAME") return undefined;
  const alias = type === "AWS" ? "An alias of Route 53 (AWS ALIAS)" : type;
  throw new Malformed(
    "type",
    `${alias} is resolved by the service that it is from and is no zone data; write the addresses that it leads to, ` +
      "or below the apex a CNAME.",
  );
}

function marksOf(text: string, isAged: boolean, marks: readonly Mark[]): readonly Mark[] {
  const isRouted = text.includes(";") && /;\s*AWS\s+routing=/i.test(text);
  if (!isAged && !isRouted) return marks;
  return [...marks, ...(isAged ? (["aging"] as const) : []), ...(isRouted ? (["routing"] as const) : [])];
}

/** One line with a line feed: absolute owner, TTL, class, type, data. */
export function recordLine(owner: Name, ttl: number, type: RecordType, wire: Uint8Array): string {
  // A type that some servers do not know by name is printed in a form that every server reads (RFC 3597 §5).
  const mnemonic = typeText(type.code);
  const data = mnemonic === type.mnemonic ? printRdata(type, wire) : genericText(wire);
  return `${nameText(owner)}\t${ttl}\tIN\t${mnemonic}\t${isMisreadAsText(mnemonic, data) ? genericText(wire) : data}\n`;
}

/**
 * Whether NSD refuses the data as text but accepts it as wire: a CAA tag of more than 15 characters, escapes in the gateway of IPSECKEY,
 * TYPE0 in a bitmap.
 */
function isMisreadAsText(mnemonic: string, data: string): boolean {
  if (mnemonic === "CAA") return /^[0-9]+ [A-Za-z0-9]{16}/.test(data);
  if (mnemonic === "IPSECKEY") return data.includes("\\");
  return mnemonic === "CSYNC" && / TYPE0(?: |$)/.test(data);
}
