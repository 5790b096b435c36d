/**
 * What a new zone may be called. Only creation asks: a zone that exists keeps its name, whatever it is.
 *
 * Nobody creates what was meant as an address, a URL or an e-mail address, what begins with xn-- and is no A-label, nor
 * the catalog's name and what lies above or below it. A user's key does not create the name of a name server of new
 * zones and what lies above or below it, nor a name under which others register: a public suffix (publicsuffix.org, its
 * private section too), or a top of the reverse space (RFC 1035 §3.5, RFC 3596 §2.5).
 * Limitation: the list of public suffixes is as old as the package that holds it.
 */
import { getPublicSuffix } from "tldts";
import { unicodeLabel } from "../../dns/idna.ts";
import { quote } from "../../dns/malformed.ts";
import { Refusal } from "../../errors.ts";
import type { Actor } from "../../session/authorization.ts";
import type { Policy } from "../../session/operator-policy.ts";
import { readZone } from "../domain.ts";
import { otherKind } from "./address-or-url.ts";

const field = "zone";

/** Reads the name of a new zone in any spelling; INVALID_NAME when it is not one, with what was probably meant. */
export function readNewZone(text: string): string {
  refuseOtherKinds(text);
  const name = readZone(text, field);
  const label = name.split(".").find((each) => each.startsWith("xn--") && unicodeLabel(each) === each);
  if (label === undefined) return name;
  throw invalidName(
    `${quote(label)} is no A-label (RFC 5890 §2.3.2.1), as it stands for no text; write the label in Unicode, or without xn--`,
  );
}

/** Refuses a canonical name that nobody creates, or that this actor may not. */
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
      `${name} ${catalog} the catalog zone of this service, ${policy.catalogZone}; write a name apart from it`,
    );
  if (actor.role !== "user") return;
  refuseNameServers(name, policy.nameServers);
  refuseTop(name);
}

/** A canonical name with its escapes as characters, as it was probably written. */
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

/** Refuses the name of a name server, and what lies above or below it: who answers for it could answer for all zones. */
function refuseNameServers(name: string, nameServers: readonly string[]): void {
  for (const server of nameServers.map((each) => each.replace(/\.$/, ""))) {
    const where = placeBeside(name, server);
    if (where === undefined) continue;
    const advice = "write a name apart from it, or ask the operator to create it";
    throw conflict(`${name} ${where} the name server ${server} (NAME_SERVERS); ${advice}`);
  }
}

/** Where a name is on the branch of another name; undefined when it is on none. */
function placeBeside(name: string, other: string): "is" | "lies below" | "lies above" | undefined {
  if (name === other) return "is";
  if (isAtOrBelow(name, other)) return "lies below";
  return isAtOrBelow(other, name) ? "lies above" : undefined;
}

function isAtOrBelow(name: string, above: string): boolean {
  return name === above || name.endsWith(`.${above}`);
}

/** Refuses a name under which others register, or hold networks. */
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

/** The two trees of reverse names, and how many labels below their top belong to no single holder of a network. */
const reverseTrees = [
  // Registries hold /8 zones and delegate /16 and /24 zones.
  { top: "in-addr.arpa", sharedLabels: 1, below: "2.0.192.in-addr.arpa" },
  // A provider is given /32 or more of what a registry holds.
  { top: "ip6.arpa", sharedLabels: 7, below: "8.b.d.0.1.0.0.2.ip6.arpa" },
];

function publicSuffixOf(name: string): Top {
  const tree = reverseTrees.find(({ top }) => top === name);
  return { what: "is a public suffix, under which many register", below: tree?.below ?? `example.${name}` };
}

/** What is above the networks that one holder has; undefined for any other name. */
function reverseTopOf(name: string): Top | undefined {
  const tree = reverseTrees.find(({ top }) => isAtOrBelow(name, top));
  if (!tree) return undefined;
  const labels = name.split(".").length - tree.top.split(".").length;
  return labels > tree.sharedLabels
    ? undefined
    : { what: "is a part of the reverse space that many networks share", below: tree.below };
}
