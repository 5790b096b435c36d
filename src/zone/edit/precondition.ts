/**
 * Preconditions: conditions of a client that must hold of a zone before it is changed (RFC 2136 §2.4). A dynamic update calls them
 * prerequisites.
 */
import { parseOwner, zoneNameWire } from "../../dns/name.ts";
import { parseRdata } from "../../dns/rdata/rdata.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import type { Code } from "../../error-codes.ts";
import { collectReasons, type Reason, Refusal } from "../../errors.ts";
import { parseField } from "../../session/parse-field.ts";
import { digestOf } from "./canonical-record.ts";
import type { WorkingRecord } from "./working-copy.ts";

/**
 * One of five conditions: a name is in use or is not; an RRset exists with any data, exists with exactly this `data`, or does not exist.
 * `data` are digests. A name with records only below it is not in use (RFC 2136 §2.4.4).
 */
export interface Precondition {
  readonly owner: string;
  readonly type: string | undefined;
  readonly exists: boolean;
  readonly data: ReadonlySet<string> | undefined;
  readonly path: string;
}

export interface PreconditionFields {
  readonly owner: string;
  readonly type?: string | null | undefined;
  readonly exists?: boolean | null | undefined;
  readonly rdata?: readonly string[] | null | undefined;
}

export function readPreconditions(list: readonly PreconditionFields[], zone: string): Precondition[] {
  const reasons: Reason[] = [];
  const read: Precondition[] = [];
  for (const [at, fields] of list.entries())
    collectReasons(reasons, () => read.push(readPrecondition(fields, zone, `preconditions.${at}`)));
  if (reasons.length > 0) throw Refusal.of(reasons);
  return read;
}

function readPrecondition(fields: PreconditionFields, zone: string, path: string): Precondition {
  const owner = parseField(`${path}.owner`, () => parseOwner(fields.owner, zone));
  const exists = fields.exists ?? true;
  const texts = fields.rdata ?? undefined;
  const typeText = fields.type ?? undefined;
  const type = typeText === undefined ? undefined : parseField(`${path}.type`, () => recordType(typeText));
  if (texts && (!type || !exists || texts.length === 0)) {
    const message = `${path}.rdata needs a type and exists: true, and must hold the data of the whole RRset.`;
    throw new Refusal("INVALID_VALUE", message, { field: `${path}.rdata` });
  }
  const data =
    type &&
    texts?.map((text) => {
      const origin = zoneNameWire(zone);
      return digestOf(
        type,
        parseField(`${path}.rdata`, () => parseRdata(type, text, { origin, context: "field" })),
      );
    });
  return { owner, type: type?.mnemonic, exists, data: data && new Set(data), path };
}

/** Throws a Refusal for the first precondition that does not hold; `at` returns the records of an owner. */
export function expectAll(list: readonly Precondition[], at: (owner: string) => readonly WorkingRecord[]): void {
  for (const precondition of list) {
    const records = at(precondition.owner).filter(({ type }) => (precondition.type ?? type) === type);
    const unmet = check(precondition, records);
    if (unmet) throw new Refusal(unmet.code, `${precondition.path}: ${unmet.message}`, { field: precondition.path });
  }
}

/** The checks of RFC 2136 §3.2.5; returns why the precondition does not hold. */
function check(
  { owner, type, exists, data }: Precondition,
  records: readonly WorkingRecord[],
): { code: Code; message: string } | undefined {
  const isThere = records.length > 0;
  if (type === undefined) {
    if (exists && !isThere) return { code: "NAME_NOT_IN_USE", message: `${owner} has no record.` };
    if (!exists && isThere) return { code: "NAME_IN_USE", message: `${owner} has ${show(records)}.` };
    return undefined;
  }
  if (exists && !isThere) return { code: "RRSET_MISSING", message: `${owner} has no ${type} record.` };
  if (!exists && isThere) return { code: "RRSET_EXISTS", message: `${owner} has ${show(records)}.` };
  if (data && !(data.size === records.length && records.every(({ digest }) => data.has(digest))))
    return { code: "RRSET_MISSING", message: `the ${type} records of ${owner} are different: ${show(records)}.` };
  return undefined;
}

function show(records: readonly WorkingRecord[]): string {
  const shown = records.slice(0, 3).map(({ type, rdata }) => `${type} ${rdata.slice(0, 80)}`);
  return records.length > shown.length
    ? `${shown.join(", ")} and ${records.length - shown.length} more`
    : shown.join(", ");
}
