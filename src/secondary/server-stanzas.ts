/**
 * The configuration of a name server that makes it a secondary of this service, ready to be pasted: Knot, BIND and
 * PowerDNS follow the catalog (RFC 9432); NSD, which has no catalogs before release 4.9, lists the zones that exist. Each lets this service
 * transfer what it has, by the key, and nobody else. BIND and NSD transfer over TLS where it is served (RFC 9103), and verify the service's
 * certificate. Knot 3.2 and PowerDNS cannot.
 */
import { isIP } from "node:net";
import { sql } from "kysely";
import { type TsigSecret, tsigSecret } from "../account/tsig-key.ts";
import { Refusal } from "../errors.ts";
import { mayAdminister } from "../session/authorization.ts";
import type { Policy } from "../session/operator-policy.ts";
import { connection, type Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { Domain } from "../zone/domain.ts";
import { findSecondary, readAddress } from "./registry.ts";

/** The name servers that a configuration can be written for. */
export const serverKinds = { KNOT: "KNOT", BIND: "BIND", NSD: "NSD", POWERDNS: "POWERDNS" } as const;
export type ServerKind = keyof typeof serverKinds;

/** The values in a configuration. */
interface ConfigValues {
  readonly name: string;
  /** The address at which the secondary reaches this service. */
  readonly address: string;
  readonly port: number;
  readonly catalog: string;
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string } | undefined;
  readonly zones: readonly string[];
  /** There where it transfers over TLS, which has the port then. */
  readonly tls: TlsValues | undefined;
  /** A comment on what has to be done about TLS. */
  readonly remark: string;
}

/** What a secondary needs to know of a service that speaks TLS. */
interface TlsValues {
  readonly name: string;
  readonly issuer: string;
  readonly needsClientCertificate: boolean;
}

/** The servers that transfer over TLS in the releases that are tested. */
const speakingTls: readonly ServerKind[] = ["BIND", "NSD"];

/** Where Debian and its kin keep the certificates of public authorities. */
const publicAuthorities = "/etc/ssl/certs/ca-certificates.crt";

const writers: Readonly<Record<ServerKind, (values: ConfigValues) => string>> = {
  KNOT: knot,
  BIND: bind,
  NSD: nsd,
  POWERDNS: powerdns,
};

/** Zones that the configuration of NSD lists at most. */
const maxListedZones = 10_000;

/**
 * Returns the configuration for a secondary. It contains the secret of its key, so that only an administrator who may
 * write sees it. `primary` is the address, with a port or without, at which the secondary reaches this service, where
 * that is not the one it listens on.
 */
export async function secondaryConfig(
  session: Session,
  id: number,
  server: ServerKind,
  primary?: string,
): Promise<string> {
  mayAdminister(session.actor);
  const { name, tsigKeyId } = await findSecondary(session, { id }, "secondaryId");
  const values = {
    name,
    ...primaryOf(session, server, primary),
    catalog: session.policy.catalogZone,
    key: tsigKeyId === null ? undefined : encodedKey(await workingKey(session, tsigKeyId)),
    zones: server === "NSD" ? await zonesToList(session) : [],
  };
  return writers[server](values);
}

/** How the secondary reaches this service: over TLS where both know it. A port that is that of plain DNS is not meant for TLS. */
function primaryOf(
  { policy }: Session,
  server: ServerKind,
  requested: string | undefined,
): Pick<ConfigValues, "address" | "port" | "tls" | "remark"> {
  const { tls, port } = policy.primary;
  const isTls = tls !== undefined && speakingTls.includes(server);
  const reached = addressOf(policy, requested, isTls ? tls.port : port);
  if (!tls) return { ...reached, tls: undefined, remark: "" };
  if (!isTls) return { ...reached, tls: undefined, remark: plainRemark(tls.isRequired) };
  const { name, issuer } = tls.certificate();
  const { needsClientCertificate } = tls;
  return {
    address: reached.address,
    port: reached.port === port ? tls.port : reached.port,
    tls: { name, issuer, needsClientCertificate },
    remark: tlsRemark(issuer, needsClientCertificate),
  };
}

const plainRemark = (isRequired: boolean) =>
  `This server transfers zones without TLS.${isRequired ? " The service refuses that, as DNS_TRANSFER is tls there." : ""}`;

const tlsRemark = (issuer: string, needsClientCertificate: boolean) =>
  [
    `The service's certificate is issued by ${issuer}.`,
    `If that is no public authority, put its certificate into a file here, and name that instead of ${publicAuthorities}.`,
    ...(needsClientCertificate
      ? ["The service wants a certificate of this server, too: name its file and that of its key."]
      : []),
  ].join(" ");

function addressOf(
  { primary }: Policy,
  requested: string | undefined,
  port: number,
): Pick<ConfigValues, "address" | "port"> {
  const { address } = primary;
  if (requested !== undefined) return readPrimary(requested.trim(), port);
  if (isIP(address) !== 0 && address !== "0.0.0.0" && address !== "::") return { address, port };
  const message = `primary is missing: the service listens on ${address}; write the address at which the secondary reaches it.`;
  throw new Refusal("MISSING_FIELD", message, { field: "primary" });
}

/** Reads an address, `address:port` or `[IPv6 address]:port`. */
function readPrimary(text: string, defaultPort: number): Pick<ConfigValues, "address" | "port"> {
  const [, bracketed, plain, port = String(defaultPort)] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (Number(port) >= 1 && Number(port) <= 65535)
    return { address: readAddress(bracketed ?? plain ?? text, "primary"), port: Number(port) };
  throw new Refusal("INVALID_VALUE", "primary: write a port from 1 to 65535 after the address.", { field: "primary" });
}

async function workingKey(session: Session, id: number): Promise<TsigSecret> {
  const key = await tsigSecret(session, { id });
  if (key) return key;
  const message = "secondary: its TSIG key was revoked or has expired; give the secondary another key.";
  throw new Refusal("INVALID_VALUE", message, { field: "secondaryId" });
}

const encodedKey = ({ name, algorithm, secret }: TsigSecret) => ({
  name,
  algorithm,
  secret: Buffer.from(secret).toString("base64"),
});

const d = table(Domain, "d");

async function zonesToList(session: Session): Promise<string[]> {
  const query = sql<{ zone: string }>`
    select ${d.zone} from ${d} where ${d.userId} is not null order by ${d.zone} limit ${maxListedZones + 1}`;
  const { rows } = await query.execute(connection(session));
  if (rows.length <= maxListedZones) return rows.map(({ zone }) => zone);
  const message = `There are more than ${maxListedZones} zones to list; use NSD 4.9 or later as a consumer of the catalog, or another server.`;
  throw new Refusal("TOO_LARGE", message, { field: "server" });
}

/** The comment, if there is one, as a line. */
const remarkLine = (sign: string, remark: string) => (remark === "" ? "" : `${sign} ${remark}\n`);

function knot({ name, address, port, catalog, key, remark }: ConfigValues): string {
  const keyed = key ? `\n    key: ${key.name}` : "";
  const transfer = `master: zonesmith
    acl: zonesmith-notify
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all`;
  return `# Knot DNS 3.2 or later, ${name}: add to knot.conf, then: knotc conf-check && knotc reload
${remarkLine("#", remark)}${
  key
    ? `key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secret}
`
    : ""
}remote:
  - id: zonesmith
    address: ${address}@${port}${keyed}
acl:
  - id: zonesmith-notify
    ${key ? `key: ${key.name}` : `address: ${address}`}
    action: [notify, transfer]
template:
  - id: zonesmith-member
    ${transfer}
    semantic-checks: off
zone:
  - domain: ${catalog}
    ${transfer}
    catalog-role: interpret
    catalog-template: zonesmith-member
`;
}

function bind({ name, address, port, catalog, key, tls, remark }: ConfigValues): string {
  const primaries = `{ ${address} port ${port}${key ? ` key "${key.name}"` : ""}${tls ? " tls zonesmith" : ""}; }`;
  const trusted = key ? `key "${key.name}"` : address;
  return `// BIND 9.18 or later, ${name}: add to named.conf, then: named-checkconf && rndc reconfig
// If named.conf has an options block already, move these options into it.
${remarkLine("//", remark)}${tls ? bindTls(tls) : ""}${key ? `key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };\n` : ""}options {
    recursion no; notify no;
    allow-transfer { ${trusted}; };
    allow-new-zones yes;
    transfers-in 50; transfers-per-ns 50; serial-query-rate 1000;
    min-refresh-time 5; min-retry-time 5;
    catalog-zones {
        zone "${catalog}" default-primaries ${primaries} in-memory no min-update-interval 1;
    };
};
zone "${catalog}" {
    type secondary;
    file "${catalog}.db";
    primaries ${primaries};
    allow-notify { ${trusted}; };
};
`;
}

function bindTls({ name, needsClientCertificate }: TlsValues): string {
  const own = needsClientCertificate ? `\n    cert-file "/etc/bind/client.pem"; key-file "/etc/bind/client.key";` : "";
  return `tls zonesmith {
    ca-file "${publicAuthorities}"; remote-hostname "${name}"; protocols { TLSv1.3; };${own}
};
`;
}

function nsd({ name, address, port, key, zones, tls, remark }: ConfigValues): string {
  const signed = key?.name ?? "NOKEY";
  const trusted = key ? ["0.0.0.0/0", "::0/0"] : [address];
  const listed = zones.map((zone) => `zone:\n    name: "${zone}"\n    include-pattern: "zonesmith"\n`);
  return `# NSD, ${name}: add to nsd.conf, then: nsd-checkconf nsd.conf && nsd-control reconfig
${remarkLine("#", remark)}# The zones are listed one by one: print this again when zones were created, and remove deleted zones by hand.
${key ? `key:\n    name: "${key.name}"\n    algorithm: ${key.algorithm}\n    secret: "${key.secret}"\n` : ""}${tls ? nsdTls(tls) : ""}pattern:
    name: "zonesmith"
    zonefile: "%s.zone"
    allow-notify: ${address} ${signed}
    request-xfr: ${address}@${port} ${signed}${tls ? " zonesmith" : ""}
${trusted.map((each) => `    provide-xfr: ${each} ${signed}\n`).join("")}    min-retry-time: 2
${listed.join("")}`;
}

function nsdTls({ name, needsClientCertificate }: TlsValues): string {
  const own = `    client-cert: "/etc/nsd/client.pem"\n    client-key: "/etc/nsd/client.key"\n`;
  return `server:
    tls-cert-bundle: "${publicAuthorities}"
tls-auth:
    name: "zonesmith"
    auth-domain-name: "${name}"
${needsClientCertificate ? own : ""}`;
}

function powerdns({ name, address, port, catalog, key, remark }: ConfigValues): string {
  const primary = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`;
  const commands = [
    ...(key ? [`pdnsutil import-tsig-key ${key.name} ${key.algorithm} '${key.secret}'`] : []),
    `pdnsutil create-secondary-zone ${catalog} ${primary}`,
    `pdnsutil set-kind ${catalog} consumer`,
    ...(key ? ["secondary", "primary"].map((as) => `pdnsutil activate-tsig-key ${catalog} ${key.name} ${as}`) : []),
  ];
  return `# PowerDNS 4.7 or later, ${name}: add to pdns.conf and restart pdns
${remarkLine("#", remark)}secondary=yes
allow-notify-from=${address}
allow-unsigned-notify=${key ? "no" : "yes"}
allow-axfr-ips=${key ? "" : address}
xfr-cycle-interval=5
# Then run once:
${commands.map((command) => `#   ${command}\n`).join("")}${key ? memberKeys(catalog, key.name) : ""}`;
}

/** PowerDNS assigns no key to the members of a catalog: it requests their transfers unsigned, and refuses those that are signed. */
function memberKeys(catalog: string, key: string): string {
  const kinds = "SELECT 'AXFR-MASTER-TSIG' AS kind UNION SELECT 'TSIG-ALLOW-AXFR'";
  const give = `INSERT INTO domainmetadata (domain_id, kind, content) SELECT NEW.id, k.kind, '${key}' FROM (${kinds}) k WHERE NOT EXISTS (SELECT 1 FROM domainmetadata WHERE domain_id = NEW.id AND kind = k.kind); END;`;
  return `# PowerDNS gives the members of a catalog no key. Run this SQL in the database of its gsqlite3 backend, which gives every member the
# key. Or set allowUnsignedTransfer of this secondary: it transfers the members unsigned then, and lets nobody transfer them.
#   DROP TRIGGER IF EXISTS zonesmith_insert; DROP TRIGGER IF EXISTS zonesmith_update;
#   CREATE TRIGGER zonesmith_insert AFTER INSERT ON domains WHEN NEW.catalog = '${catalog}' BEGIN ${give}
#   CREATE TRIGGER zonesmith_update AFTER UPDATE OF catalog ON domains WHEN NEW.catalog = '${catalog}' BEGIN ${give}
#   UPDATE domains SET catalog = catalog WHERE catalog = '${catalog}';
`;
}
