/**
 * Real clients of dynamic updates: BIND's nsupdate and Knot's knsupdate with the configuration that `zonesmith tsig create` prints, and
 * the five kinds of prerequisites (RFC 2136 §2.4) as dnspython's update module sends them, over UDP and TCP in turn.
 */
import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "@jest/globals";
import { testIf, testWith } from "../../setup/basics/programs.ts";
import { printedSnippet } from "../../setup/process/tsig-snippet.ts";
import { testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);

/** Runs a program with this input; returns all that it says, and does not mind how it ends. */
async function run(program: string, words: readonly string[], input: string): Promise<string> {
  const running = promisify(execFile)(program, words, { timeout: 240_000 });
  running.child.stdin?.end(`${input}\n`);
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

for (const program of ["nsupdate", "knsupdate"]) {
  testWith(program)(`${program} adds and removes a host with the snippet that is printed`, async () => {
    const snippet = await printedSnippet(service, zone.name, "nsupdate");
    const before = await zone.read();
    expect(await run(program, [], snippet)).not.toMatch(/REFUSED|NOTAUTH|FORMERR|failed/i);
    expect((await zone.read()).records).toEqual([...before.records, "test 300 A 192.0.2.1"].toSorted());
    const remove = snippet.replace("update add test", "prereq yxdomain test").replace(" 300 A 192.0.2.1", "");
    const removing = remove.replace("\nsend", `\nupdate delete test.${zone.name}. A\nsend`);
    expect(await run(program, ["-v"], removing)).not.toMatch(/failed|REFUSED/i);
    expect((await zone.read()).records).toEqual(before.records);
    expect(await run(program, [], removing)).toMatch(/NXDOMAIN/);
  });
}

testWith("dig")("a key transfers the zones that it reaches, unless it may not", async () => {
  const snippet = await printedSnippet(service, zone.name, "nsupdate");
  const [, name, secret] = /^key hmac-sha256:(\S+)\. (\S+)$/m.exec(snippet) ?? [];
  const options = ["@127.0.0.1", "-p", String(service.dnsPort), "-y", `hmac-sha256:${name}:${secret}`];
  const axfr = () => run("dig", [...options, "+time=5", "+tries=1", zone.name, "AXFR"], "");
  expect(await axfr()).toMatch(/failed/);
  await service.sql("update tsig_key set transfer = true where name = $1", [name]);
  expect(await axfr()).toMatch(/\sNS\s+ns1\.zonesmith\.example\./);
  await service.sql("update tsig_key set zones = '{example.net}' where name = $1", [name]);
  expect(await axfr()).toMatch(/failed/);
});

/** Debian's Python, for which its packages are. */
const python = "/usr/bin/python3";
const hasDnspython = spawnSync(python, ["-c", "import dns.update"]).status === 0;

const prerequisites: readonly (readonly [rcode: string, ...prerequisite: string[]])[] = [
  ["NOERROR", "present", "a"],
  ["NXDOMAIN", "present", "b"],
  ["NOERROR", "present", "a", "A"],
  ["NXRRSET", "present", "a", "AAAA"],
  ["NOERROR", "present", "a", "A", "192.0.2.1"],
  ["NXRRSET", "present", "a", "A", "192.0.2.2"],
  ["NOERROR", "absent", "b"],
  ["YXDOMAIN", "absent", "a"],
  ["NOERROR", "absent", "a", "AAAA"],
  ["YXRRSET", "absent", "a", "A"],
];

testIf(hasDnspython || process.env.CI !== undefined, "dnspython")("prerequisites by dnspython", async () => {
  await zone.add(["a 300 A 192.0.2.1"]);
  const before = await zone.read();
  const given = {
    port: service.dnsPort,
    zone: zone.name,
    key: zone.key.name,
    secret: Buffer.from(zone.key.secret).toString("base64"),
    prerequisites: prerequisites.map(([, ...prerequisite]) => prerequisite),
  };
  const rcodes = await run(python, [join(import.meta.dirname, "prerequisites.py")], JSON.stringify(given));
  expect(JSON.parse(rcodes)).toEqual(prerequisites.map(([rcode]) => rcode));
  const made = prerequisites.filter(([rcode]) => rcode === "NOERROR").length;
  const after = await zone.read();
  expect([after.changes - before.changes, after.serial - before.serial]).toEqual([made, made]);
});
