import { beforeAll, describe, expect, test } from "@jest/globals";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { type TestService, testService } from "../../setup/service/service.ts";

const service = testService({ DNS_LISTEN: "127.0.0.1", CATALOG_ZONE: "catalog.example.net" });
let signed: string;
let unsigned: string;
let secret: string;

beforeAll(async () => {
  const userId = await service.user("stanzas@example.com");
  await service.domain("0/26.2.0.192.in-addr.arpa", userId);
  const key = { name: "stanza-1.example.com", algorithm: "HMAC_SHA512" };
  const made = await service.mutate("createTsigKey", key, "secret tsigKey { id }");
  secret = made.secret;
  signed = await register(service, 5301, made.tsigKey.id);
  unsigned = await register(service, 5302);
});

/** Registers a secondary at a port; answers its id. */
async function register(at: TestService, port: number, tsigKeyId?: string): Promise<string> {
  const input = { name: `at ${port}`, address: "127.0.0.7", port, tsigKeyId, notify: false };
  return (await at.mutate("createSecondary", input, "secondary { id }")).secondary.id;
}

async function stanza(server: string, secondary: string, primaries?: readonly string[]): Promise<string> {
  const document = `query ($secondary: ID!, $server: SecondaryServer!, $primaries: [String!]) {
    secondaryConfig(by: { id: $secondary }, server: $server, primaries: $primaries) }`;
  return (await service.data(document, { secondary, server, primaries })).secondaryConfig;
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
    const plain = await stanza(server, unsigned, ["192.0.2.1"]);
    expect(plain).toContain("192.0.2.1");
    expect(plain).not.toMatch(/secret|hmac|127\.0\.0\.1/);
  },
);

test.each(["KNOT", "BIND", "POWERDNS"])("the stanza of %s names every catalog", async (server) => {
  const catalogs = ["catalog.example.net", "2.catalog.example.net", "10.catalog.example.net"];
  // The service creates the first one too, at a moment of its own.
  const add = "insert into domain (zone, serial) values ($1, 1) on conflict (zone) do nothing";
  for (const catalog of catalogs) await service.sql(add, [catalog]);
  const lines = (await stanza(server, signed)).split("\n");
  const [first = [], ...further] = catalogs.map((catalog) =>
    lines.filter((line) => line.split(/[^\w.]+/).includes(catalog)).map((line) => line.replaceAll(catalog, "CATALOG")),
  );
  expect(first).not.toEqual([]);
  expect(further).toEqual([first, first]);
  await service.sql("delete from domain where user_id is null");
});

test.each<[server: string, asked: string, notify: string]>([
  ["KNOT", "address: [192.0.2.1@53, 2001:db8::1@PORT]", "address: [192.0.2.1, 2001:db8::1]"],
  ["BIND", "{ 192.0.2.1 port 53; 2001:db8::1 port PORT; }", "allow-notify { 192.0.2.1; 2001:db8::1; };"],
  ["NSD", "request-xfr: 2001:db8::1@PORT NOKEY", "allow-notify: 2001:db8::1 NOKEY"],
  ["POWERDNS", "192.0.2.1:53 [2001:db8::1]:PORT", "allow-notify-from=192.0.2.1,2001:db8::1"],
])("the stanza of %s names every primary, where it asks and whose NOTIFY it takes", async (server, asked, notify) => {
  const text = await stanza(server, unsigned, ["192.0.2.1:53", "2001:db8::1"]);
  expect(text).toContain(asked.replace("PORT", String(service.dnsPort)));
  expect(text).toContain(notify);
  expect(text.match(/192\.0\.2\.1/g)).toHaveLength(text.match(/2001:db8::1/g)?.length ?? 0);
});

test("without primaries it names each instance that runs, and is refused where one of them is not reached at what it listens on", async () => {
  const instance = async (host: string, address: string | null, ageSeconds = 0) =>
    service.sql(
      `insert into instance (id, host, pid, version, started_at, seen_at, dns_address, dns_port)
       values (gen_random_uuid(), $1, 1, '1', now(), now() - make_interval(secs => $2), $3, 53)`,
      [host, ageSeconds, address],
    );
  const asked = async () => /address: (\S.*@.*)/.exec(await stanza("KNOT", signed))?.[1];
  const refused = async () => {
    const { errors } = (await service.graphql(`{ secondaryConfig(by: { id: "${signed}" }, server: KNOT) }`)).body;
    expect(errors[0].extensions).toMatchObject({ code: "MISSING_FIELD", field: "primaries" });
    return errors[0].message;
  };
  const sentence = (where: string) =>
    `primaries is missing: ${where}; write the address at which the secondary reaches it, and that of each other instance.`;
  await instance("second", "127.0.0.2");
  await instance("gone", "192.0.2.8", 31);
  await eventually(async () => expect(await service.sql("select from instance")).toHaveLength(3));
  expect(await asked()).toBe(`[127.0.0.1@${service.dnsPort}, 127.0.0.2@53]`);
  await instance("third", "192.0.2.7");
  expect(await refused()).toBe(sentence("the service listens on 127.0.0.1"));
  await instance("fourth", "0.0.0.0");
  expect(await refused()).toBe(sentence("the instance on fourth listens on 0.0.0.0"));
  await service.sql("delete from instance where pid = 1");
});

test("a stanza with a revoked key, or of no secondary, or with what is no address is refused", async () => {
  const query = (fields: string) => `{ secondaryConfig(server: KNOT, ${fields}) }`;
  const by = `by: { id: "${signed}" }`;
  expect(await service.refusal(query(`${by}, primaries: ["ns.example.com"]`))).toBe("INVALID_VALUE");
  expect(await service.refusal(query(`by: { id: "12345" }`))).toBe("NOT_FOUND");
  expect(await service.refusal(query(`by: { name: "nobody" }`))).toBe("NOT_FOUND");
  await service.sql("update tsig_key set revoked_at = now()");
  expect(await service.refusal(query(by))).toBe("INVALID_VALUE");
  await service.sql("update tsig_key set revoked_at = null");
});

describe("where DNS listens on every address", () => {
  const open = testService({ DNS_LISTEN: "0.0.0.0" });

  test("the address at which the secondary reaches us must be said", async () => {
    const id = await register(open, 5303);
    const query = (more: string) => `{ secondaryConfig(by: { id: "${id}" }, server: KNOT${more}) }`;
    expect(await open.refusal(query(""))).toBe("MISSING_FIELD");
    expect((await open.data(query(`, primaries: ["192.0.2.1"]`))).secondaryConfig).toContain("192.0.2.1@");
  });
});

describe("where zones are transferred over TLS", () => {
  const authority = new TestAuthority();
  const { cert, key } = authority.issue("server", "DNS:dns.example.net");
  const files = { DNS_TLS_CERT: cert, DNS_TLS_KEY: key, DNS_TLS_CLIENT_CA: authority.file };
  const encrypted = testService({ ...files, DNS_TLS_PORT: "0", DNS_TRANSFER: "tls" });
  let id = "";
  beforeAll(async () => {
    id = await register(encrypted, 5304);
  });

  const printed = async (server: string, primary?: string): Promise<string> => {
    const document = `query ($primaries: [String!]) { secondaryConfig(by: { id: "${id}" }, server: ${server}, primaries: $primaries) }`;
    return (await encrypted.data(document, { primaries: primary === undefined ? null : [primary] })).secondaryConfig;
  };

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

  test("an instance without TLS is not named at its port of plain DNS, nor at that of TLS", async () => {
    await encrypted.sql(
      `insert into instance (id, host, pid, version, started_at, seen_at, dns_address, dns_port)
       values (gen_random_uuid(), 'plain', 1, '1', now(), now(), '192.0.2.7', $1)`,
      [encrypted.dnsPort],
    );
    const { errors } = (await encrypted.graphql(`{ secondaryConfig(by: { id: "${id}" }, server: BIND) }`)).body;
    expect(errors[0]).toMatchObject({
      message:
        "primaries is missing: the instance on plain serves no DNS over TLS; set DNS_TLS_PORT there, or write the addresses of the instances that do.",
      extensions: { code: "MISSING_FIELD", field: "primaries" },
    });
    await encrypted.sql("delete from instance where host = 'plain'");
  });

  test("a port that is named is that of TLS, unless it is that of plain DNS", async () => {
    expect(await printed("BIND", "192.0.2.1:8853")).toContain("192.0.2.1 port 8853 tls");
    expect(await printed("BIND", `192.0.2.1:${encrypted.dnsPort}`)).toContain(`port ${encrypted.dnsTlsPort} tls`);
  });
});
