/**
 * Texts that are given as a zone's name and are meant as something else: an IP address, a URL, an e-mail address. Most
 * are valid domain names, for a label may hold any octet.
 */
import { isIPv4, isIPv6 } from "node:net";
import { Malformed } from "../../dns/malformed.ts";
import { parseZoneName, rootName } from "../../dns/name.ts";
import { parseRdata } from "../../dns/rdata/rdata.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";

/** What a text is instead of a name, and what to write for it. */
export interface OtherKind {
  readonly what: string;
  readonly instead: string;
}

const anyName = "the zone's name, such as example.com";

/** What a text is when it is not meant as a domain name; undefined when it may be one. */
export function otherKind(text: string): OtherKind | undefined {
  const address = reverseZoneOf(text);
  if (address !== undefined) return { what: "an IP address", instead: `the zone of its reverse names, ${address}` };
  const url = /^(?:[a-z][a-z0-9+.-]*:)?\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(text);
  if (url) return { what: "a URL", instead: hostName(url[1] ?? "") };
  const mailbox = /@([^@]+)$/.exec(text);
  if (mailbox) return { what: "an e-mail address", instead: hostName(mailbox[1] ?? "") };
  const place = /^([^:/]+):\d*(?:[/?#].*)?$|^([^:/]*\.[a-z][^:/.]*)\/.*$/is.exec(text);
  if (place) return { what: "a place on a host", instead: hostName(place[1] ?? place[2] ?? "") };
  return undefined;
}

/** What to write for a host, which may itself be an address. */
function hostName(host: string): string {
  const address = reverseZoneOf(host);
  if (address !== undefined) return `the zone of its reverse names, ${address}`;
  try {
    return parseZoneName(host);
  } catch (error) {
    if (error instanceof Malformed) return anyName;
    throw error;
  }
}

/** The reverse zone of an IP address or a network; undefined for any other text. */
function reverseZoneOf(text: string): string | undefined {
  const [, address = "", length] = /^\[?([^\]/%]*)(?:%[^\]/]*)?\]?(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIPv4(address)) return reverse(address.split("."), Math.min(Number(length ?? 24), 24) / 8, "in-addr.arpa");
  if (isIPv6(address)) return reverse(nibbles(address), Math.min(Number(length ?? 64), 128) / 4, "ip6.arpa");
  // Part of an address, such as 10.0.0: no top-level domain is a number.
  const parts = address.split(".");
  const isPart = parts.length < 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return isPart ? reverse(parts, parts.length, "in-addr.arpa") : undefined;
}

function reverse(labels: readonly string[], count: number, top: string): string {
  return [...labels.slice(0, Math.max(1, Math.floor(count))).reverse(), top].join(".");
}

/** The 32 hexadecimal digits of an IPv6 address. */
function nibbles(address: string): string[] {
  const octets = parseRdata(recordType("AAAA"), address, { origin: rootName, context: "field" });
  return [...Buffer.from(octets).toString("hex")];
}
