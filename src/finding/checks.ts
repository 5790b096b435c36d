/**
 * The checks, each a pure function of a record and its zone: it returns what happens and what to do, or undefined. The table of codes
 * (finding-code.ts) says for which types of records each is called. A check of an RRset says the same of each of its records.
 */
import { isIP } from "node:net";
import { matches, reachesZone } from "../account/tsig-scope.ts";
import { type Name, nameText, ownerName, ownerText, parseName, zoneNameText } from "../dns/name.ts";
import { addressOctets, reverseName } from "../dns/rdata/address.ts";
import { damageOfText } from "../dns/rdata/damaged-text.ts";
import { rdataFields, rdataNames } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { sameOctets } from "../dns/wire.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import { blockList, familyOf } from "../webhook/address.ts";
import { ancestors, type RuledRecord, show } from "../zone/edit/rules.ts";
import { below, type CheckedZone, suffixes } from "./checked-zone.ts";
import { faultOfTags, isSpf, mostLookups, policiesIn, spfLookups, termsOf, textOf } from "./mail-policies.ts";

export type Check = (zone: CheckedZone, record: RuledRecord) => string | undefined | false;

const day = 86_400;
const nameIn = ({ type, wire }: RuledRecord) => (rdataNames(recordType(type), wire)[0]?.name ?? []) as Name;
const fieldsOf = ({ type, wire }: RuledRecord) => rdataFields(recordType(type), wire);
const isAddress = ({ type }: { readonly type: string }) => type === "A" || type === "AAAA";
const isAlias = ({ type }: RuledRecord) => type === "CNAME";

export const targetExists: Check = (zone, record) => {
  const name = nameIn(record);
  const { zone: other, owner = "" } = (name.length > 1 && zone.world.place(name)) || {};
  if (!other || other.has(owner) || other.at(owner).length > 0) return undefined;
  // The other name of a delegated ACME challenge is there while one is answered (RFC 8555 §8.4).
  if (/^_acme-challenge(\.|$)/.test(record.owner)) return undefined;
  // A reverse zone may name all addresses of a delegated range before they are used (RFC 2317).
  if (/\.arpa$/.test(zone.zone)) return undefined;
  // A DNAME may lead to a name that only has names below it, which are not read of other zones.
  if (record.type === "DNAME" && !other.isWhole) return undefined;
  return `${show(record)} points at ${nameText(name)}, which does not exist; add records there, or remove this one.`;
};

/** Resolvers follow no more. */
const mostAliases = 16;

export const aliasEnds: Check = (zone, record) => {
  const start = zoneNameText(ownerName(record.owner, zone.zone));
  let alias: RuledRecord | undefined = record;
  for (let hop = 0; alias && hop < mostAliases; hop += 1) {
    const name: Name = nameIn(alias);
    if (zoneNameText(name) === start) return `${show(record)} leads back to itself; point it at a host.`;
    // Of a zone that is not whole, a name that was not read may seem to be answered by a wildcard.
    const { zone: other, owner = "" } = zone.world.place(name) ?? {};
    alias = (other?.isWhole ? other.at(owner) : other?.byOwner.get(owner))?.find(isAlias);
  }
  return undefined;
};

export const ttlIsShort: Check = (_zone, { owner, type, ttl }) =>
  ttl > 7 * day && `Resolvers keep ${owner} ${type} for ${ttl} s, also after a change; write a TTL of ${day} or less.`;

export const nullMxIsAlone: Check = (zone, record) =>
  nameIn(record).length === 1 &&
  zone.rrset(record.owner, "MX").length > 1 &&
  `${show(record)} refuses all mail, and ${record.owner} has other MX records; remove it or them.`;

/** Addresses that the public internet does not reach (RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291). */
const privateAddresses = blockList(
  "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 169.254.0.0/16 127.0.0.0/8 fc00::/7 fe80::/10 ::1/128".split(
    " ",
  ),
);

/** Zones that only one network asks for (RFC 6762 appendix G, RFC 8375, RFC 6303), with the reverse zones of its addresses. */
export const privateZone =
  /(^|\.)(local|home\.arpa|internal|lan|intranet|corp|private|home|(10|127|168\.192|254\.169|(1[6-9]|2\d|3[01])\.172)\.in-addr\.arpa|([cd]\.f|[89ab]\.e\.f)\.ip6\.arpa)$/;

export const addressIsPublic: Check = (zone, record) =>
  !privateZone.test(zone.zone) &&
  record.owner !== "localhost" &&
  privateAddresses.check(record.rdata, familyOf(record.rdata)) &&
  `${show(record)} is a private address, which others cannot reach; write a public one, or keep it in a private zone.`;

export const addressHasPtr: Check = (zone, record) => {
  const name = parseName(`${reverseName(addressOctets(record.rdata) as Uint8Array)}.`);
  const records = record.owner.startsWith("*") ? undefined : zone.world.at(name);
  if (!records || records.some(({ type }) => type === "PTR" || type === "CNAME")) return undefined;
  return `${show(record)} has no PTR record, although its reverse zone is here; add one at ${nameText(name)}`;
};

/** The octets whose name in the reverse tree this is; undefined for other names. */
function addressOfName(name: string): Uint8Array | undefined {
  const [, labels = "", tree] = /^((?:[0-9a-f]+\.)+)(in-addr|ip6)\.arpa$/.exec(name) ?? [];
  const parts = labels.split(".").slice(0, -1).toReversed();
  if (tree === "in-addr" && parts.length === 4) return addressOctets(parts.join("."));
  return tree === "ip6" && parts.length === 32 ? Buffer.from(parts.join(""), "hex") : undefined;
}

export const pointerIsReturned: Check = (zone, record) => {
  const octets = addressOfName(zoneNameText(ownerName(record.owner, zone.zone)));
  const records = octets && zone.world.at(nameIn(record));
  if (!records || records.some((each) => isAlias(each) || (isAddress(each) && sameOctets(each.wire, octets))))
    return undefined;
  return `${show(record)} names a host that does not have this address; add the address there, or correct the name.`;
};

/** A wildcard answers for no name that exists, also for types that the name does not have (RFC 4592 §2.2.1). */
export const wildcardAnswers: Check = (zone, record) => {
  const { owner } = record;
  const own = zone.byOwner.get(owner) ?? [];
  if (own[0] !== record || owner === "@" || /^[*_]/.test(owner) || zone.isElsewhere(owner)) return undefined;
  const wildcard = below("*", ancestors(owner)[0] ?? "@");
  const types = (zone.byOwner.get(wildcard) ?? []).flatMap(({ type }) => (/^(A|AAAA|CNAME)$/.test(type) ? type : []));
  if (types.length === 0 || own.some((each) => isAlias(each) || isAddress(each))) return undefined;
  const missing = [...new Set(types)].join(" or ");
  return `${owner} has no ${missing} record: the wildcard ${wildcard} does not answer for a name that exists; add records there.`;
};

export const soaTimes: Check = (_zone, record) => {
  const { refresh, retry, expire } = fieldsOf(record) as Record<"refresh" | "retry" | "expire", number>;
  if (expire < 7 * day)
    return `Secondaries that cannot reach the primary give the zone up after ${expire} s; write an expire of 604800 to 2419200.`;
  return (
    retry >= refresh && `The retry ${retry} s of the SOA is not below its refresh ${refresh} s; write a lower retry.`
  );
};

export const negativeTtl: Check = (_zone, record) => {
  const kept = Math.min(Number(fieldsOf(record).minimum), record.ttl);
  return (
    kept > day &&
    `A name that is asked for before it is added stays missing for ${kept} s; write a minimum of ${day} or less.`
  );
};

/** Serials are often the date and two digits (RFC 1912 §2.2). */
export const serialIsPast: Check = ({ about: { serial }, world }) => {
  const [, year, month, date] = /^(20\d\d)(\d\d)(\d\d)\d\d$/.exec(String(serial)) ?? [];
  const isAhead = Date.parse(`${year}-${month}-${date}T00:00:00Z`) > world.surroundings.now.getTime() + 2 * day * 1000;
  return (
    isAhead &&
    `The serial ${serial} is a date that has not come: later ones count on from it; leave it, or wait for that day.`
  );
};

/** The name servers of the zone, each with its addresses as far as they are known. */
const nameServers = (zone: CheckedZone) =>
  zone.rrset("@", "NS").map((record) => {
    const addresses = zone.world.at(nameIn(record))?.filter(isAddress) ?? [];
    return { name: nameText(nameIn(record)), addresses: addresses.map(({ rdata }) => rdata) };
  });

export const nameServersAreSeveral: Check = (zone, { owner, rdata }) =>
  owner === "@" &&
  zone.rrset("@", "NS").length === 1 &&
  `${rdata} is the only name server: without it nobody finds the zone; add a second.`;

const networkOf = (address: string) =>
  Buffer.from(addressOctets(address) as Uint8Array).toString("hex", 0, isIP(address) === 4 ? 3 : 6);

export const networksAreSeveral: Check = (zone, { owner }) => {
  const servers = owner === "@" ? nameServers(zone) : [];
  if (servers.length < 2 || servers.some(({ addresses }) => addresses.length === 0)) return undefined;
  const networks = new Set(servers.flatMap(({ addresses }) => addresses).map(networkOf));
  return networks.size === 1 && "All name servers are in one network, and fail with it; add one in another network.";
};

const isAmong = (address: string, addresses: readonly string[]) =>
  addresses.some((each) => sameOctets(addressOctets(each) as Uint8Array, addressOctets(address) as Uint8Array));

export const nameServerIsSecondary: Check = (zone, record) => {
  const secondaries = zone.world.surroundings.secondaries.map(({ address }) => address);
  if (record.owner !== "@" || secondaries.length === 0) return undefined;
  const server = nameServers(zone).find(({ name }) => name === record.rdata);
  if (!server || server.addresses.length === 0) return undefined;
  if (server.addresses.some((each) => isAmong(each, secondaries))) return undefined;
  return `${record.rdata} (${server.addresses.join(", ")}) is no secondary and gets no changes; add it as a secondary, or remove its NS record.`;
};

export const secondaryIsNameServer: Check = (zone, { owner }) => {
  const servers = owner === "@" ? nameServers(zone) : [];
  if (servers.length === 0 || servers.some(({ addresses }) => addresses.length === 0)) return undefined;
  const all = servers.flatMap(({ addresses }) => addresses);
  const hidden = zone.world.surroundings.secondaries.filter((each) => each.required && !isAmong(each.address, all));
  const names = hidden.map(({ name, address }) => `${name} (${address})`).join(", ");
  return (
    names !== "" &&
    `The secondaries ${names} serve the zone without an NS record; add one for each, or leave them hidden.`
  );
};

export const nameServersAreKept: Check = (_zone, { owner, ttl }) =>
  owner === "@" &&
  ttl < 3600 &&
  `Resolvers forget the name servers after ${ttl} s and ask again; write a TTL of ${day}.`;

/** The apex of the zone below a delegation, where it is here. */
const childApex = (zone: CheckedZone, owner: string) =>
  owner === "@" ? undefined : zone.world.zone(zoneNameText(ownerName(owner, zone.zone)));

export const delegationIsAsChild: Check = (zone, { owner }) => {
  const servers = (records: readonly RuledRecord[]) => records.map((each) => zoneNameText(nameIn(each))).toSorted();
  const here = servers(zone.rrset(owner, "NS")).join(", ");
  const there = servers(childApex(zone, owner)?.rrset("@", "NS") ?? []).join(", ");
  return (
    there !== "" &&
    here !== there &&
    `${owner} is delegated to ${here}, and the zone below has ${there}; write the same.`
  );
};

export const zoneIsDelegated: Check = (zone) => {
  const parent = suffixes(zone.zone)
    .slice(1)
    .map((above) => zone.world.zone(above))
    .find((above) => above && above.byOwner.size > 0);
  const owner = parent ? ownerText(zone.origin, parent.origin) : "@";
  if (!parent || parent.isElsewhere(owner)) return undefined;
  return `The zone ${parent.zone} does not delegate ${owner}, which works only while the same servers have both zones; add the NS records there.`;
};

/** The key tag of DNSKEY data (RFC 4034 appendix B). */
export function keyTag(wire: Uint8Array): number {
  let sum = 0;
  for (const [at, octet] of wire.entries()) sum += at % 2 === 0 ? octet * 256 : octet;
  return (sum + (sum >>> 16)) & 0xffff;
}

/** The key tag of DS data (RFC 4034 §5.1). */
export const dsTag = (wire: Uint8Array): number => Buffer.from(wire).readUInt16BE(0);

export const dsHasKey: Check = (zone, { owner }) => {
  const keys =
    childApex(zone, owner)
      ?.rrset("@", "DNSKEY")
      .map(({ wire }) => keyTag(wire)) ?? [];
  const tags = zone.rrset(owner, "DS").map(({ wire }) => dsTag(wire));
  if (keys.length === 0 || tags.some((tag) => keys.includes(tag))) return undefined;
  return `No DS of ${owner} (${tags.join(", ")}) is of a key of the zone below (${keys.join(", ")}): resolvers refuse that zone; write the DS of its key.`;
};

export const caaAllowsAcme: Check = (zone, { owner }) => {
  const issue = zone
    .rrset(owner, "CAA")
    .map(fieldsOf)
    .filter(({ tag }) => /^issue(wild)?$/i.test(String(tag)));
  if (issue.length === 0 || issue.some(({ value }) => !/^\s*;/.test(String(value)))) return undefined;
  const host = below("_acme-challenge", owner.replace(/^\*\./, ""));
  const key = zone.world.surroundings.acmeKeys.find(
    ({ owners, ...scope }) =>
      reachesZone(scope, zone.zone) &&
      (scope.userId === null || scope.userId === zone.about.userId) &&
      (!owners || owners.some((pattern) => matches(pattern, host))),
  );
  return (
    key &&
    `The CAA records of ${owner} forbid the certificate that the key ${key.name} is for; name its authority: 0 issue "ca.example.net".`
  );
};

/** Other TXT records of the name are of no concern. */
const checkedText =
  (owners: RegExp, isPolicy: RegExp, kind: Parameters<typeof faultOfTags>[0]): Check =>
  (zone, record) => {
    const text = textOf(record.wire);
    if (!owners.test(record.owner) || !isPolicy.test(text)) return undefined;
    const policies = zone.rrset(record.owner, "TXT").filter(({ wire }) => isPolicy.test(textOf(wire)));
    const fault = policies.length > 1 ? "there are several, and none counts; leave one" : faultOfTags(kind, text);
    return fault && `The policy at ${record.owner} is not valid, and receivers ignore some or all of it: ${fault}.`;
  };

export const dmarcIsValid = checkedText(/^_dmarc(\.|$)/, /^\s*v=DMARC/i, "dmarc");
export const mtaStsIsValid = checkedText(/^_mta-sts(\.|$)/, /^\s*v=STS/i, "mtaSts");
export const tlsRptIsValid = checkedText(/^_smtp\._tls(\.|$)/, /^\s*v=TLSRPT/i, "tlsRpt");

/** Names below `_domainkey` that begin with `_` are no selectors. */
export const dkimIsValid: Check = (_zone, { owner, wire }) => {
  if (!/^[^_].*\._domainkey(\.|$)/.test(owner)) return undefined;
  const damage = damageOfText(recordType("TXT"), wire);
  if (damage) return `The text at ${owner} ${damage.sentence}`;
  const fault = faultOfTags("dkim", textOf(wire));
  return fault && `Receivers cannot read the DKIM key at ${owner}: ${fault}.`;
};

export const spfIsValid: Check = (_zone, { owner, wire }) => {
  const fault = termsOf(wire);
  return typeof fault === "string" && `Receivers refuse the SPF policy of ${owner}: ${fault}.`;
};

export const spfIsLimited: Check = (_zone, { owner, wire }) => {
  const terms = termsOf(wire);
  const isOpen =
    typeof terms !== "string" && terms.some(({ qualifier, name }) => name === "all" && /^\+?$/.test(qualifier));
  return isOpen && `The SPF policy of ${owner} lets everybody send; write -all or ~all.`;
};

/** An include or redirect of a name without a policy is a permanent error (RFC 7208 §5.2, §6.1). */
export const spfIncludesPolicies: Check = (zone, { owner, wire }) => {
  const terms = termsOf(wire);
  const isMissing = (name: string) => {
    const records = unlessMalformed(() => zone.world.at(parseName(`${name}.`)));
    return (
      records && !records.some(({ type, wire: data }) => type === "CNAME" || (type === "TXT" && isSpf(textOf(data))))
    );
  };
  const name = typeof terms === "string" ? undefined : policiesIn(terms).find(isMissing);
  return name && `Mail fails the SPF policy of ${owner}: ${name} has no policy; write one there, or leave it out.`;
};

export const spfIsShort: Check = (zone, { owner, wire }) => {
  const policyOf = (name: string) => {
    const records = unlessMalformed(() => zone.world.at(parseName(`${name}.`)));
    return records?.map((each) => (each.type === "TXT" ? textOf(each.wire) : "")).find(isSpf);
  };
  const terms = termsOf(wire);
  const isLong = typeof terms !== "string" && spfLookups(terms, policyOf) > mostLookups;
  return (
    isLong &&
    `Mail fails the SPF policy of ${owner}, which takes more than ${mostLookups} lookups; write addresses (ip4, ip6) for names.`
  );
};
