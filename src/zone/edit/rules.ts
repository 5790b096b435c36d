/**
 * The rules that a zone must satisfy after a change. Each rule is a named function with its RFC; it looks at one owner and returns its
 * violation. Advice is a list of its own and only warns. Nothing here uses the database.
 */
import { isIPv4 } from "node:net";
import {
  isWithin,
  maxNameLength,
  type Name,
  nameText,
  ownerName,
  ownerText,
  zoneNameText,
  zoneNameWire,
} from "../../dns/name.ts";
import { rdataNames } from "../../dns/rdata/rdata.ts";
import { recordType } from "../../dns/rdata/record-type-registry.ts";
import type { Code } from "../../error-codes.ts";
import type { OwnerLimits } from "../../session/operator-policy.ts";
import type { Notice, NoticeCode } from "./notice.ts";
import type { EditOfRrset, WorkingRecord } from "./working-copy.ts";

/** What rules and advice look at of a record. */
export type RuledRecord = Omit<WorkingRecord, "digest">;

/** The part of a zone that advice looks at. An owner that is not loaded looks empty. */
export interface CheckedView {
  readonly zone: string;
  at(owner: string): readonly RuledRecord[];
  /** The records of a name in any zone, and whether it is this one; undefined where they are not known. Left out where no other is looked at. */
  lookUp?(name: Name): { readonly records: readonly RuledRecord[]; readonly isHere: boolean } | undefined;
}

/** The part of a zone that rules look at. A change loads all owners that its rules need. */
interface ZoneView extends CheckedView {
  /** The most records of an RRset and the most types at a name; 0 is no limit. */
  readonly limits: OwnerLimits;
  at(owner: string): readonly WorkingRecord[];
  /** A record below the owner, if there is one. Only the owners below DNAME records are loaded. */
  below(owner: string): WorkingRecord | undefined;
}

interface OwnerOrRrset {
  readonly owner: string;
  readonly type?: string | undefined;
}

/** A broken rule: its owner, the type if the rule is about one RRset, and all owners and RRsets that take part. */
export interface Violation {
  readonly code: Code;
  readonly message: string;
  readonly owner: string;
  readonly type: string | undefined;
  readonly among: readonly OwnerOrRrset[];
}

type Rule = (zone: ZoneView, owner: string) => Violation | undefined;
type Advice = (zone: CheckedView, record: RuledRecord) => Pick<Notice, "message" | "field"> | undefined;

export const show = (record: RuledRecord) => `${record.owner} ${record.type} ${record.rdata}`;
/** A record with its id, by which a client can remove it; a record that is not stored yet has no id. */
const showStored = (record: RuledRecord) => `${show(record)}${idOf(record)}`;
const idOf = ({ id }: RuledRecord) => (id ? ` (id ${id})` : "");
const ofType = (zone: CheckedView, owner: string, type: string) =>
  zone.at(owner).filter((record) => record.type === type);
/** A violation at an owner or RRset, together with others that take part. */
const conflict = (message: string, at: OwnerOrRrset, ...others: readonly OwnerOrRrset[]): Violation => ({
  code: "RECORD_CONFLICT",
  message,
  owner: at.owner,
  type: at.type,
  among: [at, ...others],
});

/** The owners above an owner up to the apex, nearest first: `a.b` has `b` and `@`. Escaped dots stay in their label. */
export function ancestors(owner: string): string[] {
  if (owner === "@") return [];
  const above: string[] = [];
  for (let dot = owner.indexOf("."); dot >= 0; dot = owner.indexOf(".", dot + 1)) above.push(owner.slice(dot + 1));
  above.push("@");
  return above;
}

/** A CNAME is alone at its name (RFC 1034 §3.6.2, RFC 2181 §10.1). */
const cnameIsAlone: Rule = (zone, owner) => {
  const [cname] = ofType(zone, owner, "CNAME");
  const other = cname && zone.at(owner).find((record) => record.type !== "CNAME");
  if (!other) return undefined;
  const message = `${showStored(cname)} cannot be beside ${showStored(other)}; remove one of them.`;
  return { ...conflict(message, { owner }), type: "CNAME" };
};

const isSingle =
  (type: string): Rule =>
  (zone, owner) => {
    const [first, second] = ofType(zone, owner, type);
    if (!first || !second) return undefined;
    const message = `${owner} has the ${type} ${first.rdata}${idOf(first)} and cannot have ${second.rdata} too; edit the first.`;
    return conflict(message, first);
  };

/** A name has one CNAME at most (RFC 2181 §10.1). */
const cnameIsSingle = isSingle("CNAME");

/** A name has one DNAME at most (RFC 6672 §2.4). */
const dnameIsSingle = isSingle("DNAME");

/** Nothing lives below a DNAME (RFC 6672 §2.4). */
const nothingBelowDname: Rule = (zone, owner) => {
  const [dname] = ofType(zone, owner, "DNAME");
  const below = dname && zone.below(owner);
  if (below)
    return conflict(`${showStored(below)} lies below ${showStored(dname)}; remove one of them.`, dname, {
      owner: below.owner,
    });
  if (zone.at(owner).length === 0) return undefined;
  const above = ancestors(owner).flatMap((ancestor) => ofType(zone, ancestor, "DNAME"))[0];
  return (
    above &&
    conflict(
      `${owner} lies below ${showStored(above)}, which redirects all names under it; remove one of them.`,
      { owner },
      above,
    )
  );
};

/** The zone has one SOA, at the apex (RFC 1035 §5.2). */
const soaIsSingleAtApex: Rule = (zone, owner) => {
  const [first, second] = ofType(zone, owner, "SOA");
  if (owner !== "@")
    return first && conflict(`An SOA is allowed only at the apex, not at ${owner}; leave it out.`, first);
  return second && conflict("The zone has its SOA already; edit that record instead of adding a second.", second);
};

/** The apex keeps a name server (RFC 1034 §4.2.1). */
const apexKeepsNs: Rule = (zone, owner) => {
  if (owner !== "@" || ofType(zone, "@", "NS").length > 0) return undefined;
  const message = "The last NS record at the apex cannot be removed; add another name server first.";
  return { ...conflict(message, { owner, type: "NS" }), code: "PROTECTED_RECORD" };
};

/** DS belongs to the parent's side of a cut, so never to the apex (RFC 4035 §2.4). */
const noDsAtApex: Rule = (zone, owner) => {
  const [ds] = owner === "@" ? ofType(zone, "@", "DS") : [];
  return ds && conflict(`${show(ds)} cannot be at the apex; it belongs in the parent zone.`, ds);
};

/** A wildcard cannot be delegated (RFC 4592 §4.2); BIND drops a zone over it. */
const noWildcardNs: Rule = (zone, owner) => {
  const [ns] = owner === "*" || owner.startsWith("*.") ? ofType(zone, owner, "NS") : [];
  return ns && conflict(`${show(ns)} delegates a wildcard, which is not possible; write the names out.`, ns);
};

/**
 * Octets of a message without names and record data. `fixed` is the header, the question, OPT and a TSIG of usual length; `record` is the
 * owner pointer, type, class, TTL and length.
 */
const messageOctets = { fixed: 12 + 4 + 11 + 180, record: 12 };

/** An RRset is answered whole, so it fits one message of 65,535 octets (RFC 2181 §5, RFC 1035 §4.2.2). */
const rrsetFitsMessage: Rule = (zone, owner) => {
  const records = zone.at(owner);
  const most = records.reduce((sum, { wire }) => sum + messageOctets.record + wire.length, messageOctets.fixed);
  if (most + maxNameLength <= 65_535) return undefined;
  const octets = new Map<string, number>();
  const fixed = messageOctets.fixed + ownerName(owner, zone.zone).length;
  for (const { type, wire } of records) {
    octets.set(type, (octets.get(type) ?? fixed) + messageOctets.record + wire.length);
  }
  const tooLarge = [...octets].find(([, size]) => size > 65_535);
  if (!tooLarge) return undefined;
  return conflict(
    `The ${tooLarge[0]} records of ${owner} would not fit one DNS message of 65,535 octets; remove some.`,
    { owner, type: tooLarge[0] },
  );
};

/** A name has one RESINFO at most (RFC 9606 §3); BIND drops a zone over a second. */
const resinfoIsSingle: Rule = (zone, owner) => {
  const [, second] = ofType(zone, owner, "RESINFO");
  return second && conflict(`${owner} has a RESINFO record already; edit it instead of adding a second.`, second);
};

/** BIND drops a zone that exceeds its limits of records in an RRset and of types at a name, 100 of each by default. */
const ownerStaysInLimits: Rule = (zone, owner) => {
  const { records, types } = zone.limits;
  const all = zone.at(owner);
  if (all.length <= Math.min(records || Infinity, types || Infinity)) return undefined;
  const byType = Map.groupBy(all, ({ type }) => type);
  if (types > 0 && byType.size > types)
    return conflict(`${owner} would have ${byType.size} record types; at most ${types} are allowed.`, { owner });
  const tooMany = records > 0 ? [...byType].find(([, rrset]) => rrset.length > records) : undefined;
  if (!tooMany) return undefined;
  return conflict(
    `${owner} would have ${tooMany[1].length} ${tooMany[0]} records; at most ${records} are allowed (RRSET_RECORDS).`,
    { owner, type: tooMany[0] },
  );
};

const rules: readonly Rule[] = [
  cnameIsSingle,
  cnameIsAlone,
  dnameIsSingle,
  nothingBelowDname,
  soaIsSingleAtApex,
  apexKeepsNs,
  noDsAtApex,
  noWildcardNs,
  rrsetFitsMessage,
  resinfoIsSingle,
  ownerStaysInLimits,
];

export function violations(zone: ZoneView, owners: Iterable<string>): Violation[] {
  const broken: Violation[] = [];
  for (const owner of owners)
    for (const rule of rules) {
      const violation = rule(zone, owner);
      if (violation) broken.push(violation);
    }
  return broken;
}

/** The owners inside the zone that a record's data points at. */
export function targets(record: { type: string; wire: Uint8Array }, zone: string): string[] {
  const origin = zoneNameWire(zone);
  const names = rdataNames(recordType(record.type), record.wire).map(({ name }) => name);
  return names.filter((name) => isWithin(name, origin)).map((name) => ownerText(name, origin));
}

/** What is known of a host that a record names, with the glue of a delegation; undefined where it is not known. */
function host(zone: CheckedView, record: RuledRecord) {
  const [{ name } = {}] = rdataNames(recordType(record.type), record.wire);
  if (name === undefined || name.length === 1) return undefined;
  const owner = isWithin(name, zoneNameWire(zone.zone)) ? ownerText(name, zoneNameWire(zone.zone)) : undefined;
  const isGlue = record.type === "NS" && `.${owner}`.endsWith(`.${record.owner}`);
  if (owner !== undefined && (isGlue || !zone.lookUp)) return { records: zone.at(owner), place: owner, isHere: true };
  const answer = zone.lookUp?.(name);
  return answer && { ...answer, place: answer.isHere && owner !== undefined ? owner : zoneNameText(name) };
}

/** MX, NS and SRV name hosts, not aliases (RFC 2181 §10.3, RFC 2782). */
const targetIsNoAlias: Advice = (zone, record) => {
  if (!["MX", "NS", "SRV"].includes(record.type)) return undefined;
  const { records = [], place } = host(zone, record) ?? {};
  const alias = records.find(({ type }) => type === "CNAME");
  if (!alias) return undefined;
  return { message: `${show(record)} points at the CNAME ${place}; point it at ${alias.rdata}`, field: "rdata" };
};

/** MX, NS and similar data is the name of a host, where users often write an address; no host name ends in a number (RFC 3696 §2). */
const targetIsNoAddress: Advice = (zone, record) => {
  const names = rdataNames(recordType(record.type), record.wire).map(({ name }) => nameText(name).slice(0, -1));
  const relative = names.map((name) => (name.endsWith(`.${zone.zone}`) ? name.slice(0, -zone.zone.length - 1) : name));
  const address = [...names, ...relative].find((name) => isIPv4(name));
  if (address === undefined) return undefined;
  const message = `${show(record)} points at ${address}, an address; write the name of a host that has it.`;
  return { message, field: "rdata" };
};

/** A host inside the zone that records of these types point at needs an address. */
const targetHasAddress =
  (types: readonly string[], target: string): Advice =>
  (zone, record) => {
    const { records, place, isHere } = (types.includes(record.type) && host(zone, record)) || {};
    if (!records || records.some(({ type }) => ["A", "AAAA", "CNAME"].includes(type))) return undefined;
    if (targetIsNoAddress(zone, record)) return undefined;
    const where = isHere ? "in this zone" : "in a zone of this service";
    const message = `${show(record)} names a ${target} ${where} that has no address; add an A or AAAA record at ${place}.`;
    return { message, field: "rdata" };
  };

/** A name server inside the zone needs an address there (RFC 1034 §4.2.1). */
const nameServerHasGlue = targetHasAddress(["NS"], "server");

/** Mail and services inside the zone need an address there (RFC 5321 §5.1, RFC 2782). */
const hostHasAddress = targetHasAddress(["MX", "SRV"], "host");

/** A name has one SPF policy at most; receivers take several for an error (RFC 7208 §4.5). */
const policyIsSingle: Advice = (zone, record) => {
  const isPolicy = ({ type, rdata }: RuledRecord) => type === "TXT" && /^"v=spf1[ "]/i.test(rdata);
  if (!isPolicy(record) || zone.at(record.owner).filter(isPolicy).length < 2) return undefined;
  const message = `${record.owner} has several SPF policies, which receivers take for an error; leave one.`;
  return { message, field: "rdata" };
};

/** Below a delegation, a server answers with nothing but the addresses of name servers, as glue (RFC 1034 §4.2.1). */
const dataIsNotHidden: Advice = (zone, record) => {
  const cut = ancestors(record.owner).find((owner) => owner !== "@" && ofType(zone, owner, "NS").length > 0);
  if (cut === undefined || record.type === "A" || record.type === "AAAA") return undefined;
  const message = `${show(record)} lies below the delegation at ${cut} and will not be answered; put it into that zone.`;
  return { message, field: "owner" };
};

const advice: readonly (readonly [NoticeCode, Advice])[] = [
  ["TARGET_IS_ALIAS", targetIsNoAlias],
  ["TARGET_IS_ADDRESS", targetIsNoAddress],
  ["NAME_SERVER_WITHOUT_ADDRESS", nameServerHasGlue],
  ["HOST_WITHOUT_ADDRESS", hostHasAddress],
  ["SEVERAL_SPF_POLICIES", policyIsSingle],
  ["HIDDEN_BY_DELEGATION", dataIsNotHidden],
];

export function adviceAbout(zone: CheckedView, record: RuledRecord): Notice[] {
  const { owner, type } = record;
  const notices: Notice[] = [];
  for (const [code, check] of advice) {
    const advised = check(zone, record);
    if (advised) notices.push({ code, ...advised, owner, type });
  }
  return notices;
}

/** A batch of the owners that a change touches, with the part of the zone that the rules look at, as it would be after the change. */
export interface TouchedOwners {
  readonly view: ZoneView;
  readonly owners: Iterable<string>;
  readonly written: Iterable<WorkingRecord>;
  fieldOf?(owner: string): string | undefined;
  editsOf?(among: readonly OwnerOrRrset[]): readonly EditOfRrset[];
  /** The path of a written record's fields in the request; undefined for a record that the request does not name. */
  pathOf?(record: WorkingRecord): string | undefined;
  lineOf?(owner: string): Promise<number | undefined>;
}
