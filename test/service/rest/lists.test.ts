import { beforeAll, expect, test } from "@jest/globals";
import type { Code } from "../../../src/error-codes.ts";
import { expectRefusal } from "../../setup/service/refusal.ts";
import { type Answer, adminKey, type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const big = "big.example.com";
const bigCount = 2500;
const zoneCount = 60;
const userCount = 1100;
let owner: string;
let other: string;
let bigId: string;

beforeAll(async () => {
  [owner, other] = [await service.user("owner@example.com"), await service.user("other@example.com")];
  bigId = await service.domain(big, owner);
  for (let at = 1; at < zoneCount; at += 1) await service.domain(`z${at}.example.net`, at % 2 ? owner : other);
  await service.sql(
    `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
      select $1, 'h' || lpad(n::text, 5, '0'), 'A', 300, '192.0.2.1', '\\xc0000201', sha256('\\xc0000201')
      from generate_series(1, ${bigCount}) n`,
    [bigId],
  );
  await service.sql(
    `insert into "user" (email) select 'u' || n || '@example.com' from generate_series(3, ${userCount}) n`,
  );
});

const get = (path: string) => service.rest("GET", path);
const distinct = (rows: Json[], field: string) => new Set(rows.map((row) => row[field])).size;

/** The rows of every page from `path` on, by their Link headers, and the number of pages. */
async function pages(path: string): Promise<{ rows: Json[]; count: number; totals: Set<string | null> }> {
  const rows: Json[] = [];
  const totals = new Set<string | null>();
  for (let count = 1, next: string | undefined = path; ; count += 1) {
    const { status, headers, body }: Answer = await get(next);
    expect(status).toBe(200);
    rows.push(...body);
    totals.add(headers.get("x-total-count"));
    next = /^<\/api([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    if (next === undefined) return { rows, count, totals };
  }
}

test.each([
  ["/record/list", zoneCount * 4 + bigCount, "id"],
  ["/domain/list", zoneCount, "zone_id"],
  ["/user/list", userCount, "id"],
])("%s is complete when no page is asked for: %i rows", async (path, count, id) => {
  const { status, headers, body } = await get(path);
  const given = ["link", "x-total-count", "content-length"].map((name) => headers.get(name));
  expect([status, ...given]).toEqual([200, null, null, null]);
  expect([body.length, distinct(body, id)]).toEqual([count, count]);
});

test("a list is sent as it is read, in several pieces", async () => {
  const response = await fetch(`${service.url}/api/record/list`, { headers: { "X-API-Key": adminKey } });
  expect(response.headers.get("transfer-encoding")).toBe("chunked");
  let pieces = 0;
  for await (const _ of response.body ?? []) pieces += 1;
  expect(pieces).toBeGreaterThan(2);
});

test("records are sorted by zone, then owner and type, over all pages", async () => {
  const { body } = await get("/record/list");
  const position = ({ zone, owner, type }: Json) =>
    `${zone}\0${owner === "@" ? "" : owner} ${type === "SOA" ? "" : type}`;
  const positions = body.map(position);
  expect(positions).toEqual(positions.toSorted());
});

test("a domain shows all its records wherever it is shown", async () => {
  const paths = [`/domain/list/zone/${bigId}`, `/domain/list/zone?name=${big}`, `/domain/list/user/${owner}`];
  const shown = (await Promise.all(paths.map(get))).map(({ body }) => body);
  const listed = (await get("/domain/list")).body.find(({ zone }: Json) => zone === big);
  const paged = (await get(`/domain/list?limit=1&zone=${big}`)).body[0];
  for (const domain of [...shown, listed, paged]) {
    expect([domain.zone_id, domain.records.length]).toEqual([Number(bigId), bigCount + 4]);
    expect(distinct(domain.records, "id")).toBe(bigCount + 4);
    expect(domain.records[0]).toMatchObject({ owner: "@", type: "SOA" });
    expect(domain.records.at(-1)).toMatchObject({ owner: "www", type: "CNAME" });
  }
});

test.each([
  ["/record/list", 900, 4],
  [`/record/list?zone=${big}&type=a`, 1000, 3],
  ["/domain/list", 7, 9],
  ["/user/list", 550, 2],
])("%s in pages of %i is the same list, in %i pages", async (path, limit, count) => {
  const rows = (await get(path)).body;
  const paged = await pages(`${path}${path.includes("?") ? "&" : "?"}limit=${limit}`);
  expect(paged).toEqual({ rows, count, totals: new Set([String(rows.length)]) });
});

test("a cursor alone asks for a page, too", async () => {
  const link = (await get("/user/list?limit=2")).headers.get("link") ?? "";
  const { headers, body } = await get(`/user/list?cursor=${/cursor=([^&>]+)/.exec(link)?.[1]}`);
  expect(body[0].email).toBe("u3@example.com");
  expect(headers.get("x-total-count")).toBe(String(userCount));
});

test.each([
  ["/record/list?zone=Z1.example.net.", 4],
  ["/record/list?zone=z1.example.net&owner=WWW.z1.example.net.", 1],
  ["/record/list?type=CNAME", zoneCount],
  ["/record/list?owner=h00042", 1],
  ["/record/list?user_id={other}&owner=www", (zoneCount - 2) / 2],
  ["/domain/list?zone=Z1.Example.net", 1],
  ["/domain/list?user_id={other}", (zoneCount - 2) / 2],
  ["/domain/list?zone=&user_id=", zoneCount],
])("the filter %s leaves %i rows", async (path, count) => {
  const { status, text, body } = await get(path.replace("{other}", other));
  expect([status, body.length]).toEqual([200, count]);
  if (count === 0) expect(text.trim()).toBe("[]");
});

test.each([
  ...["0", "1001", "-1", "1e2", "ten", "1&limit=2"].map((limit) => [`/user/list?limit=${limit}`, "limit"]),
  ["/record/list?cursor=abc", "cursor"],
  [`/user/list?cursor=${btoa('["a",1]')}`, "cursor"],
  [`/record/list?cursor=${btoa('["a\\u0000","b",1]')}`, "cursor"],
  ["/domain/list?user_id=abc", "user_id"],
  ["/record/list?user_id=1e3", "user_id"],
  ["/record/list?zone=a..b", "zone", "INVALID_NAME"],
  ["/domain/list?zone=a..b", "zone", "INVALID_NAME"],
  ["/record/list?owner=a..b", "owner", "INVALID_NAME"],
  ["/record/list?type=BOGUS", "type", "UNSUPPORTED_TYPE"],
] as [string, string, Code?][])("refuses %s by the name of its field", async (path, field, error = "INVALID_VALUE") => {
  expectRefusal(await get(path), error, field);
});

test("a whole list and its pages are the same text, whatever is in the records", async () => {
  const zone = "awkward.example.net";
  const texts = [
    '"quo\\"te"',
    '"records":{"nodes":[',
    '],"pageInfo":{"hasNextPage":true}',
    "tab\tand\u0001",
    "ümlaut 中文 \u2028 😀",
    '],"pageInfo":{}',
    "back\\slash",
    "",
  ];
  const id = await service.domain(zone, owner);
  await service.sql(
    `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
      select $1, 'o' || n || '\\032', 'TXT', n, rdata, '', sha256(n::text::bytea) from unnest($2::text[]) with ordinality t(rdata, n)`,
    [id, texts],
  );
  for (const path of [`/record/list?zone=${zone}`, `/domain/list?zone=${zone}`]) {
    const whole = await get(path);
    const { body } = whole;
    const records: Json[] = body[0].records ?? body;
    expect(records.map(({ rdata }) => rdata)).toEqual(expect.arrayContaining(texts));
    expect(records).toHaveLength(4 + texts.length);
    expect(Object.keys(records[0]).join()).toBe(
      body[0].records ? "id,owner,rdata,type,ttl" : "id,owner,rdata,zone,type,ttl",
    );
    expect(whole.text).toBe(`${JSON.stringify(body)}\n`);
    expect((await get(`${path}&limit=1000`)).text).toBe(whole.text);
  }
  expect((await get(`/record/list?zone=${zone}&type=AAAA`)).text).toBe("[]\n");
});
