import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { type TestService, testService } from "../../setup/service/service.ts";

const service = testService({ DNS_LISTEN: "127.0.0.1", CATALOG_ZONE: "catalog.example.net" });
let signed: string;
let unsigned: string;
let secret: string;

/** Registers a secondary; returns its id. */
const register = async (on: TestService, input: object): Promise<string> =>
  (await on.mutate("createSecondary", { address: "127.0.0.7", notify: false, ...input }, "secondary { id }")).secondary
    .id;

beforeAll(async () => {
  await service.domain("0/26.2.0.192.in-addr.arpa", await service.user("stanzas@example.com"));
  const input = { name: "stanza-1.example.com", algorithm: "HMAC_SHA512" };
  const { tsigKey, secret: given } = await service.mutate("createTsigKey", input, "secret tsigKey { id }");
  secret = given;
  signed = await register(service, { name: "the signed one", port: 5301, tsigKeyId: tsigKey.id });
  unsigned = await register(service, { name: "the unsigned one", port: 5302 });
});

async function stanza(server: string, secondaryId: string, primary?: string, on = service): Promise<string> {
  const document = `query ($secondaryId: ID!, $server: SecondaryServer!, $primary: String) {
    secondaryConfig(secondaryId: $secondaryId, server: $server, primary: $primary) }`;
  return (await on.data(document, { secondaryId, server, primary })).secondaryConfig;
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

test("a stanza with a revoked key, or of no secondary, or with what is no address is refused", async () => {
  const query = (fields: string) => `{ secondaryConfig(server: KNOT, ${fields}) }`;
  expect(await service.refusal(query(`secondaryId: "${signed}", primary: "ns.example.com"`))).toBe("INVALID_VALUE");
  expect(await service.refusal(query(`secondaryId: "12345"`))).toBe("NOT_FOUND");
  await service.sql("update tsig_key set revoked_at = now()");
  expect(await service.refusal(query(`secondaryId: "${signed}"`))).toBe("INVALID_VALUE");
  await service.sql("update tsig_key set revoked_at = null");
});

describe("where DNS listens on every address", () => {
  const open = testService({ DNS_LISTEN: "0.0.0.0" });

  test("the address at which the secondary reaches us must be said", async () => {
    const id = await register(open, { name: "one", port: 5303 });
    await expect(stanza("KNOT", id, undefined, open)).rejects.toThrow("MISSING_FIELD");
    expect(await stanza("KNOT", id, "192.0.2.1", open)).toContain("192.0.2.1@");
  });
});

describe("where zones are transferred over TLS", () => {
  const authority = new TestAuthority();
  const { cert, key } = authority.issue("server", "DNS:dns.example.net");
  const files = { DNS_TLS_CERT: cert, DNS_TLS_KEY: key, DNS_TLS_CLIENT_CA: authority.file };
  const encrypted = testService({ ...files, DNS_TLS_PORT: "0", DNS_TRANSFER: "tls" });
  let id = "";
  beforeAll(async () => {
    id = await register(encrypted, { name: "one", port: 5304 });
  });
  afterAll(() => authority.remove());
  const printed = (server: string, primary?: string) => stanza(server, id, primary, encrypted);

  test.each<[server: string, address: (port: number) => string, verified: string, own: string]>([
    ["BIND", (port) => `127.0.0.1 port ${port} tls zonesmith;`, 'remote-hostname "dns.example.net"', "key-file"],
    ["NSD", (port) => `127.0.0.1@${port} NOKEY zonesmith`, 'auth-domain-name: "dns.example.net"', "client-key"],
  ])("%s does, and verifies us by a name of our certificate", async (server, address, verified, own) => {
    const text = await printed(server);
    expect(text).toContain(address(encrypted.dnsTlsPort));
    expect(text).toContain(verified);
    expect(text).toContain(own);
    expect(text).toContain("issued by CN=Test authority");
  });

  test.each(["KNOT", "POWERDNS"])("the stanza of %s says that it does not", async (server) => {
    const text = await printed(server);
    expect(text).toContain(`${encrypted.dnsPort}`);
    expect(text).toContain("The service refuses that");
  });

  test("a port that is named is that of TLS, unless it is that of plain DNS", async () => {
    expect(await printed("BIND", "192.0.2.1:8853")).toContain("192.0.2.1 port 8853 tls");
    expect(await printed("BIND", `192.0.2.1:${encrypted.dnsPort}`)).toContain(`port ${encrypted.dnsTlsPort} tls`);
  });
});
