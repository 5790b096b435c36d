/** Searches across zones find the same with the index of trigrams and without it. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "../../../setup/basics/eventually.ts";
import { type Json, testService } from "../../../setup/service/service.ts";

const service = testService();
const many = 20_100;

beforeAll(async () => {
  const userId = await service.user("owner@example.com");
  for (const zone of ["a.example.com", "b.example.com", "c.example.com"]) await service.domain(zone, userId);
  const zone = "b.example.com";
  const add = [
    { owner: "half", type: "TXT", rdata: '"100% of_it"' },
    { owner: "back", type: "TXT", rdata: String.raw`"a\\b and MORE"` },
    { owner: "needle", type: "TXT", rdata: '"only here"' },
    { owner: "a.xn--bcher-kva", type: "A", rdata: "192.0.2.1" },
    { owner: "pointer", type: "RP", rdata: "needle.example.net. xn--bcher-kva.example.net." },
  ];
  await service.mutate("changeRecords", { zone, add }, "change { id }");
  await service.sql(`insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
    select d.id, 'host-' || n, 'TXT', 60, '"common text ' || n || '"', '', sha256(n::text::bytea)
    from domain d, generate_series(1, ${many}) n where d.zone = '${zone}'`);
  await service.sql("vacuum analyze zone_record");
});

/** The owners and zones that a filter selects. */
async function found(filter: string, first = 60): Promise<string[]> {
  const list = `records(first: ${first}, filter: { ${filter} }) { nodes { zone owner } }`;
  const { records } = await service.data(`{ ${list} }`);
  return records.nodes.map(({ zone, owner }: Json) => `${owner} ${zone}`);
}

const searches: [string, string[]][] = [
  ['rdataContains: "ONLY here"', ["needle b.example.com"]],
  ['rdataContains: "100% of_"', ["half b.example.com"]],
  ['rdataContains: "100_ of%"', []],
  [String.raw`rdataContains: "A\\\\b AND"`, ["back b.example.com"]],
  ['rdataContains: "0%"', ["half b.example.com"]],
  ['owner: "needle"', ["needle b.example.com"]],
  ['ownerPrefix: "NEE"', ["needle b.example.com"]],
  ['ownerPrefix: "n_"', []],
  ['owner: "WWW", rdataContains: "EXAMPLE.com"', ["a", "b", "c"].map((zone) => `www ${zone}.example.com`)],
  ['ownerContains: "EEDL"', ["needle b.example.com"]],
  ['ownerContains: "e_d"', []],
  ['ownerContains: "bücher"', ["a.xn--bcher-kva b.example.com"]],
  ['contains: "NEEDLE"', ["needle b.example.com", "pointer b.example.com"]],
  ['contains: "0%"', ["half b.example.com"]],
  ['contains: "bücher"', ["a.xn--bcher-kva b.example.com", "pointer b.example.com"]],
  ['contains: "NEEDLE.b.example.com."', ["needle b.example.com"]],
  ['contains: "needle.a.example.com"', []],
  ['contains: "a.bücher.b.example.com"', ["a.xn--bcher-kva b.example.com"]],
  ['ownerContains: "needle.B.example.com."', ["needle b.example.com"]],
  ['ownerContains: "c.example.com", types: "SOA"', ["@ c.example.com"]],
  ['contains: "needle.example.net"', ["pointer b.example.com"]],
  ['contains: "two..dots"', []],
  ['contains: "needle.b.example.com", zone: "a.example.com"', []],
  ['contains: "only here", types: "TXT", zone: "b.example.com"', ["needle b.example.com"]],
  ['rdataContains: "common text 20100"', ["host-20100 b.example.com"]],
];

describe.each(["with", "without"])("%s the index,", (kind) => {
  beforeAll(async () => {
    if (kind === "without") await service.sql("drop extension pg_trgm cascade");
  });

  test.each(searches)("a search by %s finds what it says", async (filter, expected) => {
    expect(await found(filter)).toEqual(expected);
  });

  test.each([
    ['ownerContains: "EEDL"', ["needle"]],
    ['contains: "ee"', ["needle", "pointer"]],
    ['contains: "needle.b.example.com."', ["needle"]],
  ])("a search within a zone by %s finds what it says", async (filter, owners) => {
    const { domain } = await service.data(
      `{ domain(by: { zone: "b.example.com" }) { records(${filter}) { nodes { owner } totalCount } } }`,
    );
    expect(domain.records).toEqual({ nodes: owners.map((owner) => ({ owner })), totalCount: owners.length });
  });

  test("pages of a search are in the order of the list, forwards and backwards, also when very many records match", async () => {
    for (const filter of ['rdataContains: "common text 20"', 'rdataContains: "common"']) {
      const all = (await found(filter, 1000)).slice(0, 500);
      expect(all).toEqual(all.toSorted());
      const read: string[] = [];
      for (let after = "null"; read.length < Math.min(all.length, 300); ) {
        const { records } = await service.data(`{ records(first: 60, after: ${after}, filter: { ${filter} }) {
          nodes { zone owner } pageInfo { endCursor hasNextPage } } }`);
        read.push(...records.nodes.map(({ zone, owner }: Json) => `${owner} ${zone}`));
        after = JSON.stringify(records.pageInfo.endCursor);
        if (!records.pageInfo.hasNextPage) break;
      }
      expect(read).toEqual(all.slice(0, read.length));
      const back = async (args: string) => {
        const page = "{ nodes { owner } pageInfo { hasPreviousPage startCursor } }";
        return (await service.data(`{ records(${args}, filter: { ${filter} }) ${page} }`)).records;
      };
      const last = await back("last: 2");
      expect(last.pageInfo.hasPreviousPage).toBe(true);
      const [before] = (await back(`last: 1, before: "${last.pageInfo.startCursor}"`)).nodes;
      expect(before.owner < last.nodes[0].owner).toBe(true);
    }
  });

  test("a part of a zone name finds the zone", async () => {
    const { domains } = await service.data('{ domains(filter: { zoneContains: "B.EXAM" }) { nodes { zone } } }');
    expect(domains.nodes).toEqual([{ zone: "b.example.com" }]);
  });

  if (kind === "with")
    test.each(['rdataContains: "text 20077"', 'contains: "needle.b.example.com."'])(
      "the index is what finds it by %s",
      async (filter) => {
        const scans = async () => {
          const [row] = await service.sql(
            "select idx_scan::int as scans from pg_stat_user_indexes where indexrelname = 'zone_record_search_index'",
          );
          return row?.scans;
        };
        // A connection that is ended has told what it did, and adds nothing to the figures later.
        await service.sql(
          "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and application_name like 'zonesmith%'",
        );
        await service.sql("select pg_stat_reset()");
        await eventually(async () => expect(await scans()).toBe(0));
        await eventually(() => found(filter));
        await eventually(async () => expect(await scans()).toBeGreaterThan(0));
      },
    );
});
