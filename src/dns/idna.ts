/**
 * One label between Unicode and its A-label: UTS 46, non-transitional (RFC 5890 §2.3.2.1, RFC 5891).
 * Labels of pure ASCII are not changed here: `_dmarc`, `0/25` and a malformed `xn--` are DNS labels all the same.
 * Limitation: UTS 46 admits some symbols that IDNA2008 registries refuse (`☃`); zones may hold them.
 */
import tr46 from "tr46";
import { Malformed, quote } from "./malformed.ts";

const uts46Options = { checkBidi: true, checkJoiners: true, transitionalProcessing: false } as const;

/** Turns one label that holds non-ASCII characters into its lower-case ASCII form. */
export function asciiLabel(label: string): string {
  const ascii = label.length > 255 ? null : tr46.toASCII(label, uts46Options);
  // Mapping can bring forth separators and blanks ("１．" or an ideographic space): such a label is no label.
  if (ascii === null || !/^[a-z0-9_-]+$/.test(ascii))
    throw new Malformed("name", `${quote(label)} is not a valid internationalised label; write its ASCII (xn--) form.`);
  return ascii;
}

/** Shows an A-label as Unicode, or returns it unchanged when that would not lead back to exactly this label. */
export function unicodeLabel(label: string): string {
  if (!/^xn--[\x21-\x7e]+$/i.test(label) || label.length > 63) return label;
  const { domain, error } = tr46.toUnicode(label, uts46Options);
  return !error && tr46.toASCII(domain, uts46Options) === label ? domain : label;
}

/** The labels of a part of a name as they are stored, where they are in Unicode; what is not a label is left as it is. */
export function asciiLabels(part: string): string {
  const stored = (label: string) => {
    const ascii = /^[\0-\x7f]*$/.test(label) ? null : tr46.toASCII(label, uts46Options);
    return ascii ?? label;
  };
  return part.split(".").map(stored).join(".");
}
