/**
 * The checks, each a pure function of a record and its zone: it returns what happens and what to do, or undefined. The table of codes
 * (finding-code.ts) says for which types of records each is called. A check of an RRset says the same of each of its records.
 */
import { BlockList, isIP } from "node:net";
import { matches, reachesZone } from "../account/tsig-scope.ts";
import { type Name, nameText, ownerName, parseName, zoneNameText } from "../dns/name.ts";
import { addressOctets, reverseName } from "../dns/rdata/address.ts";
import { rdataFields, rdataNames } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { unlessMalformed } from "../session/parse-field.ts";
import { ancestors, type RuledRecord, show } from "../zone/edit/rules.ts";
import { below, type CheckedZone } from "./checked-zone.ts";
import { faultOfTags, isSpf, mostLookups, spfLookups, spfTerms, textOf } from "./mail-policies.ts";

export type Check = (zone: CheckedZone, record: RuledRecord) => string | undefined | false;

const day = 86_400;
const nameIn = ({ type, wire }: RuledRecord) => (rdataNames(recordType(type), wire)[0]?.name ?? []) as Name;
const fieldsOf = ({ type, wire }: RuledRecord) => rdataFields(recordType(type), wire);
const isAddress = ({ type }: { readonly type: string }) => type === "A" || type === "AAAA";
const isAlias = ({ type }: RuledRecord) => type === "CNAME";
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

export const targetExists: Check = (zone, record) => {
  const name = nameIn(record);
  const { zone: other, owner = "" } = (name.length > 1 && zone.world.place(name)) || {};
  if (!other || other.has(owner) || other.at(owner).length > 0) return undefined;
  // A DNAME may lead to a name that only has names below it, which are not read of other zones.
  if (record.type === "DNAME" && !other.isWhole) return undefined;
  return `${show(record)} points at ${nameText(name)}, which does not exist; add records there, or remove this one.`;
};

export const aliasEnds: Check = (zone, record) => {
  const start = ownerName(record.owner, zone.zone);
  const aliases = new Set<string>();
  for (let alias: RuledRecord | undefined = record; alias; ) {
    const name: Name = nameIn(alias);
    if (isSame(name, start)) return `${show(record)} leads back to itself; point it at a host.`;
    if (aliases.has(nameText(name))) return undefined;
    aliases.add(nameText(name));
    alias = zone.world.at(name)?.find(isAlias);
  }
  return undefined;
};

export const ttlIsShort: Check = (_zone, { owner, type, ttl }) =>
  ttl > 7 * day &&
  `${owner} ${type} is kept for ${ttl} s: a change is seen after a week; write a TTL of ${day} or less.`;

export const nullMxIsAlone: Check = (zone, record) =>
  nameIn(record).length === 1 &&
  zone.rrset(record.owner, "MX").length > 1 &&
  `${show(record)} refuses all mail, and ${record.owner} has other MX records; remove it or them.`;

/** Addresses that the public internet does not reach (RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291). */
const privateAddresses = new BlockList();
const privatePrefixes =
  "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 169.254.0.0/16 127.0.0.0/8 fc00::/7 fe80::/10";
for (const [net = "", bits] of privatePrefixes.split(" ").map((prefix) => prefix.split("/")))
  privateAddresses.addSubnet(net, Number(bits), isIP(net) === 4 ? "ipv4" : "ipv6");

/** Zones that only one network asks for (RFC 6762 appendix G, RFC 8375, and the top-level domain reserved for private use). */
const privateZone = /(^|\.)(local|home\.arpa|internal|lan|intranet|corp|private|home)$/;

export const addressIsPublic: Check = (zone, record) =>
  !privateZone.test(zone.zone) &&
  record.owner !== "localhost" &&
  privateAddresses.check(record.rdata, record.type === "A" ? "ipv4" : "ipv6") &&
  `${show(record)} is a private address, which others cannot reach; write a public one, or keep it in a private zone.`;

export const addressHasPtr: Check = (zone, record) => {
  const name = parseName(`${reverseName(addressOctets(record.rdata) as Uint8Array)}.`);
  const records = record.owner.startsWith("*") ? undefined : zone.world.at(name);
  if (!records || records.some(({ type }) => type === "PTR" || type === "CNAME")) return undefined;
  return `${show(record)} has no PTR record, so that its mail may be refused; add one at ${nameText(name)}`;
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
  if (!records || records.some((each) => isAlias(each) || (isAddress(each) && isSame(each.wire, octets))))
    return undefined;
  return `${show(record)} names a host that does not have this address; add the address there, or correct the name.`;
};

/** A wildcard answers for no name that exists, also for types that the name does not have (RFC 4592 §2.2.1). */
export const wildcardAnswers: Check = (zone, record) => {
  const { owner } = record;
  const own = zone.byOwner.get(owner) ?? [];
  if (own[0] !== record || owner === "@" || /^[*_]/.test(owner) || zone.isElsewhere(owner)) return undefined;
  const wildcard = below("*", ancestors(owner)[0] ?? "@");
  const types = (zone.byOwner.get(wildcard) ?? []).flatMap(({ type }) =>
    /^(A|AAAA|MX|CNAME)$/.test(type) ? type : [],
  );
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
    kept > day && `Who asks for a name before it is added misses it for ${kept} s; write a minimum of ${day} or less.`
  );
};

/** Serials are often the date and two digits (RFC 1912 §2.2). */
export const serialIsPast: Check = ({ about: { serial }, world }) => {
  const [, year, month, date] = /^(20\d\d)(\d\d)(\d\d)\d\d$/.exec(String(serial)) ?? [];
  const isAhead = Date.parse(`${year}-${month}-${date}T00:00:00Z`) > world.surroundings.now.getTime() + 2 * day * 1000;
  return isAhead && `The serial ${serial} is a date that has not come: serials are counted on from it until then.`;
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
  addresses.some((each) => isSame(addressOctets(each) as Uint8Array, addressOctets(address) as Uint8Array));

export const nameServerIsSecondary: Check = (zone, record) => {
  const secondaries = zone.world.surroundings.secondaries.map(({ address }) => address);
  const server = nameServers(zone).find(({ name }) => name === record.rdata);
  if (record.owner !== "@" || secondaries.length === 0 || !server || server.addresses.length === 0) return undefined;
  if (server.addresses.some((each) => isAmong(each, secondaries))) return undefined;
  return `${record.rdata} (${server.addresses.join(", ")}) is no secondary and gets no changes; add it as a secondary, or remove its NS record.`;
};

export const secondaryIsNameServer: Check = (zone, { owner }) => {
  const servers = owner === "@" ? nameServers(zone) : [];
  if (servers.length === 0 || servers.some(({ addresses }) => addresses.length === 0)) return undefined;
  const all = servers.flatMap(({ addresses }) => addresses);
  const hidden = zone.world.surroundings.secondaries.filter((each) => each.required && !isAmong(each.address, all));
  const names = hidden.map(({ name, address }) => `${name} (${address})`).join(", ");
  return names !== "" && `No resolver asks the secondaries ${names}; add NS records for them, or leave them hidden.`;
};

export const nameServersAreKept: Check = (_zone, { owner, ttl }) =>
  owner === "@" &&
  ttl < 3600 &&
  `Resolvers forget the name servers after ${ttl} s and ask again; write a TTL of ${day}.`;

/** The apex of the zone below a delegation, where it is here. */
const childApex = (zone: CheckedZone, owner: string) =>
  owner === "@" ? undefined : zone.world.zone(zoneNameText(ownerName(owner, zone.zone)));

export const delegationIsAsChild: Check = (zone, { owner }) => {
  const servers = (records: readonly RuledRecord[]) =>
    records
      .map(({ rdata }) => rdata)
      .toSorted()
      .join(", ");
  const [here, there] = [servers(zone.rrset(owner, "NS")), servers(childApex(zone, owner)?.rrset("@", "NS") ?? [])];
  return (
    there !== "" &&
    here !== there &&
    `${owner} is delegated to ${here}, and the zone below has ${there}; write the same.`
  );
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
    .filter(({ tag }) => tag === "issue");
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

const checkedText =
  (isAbout: (owner: string) => boolean, kind: Parameters<typeof faultOfTags>[0]): Check =>
  (_zone, { owner, wire }) => {
    const fault = isAbout(owner) ? faultOfTags(kind, textOf(wire)) : undefined;
    return fault && `Nobody can read the text at ${owner}, and it has no effect: ${fault}.`;
  };

export const dmarcIsValid = checkedText((owner) => /^_dmarc(\.|$)/.test(owner), "dmarc");
export const dkimIsValid = checkedText((owner) => /.\._domainkey(\.|$)/.test(owner), "dkim");
export const mtaStsIsValid = checkedText((owner) => /^_mta-sts(\.|$)/.test(owner), "mtaSts");
export const tlsRptIsValid = checkedText((owner) => /^_smtp\._tls(\.|$)/.test(owner), "tlsRpt");

const termsOf = (wire: Uint8Array) => (isSpf(textOf(wire)) ? spfTerms(textOf(wire)) : []);

export const spfIsValid: Check = (_zone, { owner, wire }) => {
  const fault = termsOf(wire);
  return typeof fault === "string" && `Receivers refuse the SPF policy of ${owner}: ${fault}.`;
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
    `Receivers give up the SPF policy of ${owner} after ${mostLookups} lookups; write addresses (ip4, ip6) for names.`
  );
};
