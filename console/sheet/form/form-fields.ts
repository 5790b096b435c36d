/**
 * Record data as the fields of a form, from its text and back: one way for all types, by what the service says of their fields. The text
 * is what is sent.
 */
import type { RecordField } from "../../api/record-types.ts";
import { wordsOf } from "../../parts/text/data-words.ts";

export const isOneWord = (text: string) => wordsOf(text).length === 1;

const encoder = new TextEncoder();

/** The plain text of a word: without quotes, `\"` and `\\` as they are read, and octets `\DDD` as UTF-8 where they are. */
export function plainText(word: string): string {
  const inner = word.startsWith('"') ? word.slice(1, word.length > 1 && word.endsWith('"') ? -1 : undefined) : word;
  const octets: number[] = [];
  for (let at = 0; at < inner.length; ) {
    const [, digits] = /^\\(\d{3})/.exec(inner.slice(at, at + 4)) ?? [];
    if (digits !== undefined && Number(digits) < 256) {
      octets.push(Number(digits));
      at += 4;
      continue;
    }
    if (inner[at] === "\\" && at + 1 < inner.length) at++;
    const character = String.fromCodePoint(inner.codePointAt(at) ?? 0);
    octets.push(...encoder.encode(character));
    at += character.length;
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array(octets));
  } catch {
    return inner;
  }
}

/** A text in quotes; control characters are written as `\DDD` (RFC 1035 §5.1). */
export const quoted = (text: string) => `"${[...text.replace(/["\\]/g, "\\$&")].map(printable).join("")}"`;

function printable(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 || code === 0x7f ? `\\${String(code).padStart(3, "0")}` : character;
}

/** As many octets as one text of a TXT record holds (RFC 1035 §3.3). */
const maxOctets = 255;

export const octetsOf = (text: string) => encoder.encode(text).length;

/** A text in parts of at most 255 octets; none ends within a character. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let [part, size] = ["", 0];
  for (const character of text) {
    const octets = octetsOf(character);
    if (size + octets > maxOctets) {
      parts.push(part);
      [part, size] = ["", 0];
    }
    part += character;
    size += octets;
  }
  return part === "" && parts.length > 0 ? parts : [...parts, part];
}

/** Whether data of such fields is one text of any length, as that of TXT is. */
export const isText = (fields: readonly RecordField[]) =>
  fields.length === 1 && fields[0]?.form === "TEXTS" && fields[0].quoted;

export type FieldTexts = Readonly<Record<string, string>>;

/** The fields of a text; the last one takes what is left. */
export function splitFields(text: string, fields: readonly RecordField[]): FieldTexts {
  const words = wordsOf(text);
  if (isText(fields)) return { [fields[0]?.name ?? ""]: words.map(plainText).join("") };
  const values = fields.map(({ name, quoted: isQuoted, form }, at) => {
    const isLast = at === fields.length - 1;
    const own = isLast ? words.slice(at) : words.slice(at, at + 1);
    return [name, own.map((word) => (isQuoted && form !== "TEXTS" ? plainText(word) : word)).join(" ")] as const;
  });
  return Object.fromEntries(values);
}

export function joinFields(values: FieldTexts, fields: readonly RecordField[]): string {
  if (isText(fields)) {
    const text = values[fields[0]?.name ?? ""] ?? "";
    return splitText(text).map(quoted).join(" ");
  }
  const parts = fields.map(({ name, quoted: isQuoted, form }) => {
    const value = (values[name] ?? "").trim();
    return isQuoted && form !== "TEXTS" ? quoted(value) : value;
  });
  return parts.join(" ").trim();
}
