/** Settings that invite trouble, one after the other, beside a database as it would be. */
import { expect, test } from "@jest/globals";
import { readConfig } from "../../../src/config/config.ts";
import type { Stock } from "../../../src/doctor/database-contents.ts";
import type { Level } from "../../../src/doctor/finding.ts";
import { checkSettings, type SettingsView } from "../../../src/doctor/setting-rules.ts";
import type { SecondaryEndpoint } from "../../../src/secondary/endpoint.ts";
import { exampleZonesWarning, settingWarnings } from "../../../src/session/operator-policy.ts";

const empty: Stock = {
  ...{ zones: 0, exampleZones: 0, sample: undefined, catalogs: [] },
  ...{ secondaries: [], tsigKeys: 0, weakKeys: [] },
};

const secondary = (address: string): SecondaryEndpoint => ({
  ...{ id: 1, name: `at ${address}`, address, port: 53, notify: true },
  ...{ key: undefined, keyError: undefined, isIndirect: false, isIdentifiable: true },
});

const inUse: Stock = { ...empty, zones: 3, tsigKeys: 2, secondaries: [secondary("192.0.2.1"), secondary("192.0.2.2")] };

/** Settings that nothing is said of, even for an installation in use. */
const good = {
  NAME_SERVERS: "ns1.example.net. ns2.example.net.",
  HOSTMASTER: "hostmaster.example.net.",
  SECRET_KEY: "a key of thirty-two characters, or more",
  RESTORE_POLICY: "confirm",
  DNS_LISTEN: "0.0.0.0",
};

function found(environment: Record<string, string>, view: Partial<SettingsView> = {}): string[] {
  const config = readConfig({ ...good, ...environment });
  const findings = checkSettings({ config, stock: inUse, isContainer: false, ...view });
  for (const { level, fix } of findings) {
    expect([level, fix !== undefined]).toEqual([level, level !== "OK"]);
    expectSettings(fix ?? "");
  }
  return findings.map(({ level, check }) => `${level} ${check}`);
}

/** Expects that the settings of a text can be pasted as they are. */
function expectSettings(text: string): void {
  const pasted = text
    .replace(/\$\(.*?\)/g, "of a command, thirty-two characters or more")
    .matchAll(/\b([A-Z][A-Z_]+)=(?:"(.*?)"|([^\s,;]+))/g);
  for (const [, name = "", quoted, plain = ""] of pasted) readConfig({ [name]: quoted ?? plain });
}

test("nothing is said of settings that are as they should be", () => {
  expect(found({})).toEqual(["OK settings"]);
});

test.each<[Level, string, Record<string, string>, Partial<SettingsView>?]>([
  ["WARNING", "LISTEN", { LISTEN: "0.0.0.0" }],
  ["WARNING", "LISTEN", { LISTEN: "::" }],
  ["WARNING", "LISTEN", { LISTEN: "192.0.2.1" }],
  ["NOTE", "LISTEN", { LISTEN: "0.0.0.0" }, { isContainer: true }],
  ["WARNING", "NAME_SERVERS", { NAME_SERVERS: "" }],
  ["NOTE", "NAME_SERVERS", { NAME_SERVERS: "" }, { stock: empty }],
  ["WARNING", "NAME_SERVERS", { NAME_SERVERS: "ns1.example.net." }],
  ["WARNING", "HOSTMASTER", { HOSTMASTER: "" }],
  ["NOTE", "HOSTMASTER", { HOSTMASTER: "" }, { stock: undefined }],
  ["WARNING", "example names", {}, { stock: { ...inUse, exampleZones: 2 } }],
  ["NOTE", "SECRET_KEY", { SECRET_KEY: "" }],
  ["WARNING", "SECRET_KEY", { SECRET_KEY: "", DATABASE_URL: "postgresql://u:p@localhost/d" }],
  ["WARNING", "TSIG_WEAK_ALGORITHMS", { TSIG_WEAK_ALGORITHMS: "yes" }],
  ["WARNING", "TSIG_WEAK_ALGORITHMS", {}, { stock: { ...inUse, weakKeys: ["old.example"] } }],
  ["NOTE", "limits", { RATE_LIMIT_KEY: "0", IN_FLIGHT_ADDRESS: "0" }],
  ["WARNING", "RRSET_RECORDS", { RRSET_RECORDS: "101" }],
  ["WARNING", "RRSET_RECORDS", { OWNER_TYPES: "0" }],
  ["NOTE", "RESTORE_POLICY", { RESTORE_POLICY: "automatic" }],
  ["WARNING", "DNS_LISTEN", { DNS_LISTEN: "127.0.0.1" }],
  ["WARNING", "secondaries", {}, { stock: { ...inUse, secondaries: [] } }],
  ["WARNING", "secondaries", {}, { stock: { ...inUse, secondaries: [secondary("192.0.2.1")] } }],
  ["WARNING", "DATABASE_URL", {}, { stock: { ...inUse, zones: 10_001 } }],
  ["WARNING", "DATABASE_URL", { DATABASE_URL: "postgresql://u:p@db.example.net/d" }],
  ["WARNING", "DATABASE_URL", { DATABASE_URL: "postgresql://u:p@db1,192.0.2.9:5432/d" }, { stock: empty }],
  ["NOTE", "DATABASE_URL", { DATABASE_URL: "postgresql://u:p@postgres/d" }],
  ["WARNING", "CORS_ORIGINS", { CORS_ORIGINS: "http://app.example.net https://app.example.net" }],
  ["NOTE", "LOG_LEVEL", { LOG_LEVEL: "silent" }],
])("%s %s", (level, check, environment, view = {}) => {
  expect(found(environment, view).filter((line) => line !== "OK settings")).toEqual([`${level} ${check}`]);
});

test("the settings that the start log and status advise can be pasted", () => {
  const { NAME_SERVERS: nameServers, HOSTMASTER: hostmaster } = readConfig({});
  const warnings = settingWarnings({ nameServers, hostmaster });
  expect(warnings).toHaveLength(2);
  warnings.forEach(expectSettings);
});

test.each<[string, Record<string, string>]>([
  ["NAME_SERVERS", { NAME_SERVERS: "" }],
  ["HOSTMASTER", { HOSTMASTER: "" }],
])("zones with the example's names are repaired after both settings, also where %s alone is missing", (_one, unset) => {
  const config = readConfig({ ...good, ...unset });
  const { NAME_SERVERS: nameServers, HOSTMASTER: hostmaster } = config;
  expect(exampleZonesWarning(2, { nameServers, hostmaster })).toContain("Once NAME_SERVERS and HOSTMASTER are set, ");
  const findings = checkSettings({ config, stock: { ...inUse, exampleZones: 2 }, isContainer: false });
  const fixes = findings.filter(({ check }) => check === "example names").map(({ fix }) => fix);
  expect(fixes).toEqual([expect.stringMatching(/^NAME_SERVERS and HOSTMASTER, as above; then /)]);
});

test("limits that are off are a warning where others reach the service", () => {
  expect(found({ RATE_LIMIT_WRONG_KEY: "0", LISTEN: "0.0.0.0", TRUST_PROXY: "1" })).toEqual(["WARNING limits"]);
});

test.each([
  ["with TLS of its own", { LISTEN: "0.0.0.0", TLS_CERT: "/c.pem", TLS_KEY: "/k.pem" }],
  ["behind a proxy", { LISTEN: "0.0.0.0", TRUST_PROXY: "1" }],
  ["with TLS to the database", { DATABASE_URL: "postgresql://u:p@db.example.net/d?sslmode=verify-full" }],
  ["with a database on this machine", { DATABASE_URL: "postgresql://u:p@[::1]:5432/d" }],
  ["with a page on this machine", { CORS_ORIGINS: "http://localhost:3000" }],
])("nothing is said %s", (_where, environment) => {
  expect(found(environment)).toEqual(["OK settings"]);
});
