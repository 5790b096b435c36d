/**
 * Names in pasted lines of a master file are relative to the zone (RFC 1035 §5.1). In a cell, a name of several labels without a final dot
 * is refused, since it may be meant as relative or as absolute. So a pasted one is completed, with a warning.
 */
import type { RecordField } from "../../api/record-types.ts";
import { replaceWords, wordsOf } from "../../parts/text/data-words.ts";
import type { RowValues } from "../records/row.ts";

interface CompletedRow {
  readonly values: RowValues;
  readonly warnings: readonly string[];
}

const isFull = (name: string) => /(?:^|[^\\])(?:\\\\)*\.$/.test(name);
const isAddress = (name: string) => /^\d+(?:\.\d+){3}$/.test(name);
const labelsOf = (name: string) => name.match(/(?:\\.|[^.\\])+/gs) ?? [];
/** Whether a gateway is of the type that is a name, which a field before it says (RFC 4025 §2.4, RFC 8777 §4.2.3). */
const isNamedGateway = (words: readonly string[], fields: readonly RecordField[], name: string) =>
  words[fields.findIndex((field) => field.name === `${name}Type`)] === "3";
const isOfHost = (name: string) => !/^"|@/.test(name) && !isAddress(name);

export function completed({ owner, ...values }: RowValues, fields: readonly RecordField[], zone: string): CompletedRow {
  const warnings: string[] = [];
  const complete = (name: string, what: string) => {
    const full = `${name}.${zone}.`;
    warnings.push(`${what}${name} is relative and became ${full}; end it with a dot if it is a full name.`);
    return full;
  };
  const isDoubled = owner.toLowerCase() === zone || owner.toLowerCase().endsWith(`.${zone}`);
  const words = wordsOf(values.rdata);
  const rdata = values.rdata.startsWith("\\#")
    ? values.rdata
    : replaceWords(values.rdata, (word, at) => {
        const { name = "", kind = "" } = fields[Math.min(at, fields.length - 1)] ?? {};
        const isName =
          kind === "name" || kind === "names" || (kind === "gateway" && isNamedGateway(words, fields, name));
        return isName && isOfHost(word) && !isFull(word) && labelsOf(word).length > 1 ? complete(word, "") : word;
      });
  return { values: { ...values, rdata, owner: isDoubled ? complete(owner, "the owner ") : owner }, warnings };
}

/** Whether a name is in full, and not of the zone. */
export const isForeign = (owner: string, zone: string) =>
  isFull(owner) && !`.${owner.toLowerCase()}`.endsWith(`.${zone}.`);

/** Names in full, relative to the zone that they most likely are of: that of all of them, or above the only one. */
export function relativeNames(owners: readonly string[]): string[] {
  const names = owners.map((owner) => labelsOf(owner.toLowerCase()).reverse());
  const [first = []] = names;
  const differs = first.findIndex((label, at) => names.some((name) => name[at] !== label));
  const common = differs >= 0 ? differs : names.length > 1 || first.length < 3 ? first.length : first.length - 1;
  return names.map((name) => name.slice(common).reverse().join(".") || "@");
}
