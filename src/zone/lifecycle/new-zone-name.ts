/**
 * The names that a new zone may have. Only creation checks them: an existing zone keeps its name.
 *
 * No actor creates a zone from an address, a URL or an e-mail address, a zone with a label that begins with xn-- and is no A-label, or a
 * zone at, above or below the catalog zone. A user's key also creates no zone at, above or below a name server of new zones, no public
 * suffix (publicsuffix.org, with its private section), and no top of the reverse space (RFC 1035 §3.5, RFC 3596 §2.5). Limitation: the
 * list of public suffixes is as old as the package that holds it.
 */

import { getPublicSuffix } from "tldts";
import { unicodeLabel } from "../../dns/idna.ts";
import { quote } from "../../dns/malformed.ts";
import { parseZoneName } from "../../dns/name.ts";
import { addressOctets, reverseName } from "../../dns/rdata/address.ts";
import { Refusal } from "../../errors.ts";
import type { Actor } from "../../session/authorization.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { unlessMalformed } from "../../session/parse-field.ts";
import { readZone } from "../domain.ts";

const field = "zone";

/** Returns the canonical name of a new zone; throws INVALID_NAME, with what was probably meant. */
export function readNewZone(text: string): string {
  refuseOtherKinds(text);
  const name = readZone(text, field);
  const label = name.split(".").find((each) => each.startsWith("xn--") && unicodeLabel(each) === each);
  if (label === undefined) return name;
  throw invalidName(
    `${quote(label)} is no A-label (RFC 5890 §2.3.2.1): it encodes no text; write the label in Unicode, or without xn--`,
  );
}

/** Throws a Refusal for a canonical name that no actor, or not this actor, may create. */
export function mayCreateZone(actor: Actor, name: string, policy: Policy): void {
  refuseOtherKinds(unescaped(name));
  if (!name.includes(".") && !policy.topLevelZones) {
    throw invalidName(`${name} has one label; write a name such as ${name}.example`);
  }
  if (name.startsWith("*.")) {
    const zone = name.slice(2);
    throw invalidName(`${name} is a wildcard, not a zone (RFC 4592); write ${zone}, and * as an owner in it`);
  }
  const catalog = placeBeside(name, policy.catalogZone);
  if (catalog !== undefined)
    throw conflict(
      `${name} ${catalog} the catalog zone of this service, ${policy.catalogZone}; write a name neither above nor below it`,
    );
  if (actor.role !== "user") return;
  refuseNameServers(name, policy.nameServers);
  refuseTop(name);
}

/** A canonical name with its escapes as characters, as the client probably wrote it. */
function unescaped(name: string): string {
  return name.replace(/\\(\d{3})/g, (_, code) => String.fromCharCode(Number(code)));
}

function refuseOtherKinds(text: string): void {
  const kind = otherKind(text);
  if (kind) throw invalidName(`${quote(text)} is ${kind.what}, not a zone; write ${kind.instead}`);
}

function invalidName(why: string): Refusal {
  return new Refusal("INVALID_NAME", `${field}: ${why}.`, { field });
}

const conflict = (why: string) => new Refusal("ZONE_CONFLICT", `${field}: ${why}.`, { field });

/** Throws ZONE_CONFLICT at, above or below a name server: such a zone could answer for all zones. */
function refuseNameServers(name: string, nameServers: readonly string[]): void {
  for (const server of nameServers.map((each) => each.replace(/\.$/, ""))) {
    const where = placeBeside(name, server);
    if (where === undefined) continue;
    const advice = "write a name neither above nor below it, or ask the operator to create it";
    throw conflict(`${name} ${where} the name server ${server} (NAME_SERVERS); ${advice}`);
  }
}

function placeBeside(name: string, other: string): "is" | "lies below" | "lies above" | undefined {
  if (name === other) return "is";
  if (isAtOrBelow(name, other)) return "lies below";
  return isAtOrBelow(other, name) ? "lies above" : undefined;
}

function isAtOrBelow(name: string, above: string): boolean {
  return name === above || name.endsWith(`.${above}`);
}

function refuseTop(name: string): void {
  const top = isPublicSuffix(name) ? publicSuffixOf(name) : reverseTopOf(name);
  if (top === undefined) return;
  const message = `${name} ${top.what}; write a name below it, such as ${top.below}, or ask the operator to create it`;
  throw new Refusal("FORBIDDEN", `${field}: ${message}.`, { field });
}

interface Top {
  readonly what: string;
  readonly below: string;
}

const suffixOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false, detectIp: false };

/** Whether the name is a public suffix; a top-level domain that the list does not have is one too. */
function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, suffixOptions) === name;
}

/** The two trees of reverse names. `sharedLabels` is the number of labels below `top` down to which many networks share a name. */
const reverseTrees = [
  { top: "in-addr.arpa", sharedLabels: 1, below: "2.0.192.in-addr.arpa" },
  // Registries assign /32 or larger blocks to providers.
  { top: "ip6.arpa", sharedLabels: 7, below: "8.b.d.0.1.0.0.2.ip6.arpa" },
];

function publicSuffixOf(name: string): Top {
  const tree = reverseTrees.find(({ top }) => top === name);
  return { what: "is a public suffix, under which many register", below: tree?.below ?? `example.${name}` };
}

function reverseTopOf(name: string): Top | undefined {
  const tree = reverseTrees.find(({ top }) => isAtOrBelow(name, top));
  if (!tree) return undefined;
  const labels = name.split(".").length - tree.top.split(".").length;
  return labels > tree.sharedLabels
    ? undefined
    : { what: "is a part of the reverse space that many networks share", below: tree.below };
}

interface OtherKind {
  readonly what: string;
  readonly instead: string;
}

/** What a text is instead of a zone name; undefined when it may be one. */
function otherKind(text: string): OtherKind | undefined {
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

function hostName(host: string): string {
  const address = reverseZoneOf(host);
  if (address !== undefined) return `the zone of its reverse names, ${address}`;
  return unlessMalformed(() => parseZoneName(host)) ?? "the zone's name, such as example.com";
}

function reverseZoneOf(text: string): string | undefined {
  const [, address = "", length] = /^\[?([^\]/%]*)(?:%[^\]/]*)?\]?(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const octets = addressOctets(address);
  const [usual, longest] = octets?.length === 4 ? [24, 24] : [64, 128];
  if (octets) return reverseName(octets, Math.min(Number(length ?? usual), longest));
  // A part of an address, such as 10.0.0: no top-level domain is a number.
  const parts = address.split(".");
  const isPart = parts.length < 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return isPart ? reverseName(Uint8Array.from({ ...parts.map(Number), length: 4 }), parts.length * 8) : undefined;
}
