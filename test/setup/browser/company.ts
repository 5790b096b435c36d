/**
 * What the screens are looked at with: the zones of a small company and its customers, as they are after some weeks of work by people and by
 * programs, followed by two name servers, one of which lags behind with two zones.
 */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { eventually } from "../basics/eventually.ts";
import { clientKey, UpdateClient } from "../dns/update-client.ts";
import { FollowingResponder } from "../service/following-responder.ts";
import type { Json, TestService } from "../service/service.ts";
import { prepare } from "./prepared.ts";

/** The zone with the records of real life. */
export const mainZone = "example.com";

/** A zone in which somebody else changes what is being edited: a record of `box`. Its user has a quota. */
export const conflictZone = "north-quay.example";

export const settings = {
  NAME_SERVERS: "ns1.harbour-dns.example. ns2.harbour-dns.example.",
  HOSTMASTER: "hostmaster.harbour-dns.example.",
};

/** A public key as DKIM writes one: of a private key that is the same at every run. */
function dkimKey(): string {
  const seed = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = createPrivateKey({
    key: Buffer.concat([seed, Buffer.alloc(32, 7)]),
    format: "der",
    type: "pkcs8",
  });
  const text = createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64");
  return `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${text.repeat(5).replaceAll("=", "").slice(0, 340)}IDAQAB`;
}

const masterFile = `$TTL 3600
@            MX    10 mail1
@            MX    20 mail2
@            A     192.0.2.80
@            AAAA  2001:db8:80::80
@            TXT   "v=spf1 mx include:_spf.mailer.example -all"
@            TXT   "site-verification=Vb1x0m6f3hUq9cJwP2dTzKoLr7sYnEaG"
@            CAA   0 issue "letsencrypt.org"
@            CAA   0 iodef "mailto:security@example.com"
@            HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.80 ipv6hint=2001:db8:80::80
www    300   CNAME @
mail1        A     192.0.2.25
mail1        AAAA  2001:db8:25::1
mail2        A     198.51.100.25
_dmarc       TXT   "v=DMARC1; p=quarantine; rua=mailto:dmarc@example.com"
s2026._domainkey TXT "v=DKIM1; k=rsa; p=${dkimKey().slice(0, 200)}" "${dkimKey().slice(200)}"
_mta-sts     TXT   "v=STSv1; id=20261103T090000"
mta-sts      CNAME @
_imaps._tcp  SRV   10 5 993 mail1
_submission._tcp SRV 10 5 587 mail1
_sip._tls    SRV   20 0 5061 sip.telco.example.
_25._tcp.mail1 TLSA 3 1 1 8d02536c887482bc34ff54e41d2ba659bf85b341a0a20afadb5813dcfbcf286d
api     60   A     192.0.2.81
api     60   A     192.0.2.82
status       CNAME status.hosting.example.
shop         CNAME shops.hosting.example.
docs         CNAME @
vpn          A     203.0.113.7
grafana      A     192.0.2.90
host1        A     192.0.2.101
host2        A     192.0.2.102
host3        A     192.0.2.103
host10       A     192.0.2.110
dev          NS    ns1.dev
dev          NS    ns2.harbour-dns.example.
ns1.dev      A     198.51.100.53
dev          DS    20826 13 2 9a4c0b7cd1e1a5b0a5d9a5a8b24e4f1f7d2a7bd1c2c6b46e2ad0a9c8d7e6f5a4
`;

/** A zone whose names, numbers and texts are as long as they may be. */
export const longZone = "a-rather-long-name-for-a-zone-that-somebody-registered.example.org";
const label = `${"l".repeat(20)}-${"o".repeat(20)}-${"ng".repeat(10)}x`;
const longLines = `${label} 2147483647 A 192.0.2.1
${label}.${label} TXT "${"no-blank-".repeat(27)}" "${"words between blanks ".repeat(12)}"
@ MX 65535 ${label}.${label}.example.
_service._tcp SRV 65535 65535 65535 ${label}.example.
`;

/** Zones with their users, and a few lines of their own. */
const zones: readonly (readonly [zone: string, user: string, lines: string])[] = [
  ["example.com", "anna@harbour-dns.example", masterFile],
  ["example.net", "anna@harbour-dns.example", "@ A 192.0.2.80\n@ MX 10 mail1.example.com.\n"],
  ["example.org", "anna@harbour-dns.example", "@ A 192.0.2.80\n"],
  ["bücher.example", "jonas@buchladen.example", "@ A 203.0.113.20\nkatalog A 203.0.113.21\n"],
  ["buchladen.example", "jonas@buchladen.example", "@ A 203.0.113.20\n@ MX 10 mx.mailer.example.\n"],
  ["lighthouse-coffee.example", "mira@lighthouse-coffee.example", "@ A 198.51.100.40\nshop A 198.51.100.41\n"],
  ["north-quay.example", "mira@lighthouse-coffee.example", "@ A 198.51.100.44\nbox A 198.51.100.45\n"],
  [
    "harbour-dns.example",
    "anna@harbour-dns.example",
    "ns1 A 192.0.2.53\nns2 A 198.51.100.53\n@ NS ns1\n@ NS ns2\npier A 198.51.100.47\nwww.pier A 198.51.100.47\n",
  ],
  ["sailing-club.example", "office@sailing-club.example", "@ A 203.0.113.60\nregatta A 203.0.113.61\n"],
  ["tidal-energy.example", "ops@tidal-energy.example", "@ A 203.0.113.90\n*.sensors A 203.0.113.91\n"],
  ["2.0.192.in-addr.arpa", "anna@harbour-dns.example", "25 PTR mail1.example.com.\n80 PTR www.example.com.\n"],
  ["8.b.d.0.1.0.0.2.ip6.arpa", "anna@harbour-dns.example", `${"0.".repeat(19)}5.2.0.0.0 PTR mail1.example.com.\n`],
  [longZone, "somebody-with-a-long-address@a-company-with-a-long-name.example", longLines],
];

/** Zones whose last change the second name server has not taken. */
const behind = ["tidal-energy.example", "xn--bcher-kva.example"];

export class Company {
  readonly service: TestService;
  readonly #first: FollowingResponder;
  readonly #second: FollowingResponder;
  /** What the addresses of screens name in braces: a change with a note, change sets by what they show, a template, a webhook, a server. */
  readonly ids: Record<string, string> = {};
  #userId = "";
  #certbot = "";
  #mainText = "";
  #elsewhere = 100;

  constructor(service: TestService) {
    this.service = service;
    this.#first = new FollowingResponder(service);
    this.#second = new FollowingResponder(service);
  }

  async open(): Promise<void> {
    await this.#zones();
    await this.#keys();
    await this.#changes();
    await this.#backdate();
    await this.#servers();
    await this.#updates();
    const mail = await this.#idOf(mainZone, "mail1", "A");
    const pier = await this.#idOf("harbour-dns.example", "pier", "A");
    const www = await this.#idOf("harbour-dns.example", "www.pier", "A");
    Object.assign(this.ids, await prepare(this.service, this.#userId, mail, [pier, www]));
    this.#mainText = (await this.service.rest("GET", `/domain/zonefile/${mainZone}`)).text;
  }

  /** An address with ids in place of their names. */
  addressOf(path: string): string {
    return path.replace(/\{(\w+)\}/, (_, name) => this.ids[name] ?? "");
  }

  async changeElsewhere(): Promise<void> {
    const id = await this.#idOf(conflictZone, "box", "A");
    await this.#edit(conflictZone, { update: [{ recordId: id, rdata: `198.51.100.${this.#elsewhere++}` }] });
  }

  /** Takes back what was applied to the main zone. */
  async restoreMain(): Promise<void> {
    await this.#import(mainZone, this.#mainText, "REPLACE");
  }

  async close(): Promise<void> {
    await this.#first.close();
    await this.#second.close();
  }

  async #zones(): Promise<void> {
    const users = new Map<string, string>();
    for (const [zone, email, lines] of zones) {
      const user = users.get(email) ?? (await this.service.user(email));
      users.set(email, user);
      await this.service.domain(zone, user);
      if (zone === mainZone) await this.#edit(zone, { remove: [await this.#idOf(zone, "www", "CNAME")] });
      await this.#import(zone, lines, "MERGE");
    }
    this.#userId = users.get("anna@harbour-dns.example") ?? "";
    const limits = { domains: { limit: 2 }, records: { limit: 12 }, changesPerDay: { limit: 1000 } };
    const mira = { by: { email: "mira@lighthouse-coffee.example" }, ...limits };
    await this.service.mutate("setUserQuota", mira, "user { id }");
    await this.service.domain("old-pier.example", this.#userId);
    await this.service.rest("DELETE", "/domain/delete", { form: { zone: "old-pier.example" } });
  }

  async #keys(): Promise<void> {
    const { service } = this;
    const userId = this.#userId;
    await service.key({ name: "laptop", userId });
    await service.key({ name: "terraform", userId });
    await service.key({ name: "dashboard", userId, readOnly: true });
    await service.key({ name: "contractor", userId, expiresAt: "2099-12-31T23:00:00Z" });
    const scope = { zones: ["*"], owners: ["_acme-challenge", "_acme-challenge.*"], types: ["TXT"], transfer: false };
    const certbot = { name: "certbot.example.com", userId, ...scope };
    this.#certbot = (await service.mutate("createTsigKey", certbot, "secret")).secret;
    const dhcp = { name: "dhcp.example.com", userId, zones: ["example.com"], transfer: false };
    await service.mutate("createTsigKey", dhcp, "secret");
  }

  /** Changes of the last weeks, of people and programs. */
  async #changes(): Promise<void> {
    const { service } = this;
    const api = await this.#idOf(mainZone, "api", "A");
    this.ids.moved = await this.#edit(mainZone, {
      update: [{ recordId: api, ttl: 60, rdata: "192.0.2.83" }],
      note: "api moves to new hosts",
    });
    const grafana = await this.#idOf(mainZone, "grafana", "A");
    const vpn = await this.#idOf(mainZone, "vpn", "A");
    this.ids.change = await this.#edit(mainZone, {
      add: [
        { owner: "grafana", type: "CNAME", rdata: "monitoring.hosting.example.", ttl: 300 },
        { owner: "vpn", type: "AAAA", rdata: "2001:db8:7::7" },
      ],
      update: [{ recordId: vpn, rdata: "203.0.113.8", ttl: 300 }],
      remove: [grafana],
      note: "Monitoring is hosted elsewhere now, and the VPN has its new address",
    });
    await this.#edit("example.net", { add: [{ owner: "status", type: "CNAME", rdata: "status.hosting.example." }] });
    await this.#edit("sailing-club.example", { add: [{ owner: "live", type: "A", rdata: "203.0.113.62" }] });
    const key = clientKey("certbot.example.com", this.#certbot);
    const client = new UpdateClient(() => service.dnsPort);
    const token = "_acme-challenge 60 TXT nXw3Kq0mVw5o2b8-Yd7zR1cTgLh4uPfE9sJaQkZiB6M";
    await client.update(mainZone, [`add ${token}`], { key });
    await client.update(mainZone, ["del _acme-challenge TXT"], { key });
    await this.#edit("example.org", { add: [{ owner: "@", type: "AAAA", rdata: "2001:db8:80::80" }] });
  }

  /** Spreads what has happened over the last weeks, and over those who work there. */
  async #backdate(): Promise<void> {
    const { service } = this;
    await service.sql(
      `with spread as (select id, max(id) over () - id as back, row_number() over (order by id desc) as nth from change)
       update change set created_at = now() - interval '9 minutes' - (nth * nth) * interval '21 minutes'
       from spread where spread.id = change.id`,
    );
    const [laptop] = await service.sql<{ fingerprint: string }>(
      "select substr(fingerprint, 1, 8) as fingerprint from api_key where name = 'laptop'",
    );
    await service.sql(
      `update change set actor = 'laptop (' || $1 || ')', door = 'console'
       where door = 'graphql' and (note is not null or zone in ('example.net', 'sailing-club.example'))`,
      [laptop?.fingerprint ?? "9f3a12bc"],
    );
  }

  async #servers(): Promise<void> {
    await this.#first.register("knot-berlin");
    await this.#second.register("nsd-oslo");
    const { secondaries } = await this.service.data("{ secondaries { nodes { id name } } }");
    this.ids.secondary = secondaries.nodes.find(({ name }: Json) => name === "knot-berlin").id;
    await eventually(async () => {
      const { nodes } = (await this.service.data("{ secondaries { nodes { joinedAt } } }")).secondaries;
      return nodes.every(({ joinedAt }: Json) => joinedAt !== null) && (await this.#count("PENDING")) === 0;
    });
    this.#second.onNotify = (zone) => {
      if (!behind.includes(zone)) this.#second.follow(zone).catch(() => {});
      return 0;
    };
    for (const zone of behind) await this.#edit(zone, { add: [{ owner: "new", type: "A", rdata: "203.0.113.99" }] });
    await this.service.sql(
      "update secondary set created_at = now() - interval '40 days', joined_at = now() - interval '40 days'",
    );
    await this.service.sql(
      `update "user" set created_at = now() - interval '90 days' + mod(id, 50) * interval '1 day'`,
    );
    await this.service.sql(
      "update change set created_at = now() - interval '7 minutes' where id = (select max(id) from change where zone = $1)",
      [behind[0]],
    );
  }

  async #updates(): Promise<void> {
    const client = new UpdateClient(() => this.service.dnsPort);
    const key = clientKey("certbot.example.com", this.#certbot);
    await client.update("example.net", ["add www 300 A 192.0.2.66"], { key });
    await client.update("example.com", ["add host77 300 A 192.0.2.177"]);
    await client.update("north-quay.example", ["add @ 300 MX 10 mail"], { key });
  }

  async #count(state: string): Promise<number> {
    const document = `{ domains(filter: { state: ${state} }) { totalCount } }`;
    return (await this.service.data(document)).domains.totalCount;
  }

  async #edit(zone: string, edits: Json): Promise<string> {
    return (await this.service.mutate("changeRecords", { zone, ...edits }, "change { id }")).change.id;
  }

  async #import(zone: string, text: string, mode: string): Promise<void> {
    await this.service.mutate("importZone", { zone, text, mode }, "change { id }");
  }

  async #idOf(zone: string, owner: string, type: string): Promise<string> {
    const document = `query ($zone: String!, $owner: String!, $type: RecordType!) {
      domain(by: { zone: $zone }) { records(owner: $owner, types: [$type]) { nodes { id } } } }`;
    return (await this.service.data(document, { zone, owner, type })).domain.records.nodes[0].id;
  }
}
