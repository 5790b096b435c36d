/**
 * Reads a master file into the staging table: every record canonical, every problem with its line. Equal records collapse, a signer's
 * are left out, an RRset takes its first TTL, each with a warning. The apex SOAs are not staged; the import decides about them.
 */
import { Malformed } from "../../dns/malformed.ts";
import { type MasterProblem, type MasterRecord, readMasterFile } from "../../dns/master-file/parser.ts";
import { nameText, ownerText, zoneNameWire } from "../../dns/name.ts";
import { damageOfText } from "../../dns/rdata/damaged-text.ts";
import { printRdata } from "../../dns/rdata/rdata.ts";
import { belongsToSigner, mustBeCreatable } from "../../dns/rdata/record-type-registry.ts";
import { type Reason, Refusal } from "../../errors.ts";
import { defaultTtl, type Policy } from "../../session/operator-policy.ts";
import { codeOfMalformed } from "../../session/parse-field.ts";
import type { Connection } from "../../session/session.ts";
import { digestOf } from "../edit/canonical-record.ts";
import { createStaging, type ImportMode, type StagedRecord, settleStagedTtls, stage } from "./staging-sql.ts";

/** The text of a master file, in chunks of any size. */
export type MasterText = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** What a file holds besides the staged records: the apex SOAs in their order, and warnings about what was corrected. */
export interface StagedFile {
  readonly soas: readonly StagedRecord[];
  readonly warnings: Warnings;
}

/** Collects warnings: the first hundred are kept, the others only counted. */
export class Warnings {
  readonly #kept: string[] = [];
  #more = 0;

  add(...warnings: readonly string[]): void {
    for (const warning of warnings) {
      if (this.#kept.length < 100) this.#kept.push(warning);
      else this.#more += 1;
    }
  }

  list(): string[] {
    return this.#more === 0 ? [...this.#kept] : [...this.#kept, `And ${this.#more} more.`];
  }
}

/** Records that are staged by one statement. */
const batchSize = 2000;

/** Stages the file; refuses it with every problem found, a hundred at most. `onRecords` is called with the number of records read so far. */
export async function stageMasterFile(
  db: Connection,
  zone: string,
  text: MasterText,
  policy: Policy,
  { mode, onRecords }: { readonly mode: ImportMode; readonly onRecords?: (count: number) => void },
): Promise<StagedFile> {
  await createStaging(db);
  const reader = new RecordReader(zone, policy);
  let batch: StagedRecord[] = [];
  let count = 0;
  const origin = zoneNameWire(zone);
  // A file that replaces a zone says its TTLs itself (RFC 1035 §5.1); a fragment that is merged need not.
  const options = mode === "MERGE" ? { origin, defaultTtl: defaultTtl(policy) } : { origin };
  const store = async (records: readonly StagedRecord[]) => {
    const fresh = await stage(db, records);
    for (const { line, owner, type } of records) {
      if (!fresh.has(line))
        reader.warnings.add(`line ${line}: ${owner} ${type} is equal to an earlier record and was left out.`);
    }
    count += records.length;
    onRecords?.(count);
  };
  // The next batch is read while the database stores the one before.
  let storing = Promise.resolve();
  const flush = async () => {
    await storing;
    storing = store(batch);
    // It is awaited before the next one, unless reading the file fails first.
    storing.catch(() => {});
    batch = [];
  };
  for await (const item of readMasterFile(text, options)) {
    const record = reader.read(item);
    if (record && reader.reasons.length === 0) batch.push(record);
    if (batch.length === batchSize) await flush();
    if (reader.reasons.length >= 100) break;
  }
  if (reader.reasons.length === 0) await flush();
  await storing;
  if (reader.reasons.length > 0) throw Refusal.of(reader.reasons);
  for (const { line, ttl } of await settleStagedTtls(db, 100)) {
    reader.warnings.add(`line ${line}: the RRset's first TTL, ${ttl}, holds for all its records (RFC 2181 §5.2).`);
  }
  return { soas: reader.soas, warnings: reader.warnings };
}

/** Makes the records of a file canonical, one by one. */
class RecordReader {
  readonly reasons: Reason[] = [];
  readonly warnings = new Warnings();
  readonly soas: StagedRecord[] = [];
  readonly #origin: Uint8Array;
  readonly #policy: Policy;

  constructor(zone: string, policy: Policy) {
    this.#origin = zoneNameWire(zone);
    this.#policy = policy;
  }

  /** The record to stage; undefined for one that is kept aside, left out or wrong. */
  read(item: MasterRecord | MasterProblem): StagedRecord | undefined {
    try {
      if ("problem" in item) throw item.problem;
      return this.#record(item);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const { line } = item;
      this.reasons.push({ code: codeOfMalformed[error.reason], message: `line ${line}: ${error.message}`, line });
      return undefined;
    }
  }

  #record({ line, owner: name, ttl, type, wire, completed }: MasterRecord): StagedRecord | undefined {
    const owner = ownerText(name, this.#origin);
    if (belongsToSigner(type)) {
      this.warnings.add(`line ${line}: ${owner} ${type.mnemonic} belongs to the signer of the zone and was left out.`);
      return undefined;
    }
    mustBeCreatable(type);
    const { ttlMin, ttlMax } = this.#policy;
    if (ttl < ttlMin || ttl > ttlMax)
      throw new Malformed("ttl", `The TTL is ${ttl}; write seconds from ${ttlMin} to ${ttlMax}.`);
    for (const { written, name: full } of completed) {
      this.warnings.add(
        `line ${line}: ${written} is relative and became ${full}; end it with a dot if it is a full name.`,
      );
    }
    const damage = damageOfText(type, wire);
    if (damage) this.warnings.add(`line ${line}: the text ${damage.sentence} ${damage.fileHint}`);
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

  #addSoa(soa: StagedRecord): void {
    if (this.soas.some((known) => known.digest === soa.digest)) {
      this.warnings.add(`line ${soa.line}: the SOA of ${nameText(this.#origin)} is there already and was left out.`);
    } else this.soas.push(soa);
  }
}
