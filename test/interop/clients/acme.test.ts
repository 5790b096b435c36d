/**
 * ACME clients with the configuration that `zonesmith tsig create` prints, and a real Knot that follows the zone: each obtains a
 * certificate by the dns-01 challenge from a fake authority, which asks that Knot. lego's own look at the zone's name servers is switched
 * off: it asks them at port 53.
 */
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import { eventually } from "../../setup/basics/eventually.ts";
import { has, testIf, testWith } from "../../setup/basics/programs.ts";
import { temporaryFolder } from "../../setup/basics/temporary-folder.ts";
import { run } from "../../setup/process/command.ts";
import { printedSnippet } from "../../setup/process/tsig-snippet.ts";
import { AcmeServer } from "../../setup/servers/acme-server.ts";
import { testFollowing } from "../../setup/servers/following.ts";
import { knot as knotServer } from "../../setup/servers/name-servers.ts";
import { testService } from "../../setup/service/service.ts";
import { updateZone } from "../../setup/service/update-zone.ts";

const service = testService();
const zone = updateZone(service);
const knot = testFollowing(service, knotServer);
const authority = new AcmeServer(() => knot.port);
const folder = temporaryFolder();
const hasPlugin = spawnSync("/usr/bin/python3", ["-c", "import certbot_dns_rfc2136"]).status === 0;
const programs = ["openssl", "knotd", "kdig"] as const;

beforeAll(async () => {
  if (has(...programs)) await authority.start();
});

beforeEach(async () => {
  authority.validations.length = 0;
  if (authority.url) await eventually(async () => expect((await knot.ask(zone.name, "SOA")).status).toBe("NOERROR"));
});
afterAll(() => authority.stop());

const runClient = (program: string, args: readonly string[]) =>
  run(program, args, { env: { PATH: process.env.PATH, HOME: folder }, timeout: 240_000 });

/** Expects a certificate of the authority for a name, one good validation by Knot, and a zone that is as it was but for its serial. */
async function expectCertificate(file: string, name: string, before: Awaited<ReturnType<typeof zone.read>>) {
  const certificate = new X509Certificate(readFileSync(file));
  expect(certificate.subjectAltName).toBe(`DNS:${name}`);
  expect(certificate.verify(new X509Certificate(readFileSync(authority.ca)).publicKey)).toBe(true);
  const challenged = `_acme-challenge.${name.replace("*.", "")}`;
  const [validation, ...more] = authority.validations;
  expect(more).toEqual([]);
  expect(validation).toMatchObject({ name: challenged, found: [validation?.wanted] });
  const after = await zone.read();
  expect(after.records).toEqual(before.records);
  expect([after.changes - before.changes, after.serial - before.serial]).toEqual([2, 2]);
  expect(await zone.refusals()).toEqual([]);
  await eventually(async () => expect(await knot.ask(challenged, "TXT")).toEqual({ status: "NXDOMAIN", answers: [] }));
}

testWith("lego", ...programs)("lego obtains a certificate with the environment that is printed", async () => {
  const snippet = await printedSnippet(service, zone.name, "lego");
  const before = await zone.read();
  const name = `www.${zone.name}`;
  const resolver = ["--dns", "rfc2136", "--dns.resolvers", `127.0.0.1:${service.dnsPort}`, "--dns.disable-cp"];
  const where = ["--server", `${authority.url}/directory`, "--path", join(folder, "lego")];
  const options = ["--accept-tos", "--email", "a@example.com", "--domains", name];
  const script = `${snippet}\nexec lego "$@"`;
  await runClient("sh", ["-c", script, "sh", ...where, ...options, ...resolver, "run"]);
  await expectCertificate(join(folder, "lego", "certificates", `${name}.crt`), name, before);
});

(hasPlugin ? testWith("certbot", ...programs) : testIf(has("certbot-dns-rfc2136"), "certbot-dns-rfc2136"))(
  "certbot obtains a certificate of a wildcard with the credentials that are printed",
  async () => {
    const credentials = join(folder, "rfc2136.ini");
    writeFileSync(credentials, await printedSnippet(service, zone.name, "certbot"));
    chmodSync(credentials, 0o600);
    const before = await zone.read();
    const name = `*.${zone.name}`;
    const propagation = ["--dns-rfc2136-propagation-seconds", "0"];
    const plugin = ["--dns-rfc2136", "--dns-rfc2136-credentials", credentials, ...propagation];
    const folders = ["config", "work", "logs"].flatMap((each) => [`--${each}-dir`, join(folder, "certbot", each)]);
    const options = ["--non-interactive", "--agree-tos", "-m", "a@example.com", "--no-eff-email", "-d", name];
    await runClient("certbot", [
      "certonly",
      "--server",
      `${authority.url}/directory`,
      ...plugin,
      ...folders,
      ...options,
    ]);
    await expectCertificate(join(folder, "certbot", "config", "live", zone.name, "cert.pem"), name, before);
  },
);
