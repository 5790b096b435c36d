/**
 * The name servers of Debian's packages, each run as an operator runs it: the stanza that secondaryConfig printed, below the few
 * lines that give it a folder and a port of its own.
 */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ServerKind } from "../../src/secondary/server-config.ts";

/** How one of them is run. */
export interface Server {
  readonly name: string;
  readonly stanza: ServerKind;
  readonly programs: readonly [string, ...string[]];
  /** False for one whose zones are listed in its configuration. */
  readonly followsCatalog: boolean;
  /** What else it is registered with. */
  readonly registered?: { readonly allowUnsignedTransfer: boolean };
  /** How it fetches a change of a zone that it has. */
  readonly transferKind: "IXFR" | "AXFR";
  /** Types that it takes and never shows again. */
  readonly omits?: readonly string[];
  /** Whom it lets transfer, for the tests to compare: a secondary's own key, or 127.0.0.1. */
  readonly opensTo: "key" | "address";
  readonly arguments: (folder: string) => readonly string[];
  /** What it logs once it answers. */
  readonly ready: RegExp;
  /** Writes its configuration. */
  readonly configure: (folder: string, port: number, stanza: string) => void;
  /** What is done once, before its first start. */
  readonly prepare?: (folder: string, stanza: string) => Promise<void>;
  /** What else gives its key another secret. */
  readonly rekey?: (folder: string, stanza: string) => Promise<void>;
  /** Has it read a configuration with other zones. */
  readonly reload?: (folder: string) => Promise<void>;
}

const run = promisify(execFile);
const write = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text);

/** The part of Knot's configuration that says where it runs. */
function knotPlace(folder: string, port: number): string {
  for (const name of ["run", "db"]) mkdirSync(join(folder, name), { recursive: true });
  return `server:
    listen: 127.0.0.1@${port}
    rundir: ${folder}/run
database:
    storage: ${folder}/db
log:
  - target: stderr
    any: info
`;
}

export const knot: Server = {
  name: "Knot",
  stanza: "KNOT",
  programs: ["knotd"],
  followsCatalog: true,
  transferKind: "IXFR",
  opensTo: "key",
  arguments: (folder) => ["-c", join(folder, "knot.conf")],
  ready: /server started/,
  configure: (folder, port, stanza) => write(folder, "knot.conf", knotPlace(folder, port) + stanza),
};

/** Knot that signs every member: DNSSEC with no signing code of ours. */
export const signingKnot: Server = {
  ...knot,
  name: "a signing Knot",
  configure: (folder, port, stanza) => {
    const policy = "policy:\n  - id: signed\n    algorithm: ecdsap256sha256\n    nsec3: off\n";
    const signing = "semantic-checks: off\n    dnssec-signing: on\n    dnssec-policy: signed\n";
    const signed = stanza.replace("semantic-checks: off\n", signing);
    write(folder, "knot.conf", knotPlace(folder, port) + policy + signed);
  },
};

export const bind: Server = {
  name: "BIND",
  stanza: "BIND",
  programs: ["named"],
  followsCatalog: true,
  transferKind: "IXFR",
  opensTo: "address",
  arguments: (folder) => ["-g", "-c", join(folder, "named.conf")],
  ready: /all zones loaded/,
  configure: (folder, port, stanza) => {
    const place = `    directory "${folder}"; pid-file "${folder}/pid"; session-keyfile "${folder}/session";
    listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
    recursion no; dnssec-validation no; notify no; allow-transfer { 127.0.0.1; };`;
    write(folder, "named.conf", `${stanza.replace("options {", `options {\n${place}`)}controls { };\n`);
  },
};

/** NSD of Debian 12 knows no catalog: its zones are printed into its configuration, which it reads again. */
export const nsd: Server = {
  name: "NSD",
  stanza: "NSD",
  programs: ["nsd", "nsd-control"],
  followsCatalog: false,
  transferKind: "IXFR",
  opensTo: "address",
  arguments: (folder) => ["-d", "-c", join(folder, "nsd.conf")],
  ready: /nsd started/,
  configure: (folder, port, stanza) => {
    const place = `server:
    ip-address: 127.0.0.1@${port}
    username: ""
    chroot: ""
    zonesdir: "${folder}"
    pidfile: "${folder}/pid"
    database: ""
    xfrdfile: "${folder}/xfrd"
    zonelistfile: "${folder}/zones"
    xfrdir: "${folder}"
    verbosity: 2
    server-count: 1
    xfrd-reload-timeout: 0
remote-control:
    control-enable: yes
    control-interface: ${folder}/control
`;
    const open = "    provide-xfr: 127.0.0.1 NOKEY\n    min-retry-time:";
    write(folder, "nsd.conf", place + stanza.replace("    min-retry-time:", open));
  },
  reload: async (folder) => void (await run("nsd-control", ["-c", join(folder, "nsd.conf"), "reconfig"])),
};

export const powerdns: Server = {
  name: "PowerDNS",
  stanza: "POWERDNS",
  programs: ["pdns_server", "pdnsutil", "sqlite3"],
  followsCatalog: true,
  transferKind: "AXFR",
  // Of a zone that does not come to it signed.
  omits: ["CDNSKEY", "CDS", "DNSKEY", "NSEC3PARAM"],
  opensTo: "address",
  arguments: (folder) => [`--config-dir=${folder}`],
  ready: /Done launching threads/,
  configure: (folder, port, stanza) => {
    const place = `launch=gsqlite3
gsqlite3-database=${folder}/pdns.sqlite3
gsqlite3-pragma-synchronous=0
local-address=127.0.0.1
local-port=${port}
socket-dir=${folder}
allow-axfr-ips=127.0.0.1
cache-ttl=0
query-cache-ttl=0
negquery-cache-ttl=0
zone-cache-refresh-interval=0
loglevel=6
webserver=no
`;
    write(folder, "pdns.conf", place + stanza);
  },
  prepare: async (folder, stanza) => {
    await schema(folder);
    await commands(folder, told(stanza, "pdnsutil"));
    write(folder, "triggers.sql", told(stanza, "CREATE TRIGGER").join("\n"));
    await shell(folder, "sqlite3 pdns.sqlite3 < triggers.sql");
  },
  rekey: (folder, stanza) => commands(folder, told(stanza, "pdnsutil import-tsig-key")),
};

/** PowerDNS as it is without the triggers: it asks for the members of the catalog unsigned, and is let in by its address. */
export const unsignedPowerdns: Server = {
  ...powerdns,
  name: "PowerDNS, unsigned",
  registered: { allowUnsignedTransfer: true },
  prepare: async (folder, stanza) => {
    await schema(folder);
    await commands(folder, told(stanza, "pdnsutil"));
  },
};

const schema = (folder: string) =>
  shell(folder, "sqlite3 pdns.sqlite3 < /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql");

/** The lines of PowerDNS's stanza that are to be run once. */
const told = (stanza: string, beginning: string) =>
  stanza.split("\n").flatMap((line) => (line.startsWith(`#   ${beginning}`) ? [line.slice(4)] : []));

async function commands(folder: string, lines: readonly string[]): Promise<void> {
  for (const line of lines) await shell(folder, line.replace("pdnsutil", "pdnsutil --config-dir=."));
}

const shell = (folder: string, command: string) => run("sh", ["-ec", command], { cwd: folder });

export const servers: readonly Server[] = [knot, bind, nsd, powerdns];

/** Servers that give up root's rights enter the folder as another account. */
export const open = (folder: string) => chmodSync(folder, 0o777);
