/**
 * The certificate that servers are given: which files are taken, and that they are taken again when they change, however they are replaced.
 */
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { Certificate, type CertificateFiles } from "../../../src/net/certificate.ts";
import { type IssuedFiles, TestAuthority } from "../../setup/basics/certificates.ts";
import { secondsNow } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";

const authority = new TestAuthority();
const names = "DNS:*.example.net,DNS:zones.example.net,IP:192.0.2.1";
const dayMs = 86_400_000;
const first = authority.issue("first", names);
const second = authority.issue("second", names);
let folder: string;
const logged: { level: number; msg: string; reason?: string }[] = [];
const log = pino({}, { write: (line) => void logged.push(JSON.parse(line)) });
const messages = () => logged.map(({ msg, reason }) => reason ?? msg);

const opened: Certificate[] = [];
beforeEach(() => {
  logged.length = 0;
  folder = join(authority.folder, "in-use");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});
afterEach(() => {
  for (const certificate of opened.splice(0)) certificate.stop();
});

const inDays = (days: number) => () => new Date(secondsNow() * 1000 + days * dayMs);
const inUse = (name: string) => join(folder, name);

/** Copies files to where a certificate is read from, each in one step. */
function install({ cert, key }: Partial<IssuedFiles>): void {
  for (const [name, from] of Object.entries({ cert, key })) {
    if (from === undefined) continue;
    copyFileSync(from, inUse(`${name}.new`));
    renameSync(inUse(`${name}.new`), inUse(name));
  }
}

const files = (below = ""): CertificateFiles => ({
  cert: { setting: "TLS_CERT", path: inUse(`${below}cert`) },
  key: { setting: "TLS_KEY", path: inUse(`${below}key`) },
});

/** Opens what is installed, at a time. Returns what a server is given, the last of all. */
async function open(now = inDays(0), from = files()): Promise<{ given: unknown[]; certificate: Certificate }> {
  const certificate = await Certificate.open(from, log, { now, everyMs: 5 });
  opened.push(certificate);
  const given: unknown[] = [];
  certificate.serve({ setSecureContext: ({ cert }) => void given.push(cert) });
  return { given, certificate };
}

describe("at the start", () => {
  test.each<[what: string, prepare: () => void, now: () => Date, sentence: RegExp]>([
    ["no certificate", () => install({ key: first.key }), inDays(0), /^TLS_CERT: .* cannot be read \(ENOENT\); write/],
    ["no key", () => install({ cert: first.cert }), inDays(0), /^TLS_KEY: .* cannot be read \(ENOENT\); write/],
    ["another key", () => install({ ...first, key: second.key }), inDays(0), /^TLS_KEY: the key in .* is not that of/],
    ["a key for a certificate", () => install({ ...first, cert: first.key }), inDays(0), /^TLS_CERT: .* a certificate/],
    ["a certificate for a key", () => install({ ...first, key: first.cert }), inDays(0), /^TLS_KEY: .* a key without/],
    ["one that ended", () => install(first), inDays(30), /^TLS_CERT: the certificate .* ended at 20.*renew it/],
    ["one that has not begun", () => install(first), inDays(-2), /^TLS_CERT: the certificate .* begins at 20/],
  ])("%s is a sentence that names the setting", async (_what, prepare, now, sentence) => {
    prepare();
    await expect(open(now)).rejects.toThrow(sentence);
  });

  test("authorities of clients have to be certificates", async () => {
    install(first);
    const ca = { setting: "DNS_TLS_CLIENT_CA", path: inUse("key") };
    await expect(open(undefined, { ...files(), ca })).rejects.toThrow(/^DNS_TLS_CLIENT_CA: .* does not hold a cert/);
  });

  test("it is known by a name that it is for, and who issued it", async () => {
    install(first);
    const { certificate } = await open();
    expect([certificate.name, certificate.issuer]).toEqual(["zones.example.net", "CN=Test authority"]);
    expect([certificate.isFor("192.0.2.1"), certificate.isFor("192.0.2.2")]).toEqual([true, false]);
    install(authority.issue("wildcard", "DNS:*.example.net"));
    expect((await open()).certificate.name).toBe("zonesmith.example.net");
    install(authority.issue("address", "IP:192.0.2.1"));
    expect((await open()).certificate.name).toBe("192.0.2.1");
  });
});

describe("files that are replaced", () => {
  test("by another target of a symbolic link are taken", async () => {
    for (const [name, issued] of Object.entries({ first, second })) {
      mkdirSync(inUse(name));
      for (const kind of ["cert", "key"] as const) copyFileSync(issued[kind], join(inUse(name), kind));
    }
    symlinkSync("first", inUse("live"));
    const { given } = await open(undefined, files("live/"));
    symlinkSync("second", inUse("live.new"));
    renameSync(inUse("live.new"), inUse("live"));
    await eventually(() => given.length === 2);
  });

  test.each<[what: string, breaks: () => void, sentence: RegExp]>([
    ["by what is no certificate", () => writeFileSync(inUse("cert"), "nothing"), /^TLS_CERT: /],
    ["by nothing", () => rmSync(inUse("cert")), /^TLS_CERT: .*ENOENT/],
    ["by a certificate of another key", () => install({ cert: second.cert }), /^TLS_KEY: the key/],
  ])("%s are not taken, which is logged once; the next good ones are", async (_what, breaks, sentence) => {
    install(first);
    const { given } = await open();
    breaks();
    await eventually(() => expect(messages()).toEqual([expect.stringMatching(sentence)]));
    expect(logged[0]?.level).toBe(50);
    install(second);
    await eventually(() => given.length === 2);
    expect(messages()).toEqual([expect.stringMatching(sentence), "a new TLS certificate is in use"]);
  });

  test("by those in use, after broken ones, are no news", async () => {
    install(first);
    const { given } = await open();
    install({ cert: second.cert });
    await eventually(() => logged.length === 1);
    install(first);
    install(second);
    await eventually(() => given.length === 2);
    expect(logged.map(({ level }) => level)).toEqual([50, 30]);
  });
});

test("the log warns each day of the last two weeks, also when it has ended", async () => {
  install(first);
  let days = 16;
  const soon = "the TLS certificate ends soon";
  await open(() => inDays(days)());
  expect(messages()).toEqual([soon]);
  for (days of [17.5, 29.5]) await eventually(() => logged.length === (days > 29 ? 3 : 2));
  expect(messages()).toEqual([soon, soon, "the TLS certificate has ended"]);
});
