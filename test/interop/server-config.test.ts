/**
 * The stanzas are what the servers' own checkers accept, as they are printed.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { testService } from "../setup/service.ts";

const service = testService({ DNS_LISTEN: "127.0.0.1", CATALOG_ZONE: "catalog.example.net" });
const folder = mkdtempSync(join(tmpdir(), "zonesmith-stanzas-"));
let signed: string;
let unsigned: string;
let secret: string;

beforeAll(async () => {
  const userId = await service.user("stanzas@example.com");
  for (const zone of ["example.com", "0/26.2.0.192.in-addr.arpa", "xn--mller-kva.example", "_tcp.example.org"])
    await service.domain(zone, userId);
  const { createTsigKey } = await service.data(
    `mutation { createTsigKey(input: { name: "stanza-1.example.com", algorithm: "hmac-sha512" }) { secret tsigKey { id } } }`,
  );
  secret = createTsigKey.secret;
  const create = async (name: string, port: number, tsigKey: string | null): Promise<string> =>
    (
      await service.data(
        "mutation ($input: CreateSecondaryInput!) { createSecondary(input: $input) { secondary { id } } }",
        { input: { name, address: "127.0.0.7", port, tsigKey, notify: false } },
      )
    ).createSecondary.secondary.id;
  signed = await create("the signed one", 5301, createTsigKey.tsigKey.id);
  unsigned = await create("the unsigned one", 5302, null);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function stanza(server: string, secondary: string, primary?: string): Promise<string> {
  const document = `query ($secondary: ID!, $server: SecondaryServer!, $primary: String) {
    secondaryConfig(secondary: $secondary, server: $server, primary: $primary) }`;
  return (await service.data(document, { secondary, server, primary })).secondaryConfig;
}

/** Each server's checker: the command, and its arguments for a file. */
const checkers: Readonly<Record<string, readonly [string, (file: string) => string[]]>> = {
  KNOT: ["knotc", (file) => ["-c", file, "conf-check"]],
  BIND: ["named-checkconf", (file) => [file]],
  NSD: ["nsd-checkconf", (file) => [file]],
  POWERDNS: [
    "pdns_server",
    (file) => [`--config-dir=${join(file, "..")}`, `--config-name=${nameOf(file)}`, "--config=check"],
  ],
};
/** PowerDNS finds pdns-NAME.conf. */
const nameOf = (file: string) => /pdns-(\w+)\.conf$/.exec(file)?.[1] ?? "";
const isInstalled = (command: string) => {
  const { error } = spawnSync(command, ["--version"], { env: toolPath });
  return error === undefined;
};
const toolPath = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };

for (const [server, [command, args]] of Object.entries(checkers)) {
  const run = isInstalled(command) || process.env.CI ? describe : describe.skip;
  run(`${command} (skipped where it is not installed; a failure in CI)`, () => {
    test.each([
      ["with a key", () => signed, undefined],
      ["without a key", () => unsigned, undefined],
      ["over IPv6", () => signed, "2001:db8::1"],
    ])(`accepts the stanza %s`, async (what, secondary, primary) => {
      const file = join(folder, `pdns-${server}${what.replaceAll(" ", "")}.conf`);
      writeFileSync(file, await stanza(server, secondary(), primary));
      const { status, stdout, stderr, error } = spawnSync(command, args(file), { env: toolPath, encoding: "utf8" });
      expect({ error, status, output: status === 0 ? "" : stdout + stderr }).toEqual({
        error: undefined,
        status: 0,
        output: "",
      });
    });

    test("refuses the stanza when a bracket or a word of it is broken", async () => {
      const file = join(folder, `pdns-${server}broken.conf`);
      const text = await stanza(server, signed);
      writeFileSync(file, text.replace(/^(\s*)(remote|options|pattern|secondary)\b/m, "$1nonsense"));
      expect(spawnSync(command, args(file), { env: toolPath }).status).not.toBe(0);
    });
  });
}

test.each(["KNOT", "BIND", "NSD", "POWERDNS"])(
  "the stanza of %s names our address, port, key and secret",
  async (server) => {
    const text = await stanza(server, signed);
    expect(text).toContain("127.0.0.1");
    expect(text).toContain("stanza-1.example.com");
    expect(text).toContain("hmac-sha512");
    expect(text).toContain(secret);
    expect(text).toContain(server === "NSD" ? `name: "0/26.2.0.192.in-addr.arpa"` : "catalog.example.net");
    const plain = await stanza(server, unsigned, "192.0.2.1");
    expect(plain).toContain("192.0.2.1");
    expect(plain).not.toMatch(/secret|hmac|127\.0\.0\.1/);
  },
);

test("a stanza with a revoked key, or of no secondary, or with an address that is none is refused", async () => {
  const query = (fields: string) => `{ secondaryConfig(server: KNOT, ${fields}) }`;
  expect(await service.refusal(query(`secondary: "${signed}", primary: "ns.example.com"`))).toBe("INVALID_VALUE");
  expect(await service.refusal(query(`secondary: "12345"`))).toBe("NOT_FOUND");
  await service.sql("update tsig_key set revoked_at = now()");
  expect(await service.refusal(query(`secondary: "${signed}"`))).toBe("INVALID_VALUE");
  await service.sql("update tsig_key set revoked_at = null");
});

describe("where DNS listens on every address", () => {
  const open = testService({ DNS_LISTEN: "0.0.0.0" });

  test("the address at which the secondary reaches us must be said", async () => {
    const { createSecondary } = await open.data(
      `mutation { createSecondary(input: { name: "one", address: "127.0.0.7", port: 5303, notify: false }) { secondary { id } } }`,
    );
    const query = (more: string) =>
      `{ secondaryConfig(secondary: "${createSecondary.secondary.id}", server: KNOT${more}) }`;
    expect(await open.refusal(query(""))).toBe("MISSING_FIELD");
    expect((await open.data(query(`, primary: "192.0.2.1"`))).secondaryConfig).toContain("192.0.2.1@");
  });
});
