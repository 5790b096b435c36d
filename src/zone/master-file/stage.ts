/**
 * Reads a master file into the staging table. Every record is made canonical, and every problem is reported with its line. With a warning
 * each, equal records are left out, records of a signer are left out, and an RRset takes its first TTL. Apex SOAs are not staged; the
 * import chooses among them.
 */

import { Malformed } from "../../dns/malformed.ts";
import type { Mark, MasterItem, MasterRecord } from "../../dns/master-file/parser.ts";
import { type Chunks, readMasterFile } from "../../dns/master-file/read.ts";
import { nameText, ownerText, zoneNameWire } from "../../dns/name.ts";
import { damageOfText } from "../../dns/rdata/damaged-text.ts";
import { printRdata } from "../../dns/rdata/rdata.ts";
import { belongsToSigner, mustBeCreatable, type RecordType } from "../../dns/rdata/record-type-registry.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { defaultTtl, type Policy } from "../../session/operator-policy.ts";
import { codeOfMalformed } from "../../session/parse-field.ts";
import { allowTimeFor } from "../../session/transaction.ts";
import type { Carrier } from "../../sql/sql.ts";
import { pause } from "../../turns/queues.ts";
import { digestOf } from "../edit/canonical-record.ts";
import type { Notice, NoticeCode } from "../edit/notice.ts";
import { createStaging, type ImportMode, type StagedRecord, settleStagedTtls, stage } from "./staging-sql.ts";

/** A staged file: the number of staged records, its apex SOAs in order, and notices about corrections. */
export interface StagedFile {
  readonly records: number;
  readonly soas: readonly StagedRecord[];
  readonly notices: Notices;
}

type LineOfRecord = Pick<Notice, "owner" | "type"> & { readonly line: number };

export class Notices {
  readonly #kept: Notice[] = [];
  #count = 0;

  add(...notices: readonly Notice[]): void {
    for (const notice of notices) {
      if (this.#kept.length < 100) this.#kept.push(notice);
      this.#count += 1;
    }
  }

  addLine(code: NoticeCode, { line, owner, type }: LineOfRecord, sentence: string): void {
    this.add({ code, message: `line ${line}: ${sentence}`, line, owner, type });
  }

  list(): Notice[] {
    return [...this.#kept];
  }

  get count(): number {
    return this.#count;
  }
}

const batchSize = 1000;

/** Records that are read between two pauses, which takes two or three ms. */
const pieceSize = 100;

export interface StageOptions {
  readonly mode: ImportMode;
  /** Whether lines that no zone can hold, such as an ALIAS or a CNAME at the apex, are left out with a warning instead of refused. */
  readonly skipUnsupported?: boolean | undefined;
  readonly onRecords?: ((count: number) => void) | undefined;
  /** Called with the number of records staged so far while more follow; an exception ends the reading. */
  readonly mayGoOn?: ((count: number) => void) | undefined;
}

/** Stages a file; throws a Refusal with at most a hundred problems. */
export async function stageMasterFile(
  db: Carrier,
  zone: string,
  text: Chunks,
  policy: Policy,
  { mode, skipUnsupported = false, onRecords, mayGoOn }: StageOptions,
): Promise<StagedFile> {
  await createStaging(db);
  const reader = new RecordReader(zone, policy, skipUnsupported);
  let batch: StagedRecord[] = [];
  let count = 0;
  let staged = 0;
  let items = 0;
  const origin = zoneNameWire(zone);
  // A file that replaces a zone states its TTLs (RFC 1035 §5.1); a file that is merged need not.
  const options = mode === "MERGE" ? { origin, defaultTtl: defaultTtl(policy) } : { origin };
  const store = async (records: readonly StagedRecord[]) => {
    const fresh = await stage(db, records);
    for (const record of records) {
      const sentence = `${record.owner} ${record.type} is equal to an earlier record and was left out.`;
      if (!fresh.has(record.line)) reader.notices.addLine("EQUAL_RECORD", record, sentence);
    }
    count += records.length;
    staged += fresh.size;
    onRecords?.(count);
  };
  // The next batch is read while the database stores the last one.
  let storing = Promise.resolve();
  const flush = async () => {
    await storing;
    storing = store(batch);
    // Awaited before the next batch is stored, unless reading fails first.
    storing.catch(() => {});
    batch = [];
  };
  for await (const item of readMasterFile(text, options)) {
    const record = reader.read(item);
    if (record && reader.reasons.length === 0) batch.push(record);
    if (batch.length === batchSize) {
      await flush();
      mayGoOn?.(staged);
    }
    items += 1;
    if (items % pieceSize === 0) await pause();
    if (reader.reasons.length >= 100) break;
  }
  if (reader.reasons.length === 0) await flush();
  await storing;
  if (reader.reasons.length > 0) throw Refusal.of(reader.reasons);
  reader.warnOfLosses();
  await allowTimeFor(db, staged);
  for (const { line, owner, type, ttl } of await settleStagedTtls(db, 100)) {
    const sentence = `the RRset's first TTL, ${ttl}, is used for all its records (RFC 2181 §5.2).`;
    reader.notices.addLine("TTL_UNIFIED", { line, owner, type }, sentence);
  }
  return { records: staged, soas: reader.soas, notices: reader.notices };
}

interface Lines {
  readonly code: NoticeCode;
  readonly first: number;
  readonly count: number;
}

const lossOf: Readonly<Record<Mark, string>> = {
  aging: "the aging time of Windows DNS was left out",
  routing: "the routing policy of Route 53 was left out, so that every client gets the record",
};

/** A CNAME at the apex, where a zone has its SOA (RFC 1034 §3.6.2). */
class CnameAtApex extends Malformed {}

class RecordReader {
  readonly reasons: Reason[] = [];
  readonly notices = new Notices();
  readonly soas: StagedRecord[] = [];
  readonly #zone: string;
  readonly #origin: Uint8Array;
  readonly #policy: Policy;
  readonly #skipUnsupported: boolean;
  readonly #losses = new Map<string, Lines>();
  #hasSignatures = false;
  #hasKeys = false;

  constructor(zone: string, policy: Policy, skipUnsupported: boolean) {
    this.#zone = zone;
    this.#origin = zoneNameWire(zone);
    this.#policy = policy;
    this.#skipUnsupported = skipUnsupported;
  }

  /** Returns the record to stage; undefined for an apex SOA, and for a record that is left out or wrong. */
  read(item: MasterItem): StagedRecord | undefined {
    const { line } = item;
    try {
      if ("problem" in item) throw item.problem;
      if ("omitted" in item) {
        this.notices.addLine("LEFT_OUT", { line }, `${item.omitted}; it was left out.`);
        return undefined;
      }
      return this.#record(item);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      if (this.#skipUnsupported && error.reason === "type")
        this.notices.addLine("LEFT_OUT", { line }, `left out. ${error.message}`);
      else {
        const message = `line ${line}: ${error.message}`;
        if (error instanceof CnameAtApex)
          this.reasons.push({ code: "RECORD_CONFLICT", message, line, owner: "@", type: "CNAME" });
        else this.reasons.push({ code: codeOfMalformed[error.reason], message, line });
      }
      return undefined;
    }
  }

  /** Adds one notice for each kind of loss, and for keys that are kept without signatures. */
  warnOfLosses(): void {
    for (const [sentence, { code, first, count }] of this.#losses) {
      const more = count > 1 ? `; also in ${count - 1} more ${count > 2 ? "lines" : "line"}` : "";
      this.notices.addLine(code, { line: first }, `${sentence}${more}.`);
    }
    if (this.#hasSignatures && this.#hasKeys)
      this.notices.add({
        code: "UNSIGNED_ZONE",
        message:
          "The signatures were left out and the DNSKEY records kept: while the parent zone has a DS, resolvers refuse the unsigned zone. " +
          "Have it signed by a secondary with these keys, or the DS removed before.",
        owner: "@",
        type: "DNSKEY",
      });
  }

  #lose(sentence: string, line: number, code: NoticeCode = "LEFT_OUT"): void {
    const { first = line, count = 0 } = this.#losses.get(sentence) ?? {};
    this.#losses.set(sentence, { code, first, count: count + 1 });
  }

  #record({ line, owner: name, ttl, type, wire, completed, marks }: MasterRecord): StagedRecord | undefined {
    const owner = this.#ownerOf(name, type, line);
    if (belongsToSigner(type)) {
      this.#hasSignatures ||= type.mnemonic === "RRSIG";
      this.#lose(`${type.mnemonic} belongs to the signer of the zone and was left out`, line);
      return undefined;
    }
    mustBeCreatable(type);
    const { ttlMin, ttlMax } = this.#policy;
    if (ttl < ttlMin || ttl > ttlMax)
      throw new Malformed("ttl", `The TTL is ${ttl}; write seconds from ${ttlMin} to ${ttlMax}.`);
    if (owner === "@" && type.mnemonic === "CNAME")
      throw new CnameAtApex("type", "A CNAME cannot be at the apex; write the addresses that it leads to.");
    for (const { written, name: full } of completed) {
      const sentence = `${written} is relative and became ${full}; end it with a dot if it is a full name.`;
      this.notices.addLine("NAME_COMPLETED", { line, owner, type: type.mnemonic }, sentence);
    }
    const damage = damageOfText(type, wire);
    if (damage) {
      const sentence = `the text ${damage.sentence} ${damage.fileHint}`;
      this.notices.addLine("DAMAGED_TEXT", { line, owner, type: type.mnemonic }, sentence);
    }
    for (const mark of marks) this.#lose(lossOf[mark], line);
    if (ttl === 1)
      this.#lose(
        'the TTL is 1 s, which stands for "automatic" in exports of Cloudflare; write the one that you want, such as 300',
        line,
        "AUTOMATIC_TTL",
      );
    this.#hasKeys ||= owner === "@" && type.mnemonic === "DNSKEY";
    const record = {
      line,
      owner,
      type: type.mnemonic,
      ttl,
      rdata: printRdata(type, wire),
      wire,
      digest: digestOf(type, wire),
    };
    if (type.mnemonic !== "SOA" || owner !== "@") return record;
    this.#addSoa(record);
    return undefined;
  }

  /** Returns the relative owner. Warns of an owner that ends in the zone's name twice, which was probably written without its final dot. */
  #ownerOf(name: Uint8Array, type: RecordType, line: number): string {
    const owner = ownerText(name, this.#origin);
    if (owner !== this.#zone && !owner.endsWith(`.${this.#zone}`)) return owner;
    // An SOA is only at the apex, so the intended owner is certain.
    if (type.mnemonic === "SOA" && owner === this.#zone) {
      const sentence = `the owner of the SOA, ${owner}, has no dot at its end; it was taken for the zone.`;
      this.notices.addLine("NAME_COMPLETED", { line, owner: "@", type: "SOA" }, sentence);
      return "@";
    }
    const sentence = `the owner ${owner} is relative and became ${nameText(name)}; end it with a dot if it is a full name.`;
    this.notices.addLine("NAME_COMPLETED", { line, owner, type: type.mnemonic }, sentence);
    return owner;
  }

  #addSoa(soa: StagedRecord): void {
    if (this.soas.some((known) => known.digest === soa.digest)) {
      const sentence = `the SOA of ${nameText(this.#origin)} is a second, equal one and was left out.`;
      this.notices.addLine("EQUAL_RECORD", soa, sentence);
    } else this.soas.push(soa);
  }
}
