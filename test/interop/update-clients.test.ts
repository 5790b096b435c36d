/**
 * Real clients with the configuration that `zonesmith tsig create` prints: BIND's nsupdate and Knot's knsupdate.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, jest, test } from "@jest/globals";
import { createTsig, type TsigOptions } from "../../src/cli/tsig.ts";
import { testWith } from "../setup/basics/programs.ts";
import { adminKey, testService } from "../setup/service/service.ts";
import { updateZone } from "../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);
const folder = mkdtempSync(join(tmpdir(), "zonesmith-update-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `tsig create` prints for a client. */
async function printed(options: Partial<TsigOptions> & { for: string }): Promise<string> {
  const log = jest.spyOn(console, "log").mockImplementation(() => {});
  try {
    const given = { algorithm: "hmac-sha256", server: `127.0.0.1:${service.dnsPort}`, zone: [zone.name], ...options };
    await createTsig({ url: service.url, key: adminKey, from: "test" }, given);
    return log.mock.calls.map(([line]) => line).join("\n");
  } finally {
    log.mockRestore();
  }
}

/** Runs a client on a file of commands; answers all it says, and does not mind how it ends. */
async function run(program: string, commands: string, ...options: string[]): Promise<string> {
  const file = join(folder, "commands");
  writeFileSync(file, `${commands}\n`);
  try {
    const { stdout, stderr } = await promisify(execFile)(program, [...options, file], { timeout: 240_000 });
    return stdout + stderr;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return stdout + stderr;
  }
}

for (const program of ["nsupdate", "knsupdate"]) {
  testWith(program)(`${program} adds and removes a host with the snippet that is printed`, async () => {
    const snippet = await printed({ for: "nsupdate" });
    const before = await zone.read();
    const host = `test 300 A 192.0.2.1`;
    expect(await run(program, snippet)).not.toMatch(/REFUSED|NOTAUTH|FORMERR|failed/i);
    expect((await zone.read()).records).toEqual([...before.records, host].toSorted());
    const remove = snippet.replace("update add test", "prereq yxdomain test").replace(" 300 A 192.0.2.1", "");
    const removing = remove.replace("\nsend", `\nupdate delete test.${zone.name}. A\nsend`);
    expect(await run(program, removing, ...(program === "nsupdate" ? ["-v"] : []))).not.toMatch(/failed|REFUSED/i);
    expect((await zone.read()).records).toEqual(before.records);
    expect(await run(program, removing)).toMatch(/NXDOMAIN/);
  });
}

test.each([
  ["lego", /RFC2136_TSIG_KEY=lego\./, false],
  ["certbot", /dns_rfc2136_algorithm = HMAC-SHA256/, false],
  ["external-dns", /--rfc2136-tsig-axfr/, true],
  ["cert-manager", /tsigAlgorithm: HMACSHA256/, false],
  ["terraform", /key_name {6}= "terraform\./, false],
  ["octodns", /class: octodns_bind.Rfc2136Provider/, true],
  ["dnscontrol", /"TYPE": "AXFRDDNS"/, true],
])(
  "tsig create prints a configuration for %s, whose key reads zones by transfers where it must",
  async (client, words, transfer) => {
    expect(await printed({ for: client })).toMatch(words);
    const keys = await service.data("{ tsigKeys(first: 1000) { nodes { name owners types transfer } } }");
    const key = keys.tsigKeys.nodes.find(({ name }: { name: string }) => name === `${client}.${zone.name}`);
    const isAcme = ["lego", "certbot", "cert-manager"].includes(client);
    expect(key).toMatchObject({
      transfer,
      ...(isAcme ? { owners: ["_acme-challenge*"], types: ["TXT"] } : { owners: null }),
    });
  },
);

testWith("dig")("a key transfers the zones that it reaches, unless it may not", async () => {
  const axfr = async (snippet: string) => {
    const [, name, secret] = /^key hmac-sha256:(\S+)\. (\S+)$/m.exec(snippet) ?? [];
    const options = ["@127.0.0.1", "-p", String(service.dnsPort), "-y", `hmac-sha256:${name}:${secret}`];
    const { stdout } = await promisify(execFile)("dig", [...options, "+time=5", "+tries=1", zone.name, "AXFR"]);
    return stdout;
  };
  const snippet = await printed({ for: "nsupdate" });
  expect(await axfr(snippet)).toMatch(/failed/);
  await service.sql("update tsig_key set transfer = true where name = $1", [`nsupdate.${zone.name}`]);
  expect(await axfr(snippet)).toMatch(/\sNS\s+ns1\.zonesmith\.example\./);
  await service.sql("update tsig_key set zones = '{example.net}' where name = $1", [`nsupdate.${zone.name}`]);
  expect(await axfr(snippet)).toMatch(/failed/);
});
