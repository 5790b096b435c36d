/**
 * The name servers of Debian's packages, one description each: how it is run as an operator runs it, with the stanza that
 * secondaryConfig printed below the few lines that give it a folder and a port of its own, and how its own tools check that stanza
 * and a master file.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerKind } from "../../../src/secondary/stanza-texts.ts";
import { run } from "../process/command.ts";

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
  readonly arguments: (folder: string) => readonly string[];
  readonly ready: RegExp;
  readonly configFile: string;
  /** The configuration: the stanza, and where it runs. */
  readonly configuration: (folder: string, port: number, stanza: string) => string;
  readonly checksConfig: (folder: string) => readonly [program: string, ...words: string[]];
  readonly zoneChecker?: ZoneChecker;
  /** What is done once, before its first start. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** Runs what the stanza says is to be run, before a start. */
  readonly run?: (folder: string, stanza: string) => Promise<void>;
  /** The stanza of a primary, with a master file in its folder for each zone, which this machine may transfer. */
  readonly primary: (zones: readonly string[], folder: string) => string;
  /** Has it read a configuration with other zones. */
  readonly reload?: (folder: string) => Promise<void>;
}

export interface ZoneChecker {
  readonly program: string;
  readonly arguments: (zone: string, file: string) => readonly string[];
  /** Whether it prints the zone to its standard output, and the types that it does not print as it holds them. */
  readonly prints: false | { readonly but: readonly string[] };
  /** Lines that are no objection to a record: what does no harm, or what we warn of ourselves. */
  readonly harmless: RegExp;
  /** Makes what it prints readable to us. */
  readonly readable?: (printed: string) => string;
}

/** The part of Knot's configuration that says where it runs. */
const knotPlace = (folder: string, port: number) => `server:
    listen: 127.0.0.1@${port}
    rundir: ${folder}
database:
    storage: ${folder}
log:
  - target: stderr
    any: info
`;

export const knot: Server = {
  name: "Knot",
  stanza: "KNOT",
  programs: ["knotd"],
  followsCatalog: true,
  transferKind: "IXFR",
  arguments: (folder) => ["-c", join(folder, "knot.conf")],
  ready: /server started/,
  configFile: "knot.conf",
  configuration: (folder, port, stanza) => knotPlace(folder, port) + stanza,
  checksConfig: (folder) => ["knotc", "-c", join(folder, "knot.conf"), "conf-check"],
  primary: (zones, folder) => `acl:
  - id: all
    address: 127.0.0.1
    action: transfer
template:
  - id: default
    storage: ${folder}
    file: "%s.zone"
    acl: all
    semantic-checks: off
    zonefile-load: whole
    journal-content: none
zone:
${zones.map((zone) => `  - domain: "${zone}"\n`).join("")}`,
  zoneChecker: {
    program: "kzonecheck",
    arguments: (zone, file) => ["-o", zone, file],
    prints: false,
    // It checks whether a resolver could use a DS and find a name server; knotd loads the zone all the same.
    harmless: /^$|missing glue record|invalid algorithm in DS|^Error summary:$/,
  },
};

/** Knot that signs every member: DNSSEC with no signing code of ours. */
export const signingKnot: Server = {
  ...knot,
  name: "a signing Knot",
  configuration: (folder, port, stanza) => {
    const policy = "policy:\n  - id: signed\n    algorithm: ecdsap256sha256\n    nsec3: off\n";
    const signing = "semantic-checks: off\n    dnssec-signing: on\n    dnssec-policy: signed\n";
    const signed = stanza.replace("semantic-checks: off\n", signing);
    return knotPlace(folder, port) + policy + signed;
  },
};

export const bind: Server = {
  name: "BIND",
  stanza: "BIND",
  programs: ["named"],
  followsCatalog: true,
  transferKind: "IXFR",
  arguments: (folder) => ["-g", "-c", join(folder, "named.conf")],
  ready: /all zones loaded/,
  configFile: "named.conf",
  checksConfig: (folder) => ["named-checkconf", join(folder, "named.conf")],
  primary: (zones) => `options { allow-transfer { 127.0.0.1; }; check-names primary ignore; };
${zones.map((zone) => `zone "${zone}" { type primary; file "${zone}.zone"; };\n`).join("")}`,
  zoneChecker: {
    program: "named-checkzone",
    // -i none: an NS without glue is a warning of ours. Names of hosts (-k) are not ours to check.
    arguments: (zone, file) => ["-i", "none", "-k", "ignore", "-q", "-D", "-o", "-", zone, file],
    prints: { but: [] },
    // It prints type 255 by a mnemonic that is no type of data.
    readable: (printed) => printed.replace(/(\s(?:CSYNC|DSYNC)\s.*)\bANY\b/g, "$1TYPE255"),
    harmless: /^$/,
  },
  configuration: (folder, port, stanza) => {
    const place = `    directory "${folder}"; pid-file "${folder}/pid"; session-keyfile "${folder}/session";
    listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };`;
    return `${stanza.replace("options {", `options {\n${place}`)}controls { };\n`;
  },
};

/** NSD of Debian 12 knows no catalog: its zones are printed into its configuration, which it reads again. */
export const nsd: Server = {
  name: "NSD",
  stanza: "NSD",
  programs: ["nsd", "nsd-control"],
  followsCatalog: false,
  transferKind: "IXFR",
  arguments: (folder) => ["-d", "-c", join(folder, "nsd.conf")],
  ready: /nsd started/,
  configFile: "nsd.conf",
  checksConfig: (folder) => ["nsd-checkconf", join(folder, "nsd.conf")],
  primary: (zones) =>
    zones.map((zone) => `zone:\n  name: ${zone}\n  zonefile: ${zone}.zone\n  provide-xfr: 127.0.0.1 NOKEY\n`).join(""),
  zoneChecker: {
    program: "nsd-checkzone",
    arguments: (zone, file) => ["-p", zone, file],
    // The tool prints the first text of an SPF alone; nsd serves them all.
    prints: { but: ["SPF"] },
    harmless: /^$|warning: .* is (experimental|obsolete)$/,
  },
  configuration: (folder, port, stanza) => `server:
    ip-address: 127.0.0.1@${port}
    username: ""
    chroot: ""
    zonesdir: "${folder}"
    pidfile: "${folder}/pid"
    database: ""
    xfrdfile: "${folder}/xfrd"
    zonelistfile: "${folder}/zones"
    xfrdir: "${folder}"
remote-control:
    control-enable: yes
    control-interface: ${folder}/control
${stanza}`,
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
  arguments: (folder) => [`--config-dir=${folder}`],
  ready: /Done launching threads/,
  configFile: "pdns.conf",
  checksConfig: (folder) => ["pdns_server", `--config-dir=${folder}`, "--config=check"],
  primary: (zones) => zones.map((zone) => `#   pdnsutil load-zone ${zone} ${zone}.zone\n`).join(""),
  configuration: (folder, port, stanza) => `launch=gsqlite3
gsqlite3-database=${folder}/pdns.sqlite3
local-address=127.0.0.1
local-port=${port}
socket-dir=${folder}
${stanza}`,
  prepare: (folder) =>
    shell(folder, "sqlite3 pdns.sqlite3 < /usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql"),
  run: async (folder, stanza) => {
    await commands(folder, linesToRun(stanza, "pdnsutil"));
    writeFileSync(join(folder, "printed.sql"), linesToRun(stanza, "[A-Z]").join("\n"));
    await shell(folder, "sqlite3 pdns.sqlite3 < printed.sql");
  },
};

/** PowerDNS as it is without the triggers: it asks for the members of the catalog unsigned, and is let in by its address. */
export const unsignedPowerdns: Server = {
  ...powerdns,
  name: "PowerDNS, unsigned",
  registered: { allowUnsignedTransfer: true },
  run: (folder, stanza) => commands(folder, linesToRun(stanza, "pdnsutil")),
};

/** The lines of PowerDNS's stanza that are to be run, commands or SQL. */
const linesToRun = (stanza: string, beginning: string) =>
  stanza.split("\n").flatMap((line) => (line.match(`^#   ${beginning}`) ? [line.slice(4)] : []));

async function commands(folder: string, lines: readonly string[]): Promise<void> {
  for (const line of lines) await shell(folder, line.replaceAll("pdnsutil", "pdnsutil --config-dir=."));
}

async function shell(folder: string, command: string): Promise<void> {
  await run("sh", ["-ec", command], { cwd: folder });
}

export const servers: readonly Server[] = [knot, bind, nsd, powerdns];
