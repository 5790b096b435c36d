/**
 * Labels between Unicode and A-labels: UTS 46, non-transitional (RFC 5890 §2.3.2.1, RFC 5891). An ASCII label is never changed: `_dmarc`,
 * `0/25` and a malformed `xn--` label are valid. Limitation: UTS 46 admits some symbols that IDNA2008 registries refuse (`☃`).
 */
import tr46 from "tr46";
import { Malformed, quote } from "./malformed.ts";

const uts46Options = { checkBidi: true, checkJoiners: true, transitionalProcessing: false } as const;

/** In lower case; throws Malformed. */
export function asciiLabel(label: string): string {
  const ascii = label.length > 255 ? null : tr46.toASCII(label, uts46Options);
  // The mapping can produce separators and blanks (from "１．" or an ideographic space), which a label cannot contain.
  if (ascii === null || !/^[a-z0-9_-]+$/.test(ascii))
    throw new Malformed("name", `${quote(label)} is not a valid internationalised label; write its ASCII (xn--) form.`);
  return ascii;
}

/** Unchanged when the Unicode form does not convert back to exactly this label. */
export function unicodeLabel(label: string): string {
  if (!/^xn--[\x21-\x7e]+$/i.test(label) || label.length > 63) return label;
  const { domain, error } = tr46.toUnicode(label, uts46Options);
  return !error && tr46.toASCII(domain, uts46Options) === label ? domain : label;
}

/** A label that cannot be converted stays as it is. */
export function asciiLabels(part: string): string {
  const stored = (label: string) => {
    const ascii = /^[\0-\x7f]*$/.test(label) ? null : tr46.toASCII(label, uts46Options);
    return ascii ?? label;
  };
  return part.split(".").map(stored).join(".");
}
