/** The table of what is looked for: each code stays, with its severity, its source, the types of its records and its check. */

import { enumType } from "../graphql/scalars/enum-type.ts";
import { Pieces } from "../turns/long-work.ts";
import type { Notice } from "../zone/edit/notice.ts";
import { adviceAbout, type RuledRecord } from "../zone/edit/rules.ts";
import type { CheckedZone } from "./checked-zone.ts";
import * as is from "./checks.ts";

export const Severity = enumType("FindingSeverity", "How bad a finding is.", {
  ERROR: "Something does not work, or not everywhere.",
  WARNING: "Something will fail in a case that occurs.",
  NOTE: "Something that is seldom meant.",
});
export type Severity = keyof typeof Severity;

interface Kind {
  readonly severity: Severity;
  /** The RFC, or who recommends it. */
  readonly source: string;
  /** A sentence without its full stop. */
  readonly description: string;
  /** The types of the records that are checked; empty for all, and where `check` is left out. */
  readonly types: string;
  /** Left out where the advice on changes (zone/edit/rules.ts) says it, or the answers of servers. */
  readonly check?: is.Check | undefined;
}

const kind = (severity: Severity, source: string, description: string, types = "", check?: is.Check): Kind => ({
  severity,
  source,
  description,
  types,
  check,
});
const error = kind.bind(undefined, "ERROR");
const warning = kind.bind(undefined, "WARNING");
const note = kind.bind(undefined, "NOTE");

const addresses = "A AAAA";
const targets = "CNAME DNAME SVCB HTTPS";

export const findingCodes = {
  ALIAS_LOOP: error("RFC 1034 §3.6.2", "CNAME records lead back to where they began", "CNAME", is.aliasEnds),
  CAA_FORBIDS_ACME: error("RFC 8659 §4.2", "CAA forbids the certificate of an ACME key", "CAA", is.caaAllowsAcme),
  CDS_DIFFERS: warning("RFC 7344 §4", "The parent zone has not taken the DS that CDS asks for"),
  CHILD_NS_DIFFER: warning("RFC 1034 §4.2.2", "A delegation differs from the zone below", "NS", is.delegationIsAsChild),
  DKIM_SYNTAX: error("RFC 6376 §3.6.1", "A DKIM key that no receiver can read", "TXT", is.dkimIsValid),
  DMARC_SYNTAX: warning("RFC 7489 §6.3", "A DMARC policy with a fault", "TXT", is.dmarcIsValid),
  DS_WITHOUT_KEY: error("RFC 4035 §5", "A DS record matches no DNSKEY of the zone", "DS", is.dsHasKey),
  HIDDEN_BY_DELEGATION: error("RFC 1034 §4.2.1", "Data below a delegation, which is not answered"),
  HOST_WITHOUT_ADDRESS: error("RFC 5321 §5.1", "An MX or SRV record names a host that has no address"),
  MTA_STS_SYNTAX: error("RFC 8461 §3.1", "An MTA-STS record that no sender can read", "TXT", is.mtaStsIsValid),
  NAME_SERVER_WITHOUT_ADDRESS: error("RFC 1034 §4.2.1", "A name server that has no address"),
  NEGATIVE_TTL_LONG: note("RFC 2308 §5", "A missing name stays missing for over a day", "SOA", is.negativeTtl),
  NS_NOT_SECONDARY: note("RFC 1912 §2.8", "A name server that is no secondary", "NS", is.nameServerIsSecondary),
  NS_TTL_SHORT: note("RFC 1912 §2.2", "Name servers are forgotten within the hour", "NS", is.nameServersAreKept),
  NULL_MX_BESIDE_OTHERS: error("RFC 7505 §3", "All mail is refused beside other MX records", "MX", is.nullMxIsAlone),
  ONE_NETWORK: warning("RFC 2182 §3.1", "All name servers are in one network", "NS", is.networksAreSeveral),
  PARENT_GLUE_DIFFERS: error("RFC 1034 §4.2.2", "The parent zone has another address of a name server"),
  PARENT_NS_DIFFER: error("RFC 1034 §4.2.2", "The parent zone delegates to other name servers"),
  PRIVATE_ADDRESS: note("RFC 1918 §3", "A public name has a private address", addresses, is.addressIsPublic),
  PTR_MISSING: note("RFC 1912 §2.1", "An address has no PTR record", addresses, is.addressHasPtr),
  PTR_WITHOUT_ADDRESS: warning("RFC 1912 §2.1", "A PTR record names another host", "PTR", is.pointerIsReturned),
  SECONDARY_NOT_NS: note("RFC 1912 §2.8", "A secondary is no name server", "NS", is.secondaryIsNameServer),
  SERIAL_IN_FUTURE: note("RFC 1912 §2.2", "A serial is a date that has not come", "SOA", is.serialIsPast),
  SERVER_AHEAD: error("RFC 1982 §3.2", "A name server serves a later serial, and takes no change"),
  SERVER_BEHIND: error("RFC 1035 §3.3.13", "A name server did not take the last change"),
  SERVER_NS_DIFFER: warning("RFC 1034 §4.2.2", "A name server has other NS records"),
  SEVERAL_SPF_POLICIES: error("RFC 7208 §4.5", "A name has several SPF policies"),
  SIGNATURE_EXPIRES: error("RFC 6781 §4.4.2", "A signature expires within three days"),
  SINGLE_NAME_SERVER: warning("RFC 1034 §4.1", "The zone has one name server alone", "NS", is.nameServersAreSeveral),
  SOA_TIMERS: warning("RFC 1912 §2.2", "By the SOA, secondaries give the zone up too early", "SOA", is.soaTimes),
  SPF_ALLOWS_ALL: warning("RFC 7208 §5.1", "An SPF policy that lets everybody send", "TXT", is.spfIsLimited),
  SPF_INCLUDE_MISSING: error("RFC 7208 §5.2", "An SPF policy includes none", "TXT", is.spfIncludesPolicies),
  SPF_LOOKUPS: error("RFC 7208 §4.6.4", "An SPF policy takes more than ten lookups", "TXT", is.spfIsShort),
  SPF_SYNTAX: error("RFC 7208 §4.6", "An SPF policy that receivers take for an error", "TXT", is.spfIsValid),
  TARGET_IS_ADDRESS: error("RFC 3696 §2", "A name in record data is an IPv4 address"),
  TARGET_IS_ALIAS: warning("RFC 2181 §10.3", "An MX, NS or SRV record points at a CNAME"),
  TARGET_MISSING: error("RFC 1912 §2.4", "A record points at a name that does not exist", targets, is.targetExists),
  TLS_RPT_SYNTAX: error("RFC 8460 §3", "A TLS-RPT record that no sender can read", "TXT", is.tlsRptIsValid),
  TTL_LONG: note("RFC 1912 §2.2", "Resolvers keep a record for more than a week", "", is.ttlIsShort),
  ZONE_NOT_DELEGATED: warning("RFC 1034 §4.2.1", "The zone above does not delegate it", "SOA", is.zoneIsDelegated),
  WILDCARD_HIDDEN: note("RFC 4592 §2.2.1", "A name does not have a type of its wildcard", "", is.wildcardAnswers),
  LAME_SERVER: error("RFC 1912 §2.8", "A name server does not serve the zone"),
} as const satisfies Readonly<Record<string, Kind>>;

export type FindingCode = keyof typeof findingCodes;
const kinds = Object.entries(findingCodes) as [FindingCode, Kind][];
const described = kinds.map(([code, { description, source }]) => [code, `${description} (${source}).`]);
export const FindingCode = enumType(
  "FindingCode",
  "What a finding is about.",
  Object.fromEntries(described) as Record<FindingCode, string>,
);

/** What a check says: where, what happens and what to do. */
export interface Found {
  readonly code: FindingCode;
  /** Relative to the zone; `@` is its apex. */
  readonly owner: string;
  readonly type: string;
  readonly message: string;
}

/** Something that is wrong with a zone, or seldom meant. */
export interface Finding extends Found {
  readonly zone: string;
  /** When servers were asked; undefined for the records as they are now. */
  readonly at?: Date;
  readonly severity: Severity;
  readonly source: string;
}

export function findingOf(zone: string, found: Found): Finding {
  const { severity, source } = findingCodes[found.code];
  return { ...found, zone, severity, source };
}

const isCode = (notice: Notice): notice is Notice & { code: FindingCode } => notice.code in findingCodes;

function* foundAt(zone: CheckedZone, record: RuledRecord): Generator<Found> {
  const { owner, type } = record;
  for (const notice of adviceAbout(zone, record))
    if (isCode(notice)) yield { code: notice.code, owner, type, message: notice.message };
  for (const [code, check] of checksOf(type)) {
    const message = check(zone, record);
    if (message) yield { code, owner, type, message };
  }
}

const checksByType = new Map<string, (readonly [FindingCode, is.Check])[]>();
function checksOf(type: string) {
  let checks = checksByType.get(type);
  if (checks) return checks;
  const isOf = ({ types }: Kind) => types === "" || types.split(" ").includes(type);
  checks = kinds.flatMap(([code, each]) => (each.check && isOf(each) ? [[code, each.check] as const] : []));
  checksByType.set(type, checks);
  return checks;
}

/** All that is wrong with the records of a zone, except what its labels switch off. */
export async function findingsOf(zone: CheckedZone): Promise<Finding[]> {
  const pieces = new Pieces();
  const findings = new Map<string, Finding>();
  for (const record of zone.records) {
    for (const each of foundAt(zone, record)) {
      const key = `${each.code} ${each.owner} ${each.type} ${each.message}`;
      if (!zone.about.ignored.has(each.code) && !findings.has(key)) findings.set(key, findingOf(zone.zone, each));
    }
    await pieces.next();
  }
  return [...findings.values()];
}
