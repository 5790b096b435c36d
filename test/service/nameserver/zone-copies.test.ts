/** Small zones in memory: the same answers as from the database, no statement for a new name, and what ends that. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Pool } from "pg";
import { type Reads, readsOf } from "../../../src/database/point-reads.ts";
import { Class } from "../../../src/dns/message/header.ts";
import type { ResourceRecord } from "../../../src/dns/message/message-reader.ts";
import { nameText, parseName } from "../../../src/dns/name.ts";
import { typeCode } from "../../../src/dns/type-codes.ts";
import { type Answer, answerQuestion } from "../../../src/nameserver/answer.ts";
import { readSmallZone } from "../../../src/nameserver/zone/zone-copies.ts";
import { storedZones } from "../../../src/nameserver/zone/zone-reader.ts";
import { openReaders } from "../../../src/service/database/open-database.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { ask, queryOf } from "../../setup/dns/dns-client.ts";
import { generateZone } from "../../setup/service/generated-zone.ts";
import { dataOf, insertAddresses, testFront } from "../../setup/service/nameserver.ts";
import { testService } from "../../setup/service/service.ts";

const service = testService({ OWNER_TYPES: "200", RRSET_RECORDS: "4000" });
let pool: Pool;
let user = "";
/** How many reads the front has made. */
let reads = 0;
const counted: Reads = {
  query: (text, values) => {
    reads += 1;
    return readsOf(pool).query(text, values);
  },
};
/** Another process on the database of the service. */
const front = testFront(service, { reads: counted });

beforeAll(async () => {
  pool = openReaders({ url: service.databaseUrl, connections: 4 });
  user = await service.user("owner@example.com");
});
afterAll(() => pool.end());
beforeEach(() => {
  reads = 0;
});

const change = (zone: string, lines: readonly string[]) => {
  const add = lines.map((line) => {
    const [owner, type, ...rdata] = line.split(" ");
    return { owner, type, ttl: 60, rdata: rdata.join(" ") };
  });
  return service.mutate("changeRecords", { zone, force: true, add }, "change { serial }");
};

const lineOf = ({ name, type, ttl, rdata }: ResourceRecord) =>
  `${nameText(name)} ${type} ${ttl} ${Buffer.from(rdata).toString("hex")}`;
// Of one section, the order of an RRset's records is any.
const linesOf = (records: readonly ResourceRecord[]) => records.map(lineOf).toSorted();
const shown = (answer: Answer | undefined) =>
  answer && {
    ...answer,
    answers: linesOf(answer.answers),
    authority: linesOf(answer.authority),
    additional: linesOf(answer.additional),
  };

describe("a small zone answers as the database does", () => {
  const types = ["A", "AAAA", "NS", "MX", "SRV", "TXT", "CNAME", "DNAME", "ANY", "SOA", "RRSIG"];
  const both = async (zone: string, names: readonly string[]) => {
    const small = await readSmallZone(readsOf(pool), zone);
    if (!small) throw new Error("the zone is not small");
    const kinds = new Set<string>();
    for (const name of names)
      for (const type of types) {
        const code = type === "ANY" ? 255 : (typeCode(type) as number);
        const question = { name: parseName(`${name}.`), type: code, class: Class.IN };
        const stored = shown(await answerQuestion(storedZones(readsOf(pool)), question, async () => true));
        const copied = shown(await answerQuestion(small, question, async () => true));
        expect([name, type, copied]).toEqual([name, type, stored]);
        const has = [(stored?.answers.length ?? 0) > 0, (stored?.additional.length ?? 0) > 0];
        kinds.add([stored?.rcode, ...has].join(" "));
      }
    return kinds;
  };

  test("for names that are there and not, aliases, referrals, wildcards and names between", async () => {
    const zone = "forms.example";
    await service.domain(zone, user);
    await change(zone, [
      "web A 192.0.2.1",
      "web AAAA 2001:db8::1",
      "@ MX 10 mail",
      "mail A 192.0.2.2",
      "alias CNAME web",
      "far CNAME alias",
      "out CNAME www.example.net.",
      "loop CNAME pool",
      "pool CNAME loop",
      "a.b.c.d TXT x",
      "*.wild A 192.0.2.3",
      "*.wild MX 5 mail",
      "there.wild TXT y",
      "cut NS ns.cut.forms.example.",
      "ns.cut A 192.0.2.4",
      "tree DNAME web",
      "*.any CNAME there.wild.forms.example.",
    ]);
    const owners =
      "@ www web mail alias far out loop a.b.c.d b.c.d c.d d x.d wild x.wild x.y.wild there.wild x.there.wild cut x.cut ns.cut tree x.tree any q.any none x.none".split(
        " ",
      );
    const kinds = await both(
      zone,
      owners.map((owner) => (owner === "@" ? zone : `${owner}.${zone}`)),
    );
    expect(kinds.size).toBeGreaterThan(4);
  });

  test("for every name of a zone with records of all types", async () => {
    const zone = "types.example";
    await generateZone(service, user, zone, 11);
    const owners = await service.sql<{ owner: string }>(
      "select distinct owner from zone_record r join domain d on d.id = r.domain_id where d.zone = $1 and owner <> '@' order by 1 limit 60",
      [zone],
    );
    await both(
      zone,
      owners.flatMap(({ owner }) => [`${owner}.${zone}`, `no.${owner}.${zone}`]).filter((name) => name.length < 250),
    );
  });
});

const asked = async (name: string) => dataOf(await ask(front.port, queryOf(`${name}.`, "A")));

let names = 0;
/** Asks for names that were not asked for before, until that costs no read. */
const inMemory = (zone: string) =>
  eventually(async () => {
    const before = reads;
    names += 1;
    await asked(`new${names}.${zone}`);
    return reads === before;
  });

describe("the name server", () => {
  test("reads a small zone once, and then nothing for new names, until it is changed by another process", async () => {
    const zone = "small.example";
    await service.domain(zone, user);
    await change(zone, ["a A 192.0.2.1", "b A 192.0.2.2", "c A 192.0.2.3"]);
    for (let at = 0; at < 9; at += 1) await asked(`n${at}.${zone}`);
    expect(reads).toBe(9);
    await inMemory(zone);
    reads = 0;
    expect([await asked(`a.${zone}`), await asked(`n.${zone}`)]).toEqual(["192.0.2.1", "rcode 3"]);
    expect(reads).toBe(0);
    await change(zone, ["n2 A 192.0.2.9"]);
    expect([await asked(`n2.${zone}`), await asked(`c.${zone}`)]).toEqual(["192.0.2.9", "192.0.2.3"]);
    expect(reads).toBe(2);
    await inMemory(zone);
    reads = 0;
    await ask(front.port, queryOf(`${zone}.`, "SOA"));
    expect(reads).toBe(1);
  });

  test("answers from a zone below one in memory: one that is there, one that is created, and when it is deleted", async () => {
    const zone = "above.example";
    await service.domain(zone, user);
    await service.domain(`there.${zone}`, user);
    await service.record(`there.${zone}`, "a", "A", "192.0.2.5");
    await inMemory(zone);
    expect(await asked(`a.there.${zone}`)).toBe("192.0.2.5");
    expect(await asked(`a.later.${zone}`)).toBe("rcode 3");
    await service.domain(`later.${zone}`, user);
    await service.record(`later.${zone}`, "a", "A", "192.0.2.6");
    await inMemory(zone);
    expect([await asked(`a.later.${zone}`), await asked(`b.later.${zone}`)]).toEqual(["192.0.2.6", "rcode 3"]);
    await inMemory(`later.${zone}`);
    await service.rest("DELETE", "/domain/delete/", { form: { zone: `later.${zone}` } });
    expect(await asked(`c.later.${zone}`)).toBe("rcode 3");
    await service.rest("DELETE", "/domain/delete/", { form: { zone: `there.${zone}` } });
    await service.rest("DELETE", "/domain/delete/", { form: { zone } });
    expect(await asked(`a.${zone}`)).toBe("rcode 5");
  });

  test("keeps no zone from before a restored backup", async () => {
    const zone = "restored.example";
    await service.domain(zone, user);
    await service.record(zone, "a", "A", "192.0.2.1");
    await inMemory(zone);
    await service.sql(
      `update zone_record r set wire = '\\xc0000263' from domain d where d.id = r.domain_id and d.zone = $1 and r.owner = 'a'`,
      [zone],
    );
    await service.sql(
      "update change set created_at = created_at - interval '1 hour' where id = (select max(id) from change)",
    );
    expect(await asked(`a.${zone}`)).toBe("192.0.2.99");
  });

  test("reads no zone whole that is large, hidden, or has many zones below", async () => {
    const zone = "large.example";
    await service.domain(zone, user);
    await insertAddresses(service, zone, 1001);
    await service.sql(
      `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
       select d.id, 't', 'TXT', 300, 'x' || n, decode(repeat('00', 60000), 'hex'), sha256(n::text::bytea)
       from domain d, generate_series(1, 5) n where d.zone = 'small.example'`,
    );
    expect(await readSmallZone(readsOf(pool), zone)).toBeUndefined();
    expect(await readSmallZone(readsOf(pool), "small.example")).toBeUndefined();
    expect(await readSmallZone(readsOf(pool), "absent.example")).toBeUndefined();
    for (let at = 0; at < 30; at += 1) expect(await asked(`h${at + 1}.${zone}`)).toBe("192.0.2.1");
    expect(reads).toBe(31);
  });
});
