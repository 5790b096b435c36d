/**
 * BIND and NSD follow over TLS (RFC 9103), as the stanzas say: they verify the service's certificate, and show one of their own. The service
 * refuses transfers without TLS, so what they serve has come over it.
 */
import { afterAll, beforeAll, describe, expect } from "@jest/globals";
import { TestAuthority } from "../../setup/basics/certificates.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testWith } from "../../setup/basics/programs.ts";
import { transfer } from "../../setup/servers/follower.ts";
import { Following, testFollowing } from "../../setup/servers/following.ts";
import { askAt, run } from "../../setup/servers/kdig.ts";
import { bind, nsd, type Server } from "../../setup/servers/name-servers.ts";
import { type Json, testService } from "../../setup/service/service.ts";

const test = testWith("kdig", "dig", ...bind.programs, ...nsd.programs);
const authority = new TestAuthority();
const clients = new TestAuthority();
const serverName = "dns.example.net";
const issued = authority.issue("server", `DNS:${serverName}`);
const client = clients.issue("client", "DNS:ns1.example.net");
const service = testService({
  LOG_LEVEL: "info",
  DNS_TLS_PORT: "0",
  DNS_TLS_CERT: issued.cert,
  DNS_TLS_KEY: issued.key,
  DNS_TLS_CLIENT_CA: clients.file,
  DNS_TRANSFER: "tls",
});
let userId = "";

/** A server whose stanza names the files of the test, as its operator writes them into it. */
const overTls = (server: Server, trusted = authority): Server => ({
  ...server,
  name: `${server.name} over TLS`,
  configuration: (folder, port, stanza) => {
    const named = stanza
      .replaceAll(/"\/etc\/ssl\/certs\/[^"]+"/g, `"${trusted.file}"`)
      .replaceAll(/"\/etc\/\w+\/client\.pem"/g, `"${client.cert}"`)
      .replaceAll(/"\/etc\/\w+\/client\.key"/g, `"${client.key}"`);
    return server.configuration(folder, port, named);
  },
});

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  await service.domain("before.example.com", userId);
});

/** The transfers of a zone that the log names. */
const transfersOf = (zone: string): Json[] =>
  service.logged.map((line) => JSON.parse(line)).filter(({ msg, zone: of }) => msg === "transferred" && of === zone);

describe.each([overTls(bind), overTls(nsd)])("$name", (server) => {
  const following = testFollowing(service, server);
  const published = async (name: string, input: Json) => {
    const { change } = await service.mutate(name, input, "change { id }");
    await following.learn();
    await eventually(async () => {
      const query = `{ change(id: "${change.id}") { publication { secondaries { name state } } } }`;
      const { secondaries } = (await service.data(query)).change.publication;
      expect(secondaries).toContainEqual({ name: server.name, state: "LIVE" });
    });
  };

  test("serves a domain that was there before it came, its next change, which it fetches alone, and a new one", async () => {
    const zone = "before.example.com";
    const owner = server.stanza.toLowerCase();
    await published("createRecord", { zone, owner, type: "A", rdata: "192.0.2.1" });
    await published("createRecord", { zone, owner: `${owner}-next`, type: "A", rdata: "192.0.2.2" });
    expect((await following.ask(`${owner}.${zone}`, "A")).answers).toEqual(["192.0.2.1"]);
    await following.servesOurs(zone);
    expect(transfersOf(zone).at(-1)).toMatchObject({ kind: "IXFR", key: following.key.name, tls: true });
    const created = `${owner}.example.com`;
    await published("createDomain", { zone: created, userId });
    await following.servesOurs(created);
    expect(transfersOf(created).filter(({ tls }) => tls !== true)).toEqual([]);
  });

  test("gets nothing by its key without TLS, where it is answered all the same", async () => {
    const zone = "before.example.com";
    expect(await transfer(service.dnsPort, zone, following.key)).toMatch(/^; Transfer failed\.$/m);
    expect((await askAt(service.dnsPort, zone, "SOA")).status).toBe("NOERROR");
  });
});

/** An NSD that its operator runs already, and gives the stanza by the command in its first line. */
class RunningNsd extends Following {
  override async startWith(stanza: string): Promise<void> {
    this.configure("");
    await this.start();
    this.configure(stanza);
    if (!/^# NSD.* systemctl restart nsd$/m.test(stanza)) return this.server.reload?.(this.folder);
    await this.stop();
    await this.start();
  }
}

describe("an NSD that runs", () => {
  const running = new RunningNsd(service, { ...overTls(nsd), name: "NSD that runs" });
  afterAll(() => running.remove());

  test("follows over TLS after the command that its stanza names", async () => {
    await running.follow();
    await eventually(() => running.servesOurs("before.example.com"));
  });
});

describe("kdig", () => {
  const zone = "before.example.com";
  const ask = (certified: boolean, name: string, ...words: string[]) => {
    const own = certified ? [`+tls-certfile=${client.cert}`, `+tls-keyfile=${client.key}`] : [];
    const at = ["@127.0.0.1", "-p", `${service.dnsTlsPort}`, `+tls-ca=${authority.file}`, `+tls-hostname=${name}`];
    return run("kdig", [...at, ...own, "+retry=0", zone, ...words]);
  };

  test("asks over TLS 1.3, with padding, and is served", async () => {
    const asked = await ask(true, serverName, "SOA");
    expect(asked).toMatch(/TLS session \(TLS1\.3\)/);
    expect(asked).toMatch(/status: NOERROR/);
    expect(asked).toMatch(/PADDING/i);
  });

  test("does not take our certificate for another name, and is not served without one of its own", async () => {
    expect(await ask(true, "other.example.net", "SOA")).not.toMatch(/NOERROR/);
    expect(await ask(false, serverName, "SOA")).not.toMatch(/NOERROR/);
  });
});

describe.each([overTls(bind, clients), overTls(nsd, clients)])("$name, which trusts another authority", (server) => {
  const following = testFollowing(service, { ...server, name: `${server.name}, distrusting` });

  test("takes nothing from us", async () => {
    await eventually(() => expect(following.log).toMatch(/certificate verif(y failed|ication failed)/));
    expect((await following.ask("before.example.com", "SOA")).status).not.toBe("NOERROR");
  });
});
