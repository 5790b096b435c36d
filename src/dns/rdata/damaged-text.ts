/**
 * Recognizes policies in TXT that were damaged on their way here: cut off at a semicolon or a blank by a shell or a form, or with a blank
 * in place of a + in base64. A text that violates the RFC of its policy is certainly damaged.
 */
import { howToSendPlus, splitGroup, splitsGroup } from "../fields/hex-base64.ts";
import { rdataFields } from "./rdata.ts";
import type { RecordType } from "./record-type.ts";

interface Damage {
  readonly isCertain: boolean;
  /** The predicate of a sentence; the caller puts the subject before it. */
  readonly sentence: string;
  /** For a text in an API field, and in a master file. */
  readonly hint: string;
  readonly fileHint: string;
}

/**
 * The policies that are recognized. Each text begins with its version. Its tag is required where `isTagRequired`, and otherwise nearly
 * always present.
 */
const policies = [
  { version: /^v=DKIM1(?=[;\s]|$)/, name: "DKIM key", tag: "p", rfc: "RFC 6376 §3.6.1", isTagRequired: true },
  { version: /^v=STSv1(?=[;\s]|$)/, name: "MTA-STS policy", tag: "id", rfc: "RFC 8461 §3.1", isTagRequired: true },
  { version: /^v=TLSRPTv1(?=[;\s]|$)/, name: "TLS report policy", tag: "rua", rfc: "RFC 8460 §3", isTagRequired: true },
  { version: /^v=DMARC1(?=[;\s]|$)/, name: "DMARC policy", tag: "p", rfc: "RFC 7489 §6.3", isTagRequired: false },
];

const cut = {
  hint: "If it was cut at a semicolon or a blank on its way, send it whole: a shell takes it in quotes, curl behind --data-urlencode.",
  fileHint: "An unquoted semicolon begins a comment, so put the text in quotes.",
};

/** Undefined when the text is not damaged. */
export function damageOfText(type: RecordType, wire: Uint8Array): Damage | undefined {
  if (!type.literal) return undefined;
  const text = (rdataFields(type, wire).strings as readonly string[]).join("");
  return missingTag(text) ?? brokenKey(text);
}

function missingTag(text: string): Damage | undefined {
  if (/^v=spf1\s*$/i.test(text))
    return { isCertain: false, sentence: 'is "v=spf1" alone, which names no sender (RFC 7208 §4.6).', ...cut };
  const policy = policies.find(({ version }) => version.test(text));
  if (!policy || new RegExp(`;\\s*${policy.tag}\\s*=`).test(text)) return undefined;
  const { name, tag, rfc, isTagRequired } = policy;
  return { isCertain: isTagRequired, sentence: `is a ${name} without ${tag}= (${rfc}).`, ...cut };
}

/** A DKIM key may contain blanks (RFC 6376 §3.2), but a blank inside a group of four digits replaces a +. */
function brokenKey(text: string): Damage | undefined {
  if (!/^(v=DKIM1\s*;|k=|p=)/.test(text)) return undefined;
  const key = /(?:^|;)\s*p\s*=([^;]*)/.exec(text)?.[1]?.trim() ?? "";
  if (/^[A-Za-z0-9+/=\s]+$/.test(key) && splitsGroup(key.split(/\s+/)))
    return { isCertain: true, sentence: `${splitGroup} in p=.`, hint: howToSendPlus, fileHint: "Leave the blank out." };
  const sentence = text.startsWith("v=DKIM1") ? flawOfKey(key.replaceAll(/\s/g, "")) : undefined;
  return sentence === undefined ? undefined : { isCertain: false, sentence, ...cut };
}

/** A revoked key has no digits. The DER of an RSA key begins with 0x30 and its length (RFC 6376 §3.6.1, RFC 8017 §A.1.1). */
function flawOfKey(digits: string): string | undefined {
  const unpadded = digits.replace(/={1,2}$/, "");
  if (!/^[A-Za-z0-9+/]*$/.test(unpadded) || unpadded.length % 4 === 1) return "has a p= that is not base64.";
  const octets = Buffer.from(unpadded, "base64");
  const [tag, length = 0] = octets;
  if (tag !== 0x30) return undefined;
  const long = length > 0x80 ? length - 0x80 : 0;
  const needed = 2 + (long > 0 ? Number(`0x${octets.subarray(2, 2 + long).toString("hex") || 0}`) + long : length);
  if (octets.length === needed) return undefined;
  return `has an RSA key of ${octets.length} octets in p=, but its length field says ${needed}.`;
}
