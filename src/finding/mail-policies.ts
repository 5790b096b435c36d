/** What is wrong with the texts by which mail is proven and secured: SPF, DKIM, DMARC, MTA-STS and TLS-RPT. Pure functions of texts. */
import { isIPv4, isIPv6 } from "node:net";
import { rdataFields } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";

const txt = recordType("TXT");

/** The text of TXT data in presentation form: its strings without what separates them (RFC 7208 §3.3). */
export const textOf = (wire: Uint8Array): string => (rdataFields(txt, wire).strings as readonly string[]).join("");

interface TagList {
  readonly version: string;
  /** DKIM alone may leave the version out. */
  readonly isVersionOptional?: boolean;
  readonly tags: Readonly<Record<string, readonly [form: RegExp, remedy: string, isRequired?: boolean]>>;
}

const policy = [/^(none|quarantine|reject)$/i, "none, quarantine or reject"] as const;
const reports = [/^((mailto:[^@\s,]+@[^@\s,]+|https?:[^\s,]+)(\s*,\s*|$))+$/i, "mailto: and an address"] as const;
const tagLists = {
  /** RFC 7489 §6.3. */
  dmarc: {
    version: "DMARC1",
    tags: { p: [...policy, true], sp: policy, pct: [/^(\d{1,2}|100)$/, "0 to 100"], rua: reports, ruf: reports },
  },
  /** RFC 6376 §3.6.1; an empty key is a revoked one. */
  dkim: {
    version: "DKIM1",
    isVersionOptional: true,
    tags: { p: [/^[A-Za-z0-9+/\s]*={0,2}$/, "the key in base64", true] },
  },
  /** RFC 8461 §3.1. */
  mtaSts: { version: "STSv1", tags: { id: [/^[a-zA-Z0-9]{1,32}$/, "1 to 32 letters and digits", true] } },
  /** RFC 8460 §3. */
  tlsRpt: {
    version: "TLSRPTv1",
    tags: { rua: [/^((mailto|https):[^\s,]+(\s*,\s*|$))+$/i, "mailto: or https: and a place", true] },
  },
} as const satisfies Readonly<Record<string, TagList>>;

/** Returns what is wrong with a list of tags such as `v=DMARC1; p=none`, without the subject; undefined when nothing is. */
export function faultOfTags(kind: keyof typeof tagLists, text: string): string | undefined {
  const { version, tags: forms, isVersionOptional = false }: TagList = tagLists[kind];
  const tags = new Map<string, string>();
  for (const part of text.split(";").filter((each) => each.trim() !== "")) {
    const [, name, value = ""] = /^\s*([a-z][\w-]*)\s*=(.*)$/is.exec(part) ?? [];
    if (name === undefined) return `"${shortened(part.trim())}" is no tag and value; write such as v=${version};`;
    if (tags.has(name)) return `${name}= is there twice; leave one`;
    tags.set(name, value.trim());
  }
  const isFirst = [...tags.keys()][0] === "v" || isVersionOptional;
  if (!isFirst || (tags.get("v") ?? version) !== version) return `begin it with v=${version};`;
  for (const [name, [form, remedy, isRequired = false]] of Object.entries(forms)) {
    const value = tags.get(name);
    if (value === undefined && isRequired) return `${name}= is missing; write ${remedy}`;
    if (value !== undefined && !form.test(value)) return `${name}= is "${shortened(value)}"; write ${remedy}`;
  }
  return undefined;
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

export const isSpf = (text: string) => /^v=spf1( |$)/i.test(text);

/** A term of an SPF policy (RFC 7208 §4.6.1). */
interface SpfTerm {
  readonly qualifier: string;
  readonly name: string;
  readonly value: string;
}

const mechanism = /^([-+~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?:(?=\/)|:|$)(.*)$/i;

/** The terms of a policy; a sentence without its subject where it has a syntax error. */
export function spfTerms(text: string): readonly SpfTerm[] | string {
  const terms: SpfTerm[] = [];
  for (const word of text.trim().split(/ +/).slice(1)) {
    const [, qualifier = "", written = "", value = ""] =
      mechanism.exec(word) ?? /^()([a-z][\w.-]*)=(.*)$/i.exec(word) ?? [];
    const name = written.toLowerCase();
    if (name === "") return `${word} is no mechanism; write one such as ip4:192.0.2.1, include:example.net or -all`;
    if ((name === "include" || name === "exists") && value === "")
      return `${word} has no name; write ${name}:example.net`;
    const [address = "", length = "0"] = value.split("/");
    const isPrefix = /^\d{1,3}$/.test(length) && Number(length) <= (name === "ip4" ? 32 : 128);
    if (name === "ip4" && !(isIPv4(address) && isPrefix)) return `${word} is no prefix; write such as ip4:192.0.2.0/24`;
    if (name === "ip6" && !(isIPv6(address) && isPrefix))
      return `${word} is no prefix; write such as ip6:2001:db8::/32`;
    terms.push({ qualifier, name, value });
  }
  return terms;
}

/** The terms of the policy in TXT data; none when it is another text. */
export const termsOf = (wire: Uint8Array) => (isSpf(textOf(wire)) ? spfTerms(textOf(wire)) : []);

/** Terms that take a lookup of their own (RFC 7208 §4.6.4). */
const looked = new Set(["include", "a", "mx", "ptr", "exists", "redirect"]);
/** The names of the policies that a policy includes, except those with macros (RFC 7208 §7). */
export const policiesIn = (terms: readonly SpfTerm[]) =>
  terms.flatMap(({ name, value }) =>
    (name === "include" || name === "redirect") && !value.includes("%") ? value.replace(/\.$/, "") : [],
  );

export const mostLookups = 10;

/** The lookups that a policy takes, with those of the policies that it includes as far as `policyOf` knows them; it counts to 11. */
export function spfLookups(
  terms: readonly SpfTerm[],
  policyOf: (name: string) => string | undefined,
  above: readonly string[] = [],
): number {
  let count = terms.filter(({ name }) => looked.has(name)).length;
  for (const name of policiesIn(terms)) {
    if (count > mostLookups || above.length > mostLookups) break;
    const inner = above.includes(name) ? "" : spfTerms(policyOf(name) ?? "");
    if (typeof inner !== "string") count += spfLookups(inner, policyOf, [...above, name]);
  }
  return count;
}
