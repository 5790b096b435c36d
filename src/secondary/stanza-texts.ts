/**
 * The configuration texts for a secondary, ready to be pasted. Knot, BIND and PowerDNS follow the catalog (RFC 9432); NSD, which has none
 * before release 4.9, lists the zones. Only this service may transfer from the secondary, by the key. BIND and NSD transfer over TLS where
 * the service offers it (RFC 9103), and verify its certificate; Knot 3.2 and PowerDNS cannot.
 */
import { isIP } from "node:net";

export const serverKinds = { KNOT: "KNOT", BIND: "BIND", NSD: "NSD", POWERDNS: "POWERDNS" } as const;
export type ServerKind = keyof typeof serverKinds;

export interface ConfigValues {
  readonly name: string;
  readonly primaries: readonly Primary[];
  readonly catalogs: readonly string[];
  readonly key: { readonly name: string; readonly algorithm: string; readonly secret: string } | undefined;
  readonly zones: readonly string[];
  /** With TLS, the ports of `primaries` are those of TLS. */
  readonly tls: TlsValues | undefined;
  /** The steps for TLS; empty when none is needed. */
  readonly remark: string;
}

export interface Primary {
  readonly address: string;
  readonly port: number;
}

interface TlsValues {
  readonly name: string;
  readonly issuer: string;
  readonly needsClientCertificate: boolean;
}

/** The file of public authorities on Debian and its derivatives. */
export const publicAuthorities = "/etc/ssl/certs/ca-certificates.crt";

export const stanzaTexts: Readonly<Record<ServerKind, (values: ConfigValues) => string>> = {
  KNOT: knot,
  BIND: bind,
  NSD: nsd,
  POWERDNS: powerdns,
};

/** Without duplicates: several primaries may share an address. */
const addressesOf = (primaries: readonly Primary[]) => [...new Set(primaries.map(({ address }) => address))];

const remarkLine = (sign: string, remark: string) => (remark === "" ? "" : `${sign} ${remark}\n`);

function knot({ name, primaries, catalogs, key, remark }: ConfigValues): string {
  const keyed = key ? `\n    key: ${key.name}` : "";
  const transfer = `master: zonesmith
    acl: zonesmith-notify
    zonefile-sync: -1
    zonefile-load: none
    journal-content: all`;
  const catalogOf = (catalog: string) => `  - domain: ${catalog}
    ${transfer}
    catalog-role: interpret
    catalog-template: zonesmith-member
`;
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
    address: ${knotList(primaries.map(({ address, port }) => `${address}@${port}`))}${keyed}
acl:
  - id: zonesmith-notify
    ${key ? `key: ${key.name}` : `address: ${knotList(addressesOf(primaries))}`}
    action: [notify, transfer]
template:
  - id: zonesmith-member
    ${transfer}
    semantic-checks: off
zone:
${catalogs.map(catalogOf).join("")}`;
}

const knotList = (values: readonly string[]) => (values.length === 1 ? values.join() : `[${values.join(", ")}]`);

function bind({ name, primaries, catalogs, key, tls, remark }: ConfigValues): string {
  const by = `${key ? ` key "${key.name}"` : ""}${tls ? " tls zonesmith" : ""}`;
  const list = `{ ${primaries.map(({ address, port }) => `${address} port ${port}${by};`).join(" ")} }`;
  const trusted = key ? `key "${key.name}"` : addressesOf(primaries).join("; ");
  const followed = catalogs.map(
    (catalog) => `        zone "${catalog}" default-primaries ${list} in-memory no min-update-interval 1;\n`,
  );
  const zoneOf = (catalog: string) => `zone "${catalog}" {
    type secondary;
    file "${catalog}.db";
    primaries ${list};
    allow-notify { ${trusted}; };
};
`;
  return `// BIND 9.18 or later, ${name}: add to named.conf, then: named-checkconf && rndc reconfig (in place of an earlier stanza: restart named)
// If named.conf has an options block already, move these options into it. They hold for every zone of this server: where it resolves for
// clients, leave out "recursion no"; where others transfer from it, add them to allow-transfer and also-notify, and leave out "notify no".
${remarkLine("//", remark)}${tls ? bindTls(tls) : ""}${key ? `key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };\n` : ""}options {
    recursion no; notify no;
    allow-transfer { ${trusted}; };
    allow-new-zones yes;
    transfers-in 50; transfers-per-ns 50; serial-query-rate 1000;
    min-refresh-time 5; min-retry-time 5;
    catalog-zones {
${followed.join("")}    };
};
${catalogs.map(zoneOf).join("")}`;
}

function bindTls({ name, needsClientCertificate }: TlsValues): string {
  const own = needsClientCertificate ? `\n    cert-file "/etc/bind/client.pem"; key-file "/etc/bind/client.key";` : "";
  return `tls zonesmith {
    ca-file "${publicAuthorities}"; remote-hostname "${name}"; protocols { TLSv1.3; };${own}
};
`;
}

function nsd({ name, primaries, key, zones, tls, remark }: ConfigValues): string {
  const signed = key?.name ?? "NOKEY";
  const addresses = addressesOf(primaries);
  const access = [
    ...addresses.map((address) => `allow-notify: ${address} ${signed}`),
    ...primaries.map(({ address, port }) => `request-xfr: ${address}@${port} ${signed}${tls ? " zonesmith" : ""}`),
    ...(key ? ["0.0.0.0/0", "::0/0"] : addresses).map((address) => `provide-xfr: ${address} ${signed}`),
  ];
  const listed = zones.map((zone) => `zone:\n    name: "${zone}"\n    include-pattern: "zonesmith"\n`);
  return `# NSD, ${name}: add to nsd.conf, then: nsd-checkconf /etc/nsd/nsd.conf && systemctl restart nsd
${remarkLine("#", remark)}# NSD reads "server" and "tls-auth" at its start alone; where zones alone are added later, nsd-control reconfig is enough
# (control-enable: yes).
# The zones are listed one by one: print this again when zones were created, and remove deleted zones by hand.
${key ? `key:\n    name: "${key.name}"\n    algorithm: ${key.algorithm}\n    secret: "${key.secret}"\n` : ""}server:
    xfrd-reload-timeout: 0
${tls ? nsdTls(tls) : ""}pattern:
    name: "zonesmith"
    zonefile: "%s.zone"
${access.map((line) => `    ${line}\n`).join("")}    min-retry-time: 2
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

function powerdns({ name, primaries, catalogs, key, remark }: ConfigValues): string {
  const places = primaries.map(({ address, port }) => `${isIP(address) === 6 ? `[${address}]` : address}:${port}`);
  const addresses = addressesOf(primaries).join(",");
  const commandsFor = (catalog: string) => {
    const zone = [catalog, ...places].join(" ");
    return [
      `pdnsutil create-secondary-zone ${zone} || pdnsutil change-secondary-zone-primary ${zone}`,
      `pdnsutil set-kind ${catalog} consumer`,
      ...(key ? keyKinds.map((kind) => `pdnsutil set-meta ${catalog} ${kind} ${key.name}`) : []),
    ];
  };
  const commands = [
    ...(key ? [`pdnsutil import-tsig-key ${key.name} ${key.algorithm} '${key.secret}'`] : []),
    ...catalogs.flatMap(commandsFor),
  ];
  return `# PowerDNS 4.7 or later, ${name}: add to pdns.conf and restart pdns
${remarkLine("#", remark)}# PowerDNS takes the last line of each setting: where pdns.conf has allow-notify-from or allow-axfr-ips already, write all addresses into
# one line.
secondary=yes
allow-notify-from=${addresses}
allow-unsigned-notify=${key ? "no" : "yes"}
allow-axfr-ips=${key ? "" : addresses}
xfr-cycle-interval=5
# With more threads, a change of the catalog that meets a locked SQLite database changes no zones, and PowerDNS does not try again.
retrieval-threads=1
# Without the next two lines, an answer from before a transfer can stay for 20 seconds (cache-ttl) after it.
query-cache-ttl=0
negquery-cache-ttl=0
# Then run this, and again whenever this is printed with another key or other addresses:
${commands.map((command) => `#   ${command}\n`).join("")}${key ? memberKeys(catalogs, key.name) : ""}`;
}

const keyKinds = ["AXFR-MASTER-TSIG", "TSIG-ALLOW-AXFR"];

/** The SQL that assigns the key to members: PowerDNS requests their transfers unsigned, and refuses signed ones. */
function memberKeys(catalogs: readonly string[], key: string): string {
  const kinds = keyKinds.map((kind) => `'${kind}'`).join(", ");
  const rows = keyKinds.map((kind) => `(NEW.id, '${kind}', '${key}')`).join(", ");
  const give = `DELETE FROM domainmetadata WHERE domain_id = NEW.id AND kind IN (${kinds}); INSERT INTO domainmetadata (domain_id, kind, content) VALUES ${rows}; END;`;
  const triggersFor = (catalog: string) =>
    ["INSERT", "UPDATE OF catalog"].map((event) => {
      const name = `"zonesmith ${event} ${catalog}"`;
      return `#   DROP TRIGGER IF EXISTS ${name};
#   CREATE TRIGGER ${name} AFTER ${event} ON domains WHEN NEW.catalog = '${catalog}' BEGIN ${give}
`;
    });
  const updateOf = (catalog: string) =>
    `#   UPDATE domains SET catalog = catalog, master = (SELECT master FROM domains WHERE name = '${catalog}') WHERE catalog = '${catalog}';
`;
  return `# PowerDNS gives the members of a catalog no key. Run this SQL in the database of its gsqlite3 backend, which gives every member the
# key. Or set allowUnsignedTransfer of this secondary: it transfers the members unsigned then, and lets nobody transfer them.
${catalogs.flatMap((catalog) => [...triggersFor(catalog), updateOf(catalog)]).join("")}`;
}
