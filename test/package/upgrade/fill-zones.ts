/**
 * Zones of every kind, through every interface that writes zones: all record types, names and texts that are hard to keep, every way
 * that a serial moves, and what is left of zones that are gone.
 */
import { recordTypes } from "../../../src/dns/rdata/record-type-registry.ts";
import { type RdataVector, readVectors } from "../../vectors/read-vectors.ts";
import type { World } from "./world.ts";

export async function fillZones(world: World): Promise<void> {
  await ordinary(world);
  await everyType(world);
  await hardNames(world);
  await hardData(world);
  await imports(world);
  await serials(world);
  await gone(world);
}

/** What most zones look like: by REST and GraphQL, with a child zone, in several users' hands. */
async function ordinary(world: World): Promise<void> {
  const key = "alice";
  const zone = "example.com";
  await world.rest({
    key,
    method: "POST",
    path: "/domain/add",
    form: { user_id: world.id("alice@example.com"), zone: "Example.COM." },
  });
  const add = (owner: string, rtype: string, rdata: string, ttl: number) =>
    world.rest({ key, method: "POST", path: "/record/add", form: { zone, owner, rtype, rdata, ttl } });
  await add("mail", "A", "192.0.2.1", 3600);
  await add("mail", "AAAA", "2001:db8::1", 3600);
  await add("@", "MX", "10 mail", 86400);
  await add("@", "TXT", "v=spf1 mx ~all", 300);
  const { body: host } = await add("host", "A", "192.0.2.9", 900);
  await add("host", "A", "192.0.2.10", 7200);
  const edited = { zone, owner: "host", rtype: "A", rdata: "192.0.2.11", ttl: 14400 };
  await world.rest({ key, method: "PUT", path: `/record/edit/${host.id}`, form: edited });
  const www = await world.recordId(zone, "www", "CNAME");
  await world.rest({ key, method: "DELETE", path: `/record/delete/${www}` });
  await world.add(zone, ["www 0 A 192.0.2.2", "ttl1 1 A 192.0.2.2", "longest 2147483647 A 192.0.2.2"], key);
  const mx = await world.recordId(zone, "@", "MX");
  await world.run("changeRecords", {
    zone,
    remove: [await world.recordId(zone, "mail", "AAAA")],
    update: [{ id: mx, rdata: "20 mail.example.com.", ttl: 1800 }],
    add: [{ owner: "@", type: "MX", rdata: "30 mx.example.net." }],
  });
  await world.add(zone, [`sub 3600 NS ns.sub.${zone}.`, "ns.sub 3600 A 192.0.2.53"], key);
  await world.domain("sub.example.com", "alice@example.com", ["ns 3600 A 192.0.2.53"], key);
  await world.domain("bob.example.com", "bob@example.net");
  await world.domain("2.0.192.in-addr.arpa", "alice@example.com", ["1 3600 PTR mail.example.com."], key);
  const nibbles = "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0";
  await world.domain("8.b.d.0.1.0.0.2.ip6.arpa", "bob@example.net", [`${nibbles} 3600 PTR mail.example.com.`], "bob");
  await world.domain("transferred.example", "bob@example.net", ["a 60 A 192.0.2.3"], "bob");
  await world.run("transferDomain", { zone: "transferred.example", userId: world.id("carol@example.org") });
}

/** Every type of the table in one zone, and another value of each in a second one, which a master file creates. */
async function everyType(world: World): Promise<void> {
  const types = recordTypes.filter(({ creatable, mnemonic }) => creatable && mnemonic !== "SOA");
  const lines = types.map(({ mnemonic, example }) => `t-${mnemonic.toLowerCase()} 3600 ${mnemonic} ${example}`);
  await world.domain("types.example", "alice@example.com", [...lines, "t-ds 3600 NS ns.example.net."]);
  const taken = new Set<string>();
  const values = readVectors<RdataVector>("rdata.jsonl").filter(({ type, rdata, valid, agree, wire = "" }) => {
    const isNew = types.some(({ mnemonic }) => mnemonic === type) && !taken.has(type);
    const isFit = valid === true && agree === "all" && wire.length < 300 && !/[\n]|\\#/.test(rdata);
    if (isNew && isFit && !types.some(({ example }) => example === rdata)) taken.add(type);
    return taken.has(type) && isNew && isFit;
  });
  const file = [
    "$TTL 1h30m",
    "@ SOA ns.example.net. host.example.net. 7 1 2 3 4",
    "@ NS ns.example.net.",
    ...values.map(({ type, rdata }) => `v-${type} ${type} ${rdata}`),
    "v-DS NS ns.example.net.",
    "",
  ].join("\n");
  const path = `/domain/zonefile/vectors.example?user_id=${world.id("bob@example.net")}`;
  await world.rest({ key: "bob", method: "POST", path, file });
}

/** Names: A-labels and Unicode, escapes, wildcards, the longest there are. */
async function hardNames(world: World): Promise<void> {
  await world.domain("Bücher.Example", "bob@example.net", [
    "straße 300 A 192.0.2.1",
    "été.xn--bcher-kva 300 AAAA 2001:db8::5",
    "☕ 300 CNAME käse.bücher.example.",
    "@ 300 MX 10 post.bücher.example.",
  ]);
  const label = "l".repeat(63);
  await world.domain("names.example", "carol@example.org", [
    "* 300 A 192.0.2.1",
    "*.deep 300 TXT wildcard",
    "a.*.b 300 A 192.0.2.1",
    "_sip._tcp 300 SRV 0 5 5060 sip.example.net.",
    "dot\\.in.label 300 A 192.0.2.1",
    "blank\\032in 300 A 192.0.2.1",
    "nul\\000and\\255 300 A 192.0.2.1",
    'quote\\"semi\\;at\\@ 300 A 192.0.2.1',
    "back\\\\slash 300 A 192.0.2.1",
    "UPPER 300 CNAME Target.Example.NET.",
    `${label} 300 A 192.0.2.1`,
    `${label}.${label}.${label}.${"m".repeat(47)} 300 A 192.0.2.1`,
    "a.b.c.d.e.f.g.h 300 A 192.0.2.1",
  ]);
  await world.domain("0/25.2.0.192.in-addr.arpa", "carol@example.org", ["1 300 PTR a\\.b.example.net."]);
}

/** Data: types without a name, texts of every kind, RRsets of many records. */
async function hardData(world: World): Promise<void> {
  await world.domain("data.example", "carol@example.org", [
    "u 300 TYPE65534 \\# 0",
    "u 300 TYPE65280 \\# 3 00ff0a",
    "u 300 TYPE65280 \\# 4 00ff0a00",
    "u 300 TYPE1 \\# 4 c0000201",
    'text 300 TXT ""',
    'text 300 TXT "a" "b c" "\\"quoted\\"" "\\\\ \\000\\255;"',
    `text 300 TXT ${"long ".repeat(100)}`,
    "text 300 TXT v=DMARC1; p=none",
    "null-mx 300 MX 0 .",
    "svc 300 HTTPS 0 alias.example.net.",
    "svc2 300 HTTPS 1 . alpn=h2,h3 port=8443 ipv4hint=192.0.2.1 key65000=x",
  ]);
  const hosts = [...Array(100).keys()].map((at) => `many 60 A 198.51.100.${at}`);
  await world.domain("many.example", "carol@example.org", hosts);
}

/** Master files into zones that exist: merged, and replaced as a whole, as one change each. */
async function imports(world: World): Promise<void> {
  const zone = "imported.example";
  await world.domain(zone, "carol@example.org", ["old 300 A 192.0.2.1", "kept 300 A 192.0.2.2"]);
  await world.run("importZone", {
    zone,
    mode: "MERGE",
    text: '$TTL 300\nmerged A 192.0.2.3\nkept A 192.0.2.4\nmerged TXT ( one\n "two" ) ; a comment\n',
  });
  const file = `$ORIGIN ${zone}.
@ 3600 IN SOA ns.example.net. host.example.net. 2098010107 10800 3600 1209600 3600
@ 3600 IN NS ns.example.net.
kept 600 IN A 192.0.2.2
${[...Array(30).keys()].map((at) => `host${at} 600 IN A 203.0.113.${at}\n`).join("")}`;
  await world.rest({ key: "carol", method: "POST", path: `/domain/zonefile/${zone}?mode=replace`, file });
  await world.add(zone, ["after 300 A 192.0.2.6"], "carol");
}

/** Serials: set by the caller, at the end of the circle (RFC 1982), past it by a change, past it by the caller. */
async function serials(world: World): Promise<void> {
  const end = 4294967295;
  const halfway = (serial: number) => serial + 2 ** 31 - 1;
  for (const zone of ["set", "end", "around", "wrapped"].map((name) => `serial-${name}.example`)) {
    await world.domain(zone, "bob@example.net");
    if (zone === "serial-set.example") {
      await world.setSerial(zone, 2099010150);
      continue;
    }
    await world.setSerial(zone, halfway(await world.serial(zone)));
    await world.setSerial(zone, end);
  }
  await world.add("serial-around.example", ["a 300 A 192.0.2.1"]);
  await world.setSerial("serial-wrapped.example", 5);
}

/** What is gone: zones deleted for good, deleted and created again, and users with what they owned. */
async function gone(world: World): Promise<void> {
  for (const zone of ["deleted.example", "again.example"]) {
    await world.domain(zone, "alice@example.com", ["a 300 A 192.0.2.1", "a 300 A 192.0.2.2"], "alice");
    await world.setSerial(zone, 2099020203);
  }
  await world.run("deleteDomain", { zone: "deleted.example" }, "alice");
  await world.rest({ key: "alice", method: "DELETE", path: "/domain/delete", form: { zone: "again.example" } });
  await world.domain("again.example", "bob@example.net");
  await world.add("again.example", ["b 300 A 192.0.2.3"], "bob");
  await world.domain("orphan.example", "dave@example.com", ["a 300 A 192.0.2.1"], "dave");
  await world.run("deleteUser", {
    id: world.id("dave@example.com"),
    onDomains: "TRANSFER",
    transferToUserId: world.id("carol@example.org"),
  });
  await world.run("deleteUser", { id: world.id("frank@example.com") });
}
