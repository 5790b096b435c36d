/** Lists: walked by cursor while others write, filtered, counted, nested, and never by one query for each row. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Json, testService } from "../../../setup/service/service.ts";

const service = testService();
let userId: string;
let domainId: string;
let adminKeyId: string;
let soaId: string;
const zone = "big.example.com";

beforeAll(async () => {
  userId = await service.user("owner@example.com");
  domainId = await service.domain(zone, userId);
  soaId = (await service.data(`{ domain(by: { id: "${domainId}" }) { records(types: "SOA") { nodes { id } } } }`))
    .domain.records.nodes[0].id;
  adminKeyId = (await service.data("{ apiKeys { nodes { id } } }")).apiKeys.nodes[0].id;
  await service.sql(
    `insert into "user" (email) select (case n % 3 when 0 then 'U' when 1 then 'u' else 'É' end) || lpad((n * 7 % 40)::text, 2, '0') || '@example.com' from generate_series(1, 39) n`,
  );
  await service.sql(
    "insert into domain (zone, user_id, serial) select 'z' || (n * 7 % 40) || '.example.net', $1, 4294967295 from generate_series(1, 39) n",
    [userId],
  );
  await service.sql(
    `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
      select $1, 'h' || (n * 7 % 40), t, 300, 'x' || n, '\\x', sha256(n::text::bytea) from generate_series(1, 39) n, unnest(array['A', 'TXT']) t`,
    [domainId],
  );
  await service.sql(
    "insert into change (domain_id, zone, kind, previous_serial, serial, actor, door) select $1, $2, 'EDIT', n, n + 1, 'test', 'system' from generate_series(1, 39) n",
    [domainId, zone],
  );
  await service.sql(
    "insert into api_key (name, user_id, fingerprint, hash) select 'k' || n, $1, '', '' from generate_series(1, 39) n",
    [userId],
  );
});

/** A list: how it is asked for, and how two rows are put into its table, one before all others and one after them. */
interface List {
  readonly name: string;
  readonly orders: readonly string[];
  readonly document: (page: string) => string;
  readonly pick: (data: Json) => Json;
  readonly table: string;
  readonly insert: string;
  readonly parent: () => string[];
}

const edges =
  "{ totalCount edges { cursor node { id } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }";
const tables = {
  user: {
    table: "user",
    parent: () => [],
    insert: `insert into "user" (email) values ($1 || '@example.com'), ('zz' || $1 || '@example.com')`,
  },
  domain: {
    table: "domain",
    parent: () => [userId],
    insert:
      "insert into domain (zone, user_id, serial) values ($1 || '.example.net', $2, 1), ('zz' || $1 || '.example.net', $2, 1)",
  },
  record: {
    table: "zone_record",
    parent: () => [domainId],
    insert: `insert into zone_record (domain_id, owner, type, ttl, rdata, wire, digest)
      values ($2, '0' || $1, 'A', 300, '', '\\x', '\\x'), ($2, 'zz' || $1, 'A', 300, '', '\\x', '\\x')`,
  },
  change: {
    table: "change",
    parent: () => [domainId],
    insert:
      "insert into change (domain_id, zone, kind, serial, actor, door) values ($2, 'big', 'EDIT', 1, $1, 'system')",
  },
  api_key: {
    table: "api_key",
    parent: () => [],
    insert: "insert into api_key (name, fingerprint, hash) values ($1, '', '')",
  },
};
const byAge = ["CREATED", "CREATED_DESC"];
type Table = Omit<List, "name" | "orders" | "document" | "pick">;
const root = (name: string, orders: readonly string[], table: Table): List => ({
  name,
  orders,
  document: (page) => `{ ${name}(${page}) ${edges} }`,
  pick: (data) => data[name],
  ...table,
});
const nested = (of: string, field: string, orders: readonly string[], table: Table): List => ({
  name: `${of}.${field}`,
  orders,
  document: (page) => `{ ${of}(by: { id: "${of === "user" ? userId : domainId}" }) { ${field}(${page}) ${edges} } }`,
  pick: (data) => data[of][field],
  ...table,
});
const lists: readonly List[] = [
  root("users", [...byAge, "EMAIL"], tables.user),
  root("domains", [...byAge, "ZONE", "ZONE_DESC"], tables.domain),
  root("records", [...byAge, "NAME"], tables.record),
  root("apiKeys", [""], tables.api_key),
  nested("user", "domains", [...byAge, "ZONE", "ZONE_DESC"], tables.domain),
  nested("domain", "records", [...byAge, "NAME"], tables.record),
  nested("domain", "changes", ["CREATED_DESC", "CREATED"], tables.change),
];
const orders = lists.flatMap((list) => list.orders.map((order): [string, string, List] => [list.name, order, list]));
const asked = (order: string, args: string) => (order ? `orderBy: ${order}, ${args}` : args);

const pageOf = async (list: List, order: string, args: string): Promise<Json> =>
  list.pick(await service.data(list.document(asked(order, args))));
const page = (list: List, order: string, first: number, after?: string) =>
  pageOf(list, order, `first: ${first}${after ? `, after: "${after}"` : ""}`);

describe("a walk by cursors", () => {
  let step = 0;
  test.each(orders)(
    "of %s by %s meets every row once, while others come and go before and behind it",
    async (_name, order, list) => {
      const all = (await page(list, order, 1000)).nodes.map(({ id }: Json) => id);
      const doomed = all.filter(
        (id: string, at: number) => at % 4 === 1 && at > 4 && ![userId, domainId, adminKeyId, soaId].includes(id),
      );
      const met: string[] = [];
      for (let after: string | undefined, more = true; more; step += 1) {
        const { edges: rows, pageInfo } = await page(list, order, 9, after);
        expect(pageInfo).toMatchObject({
          hasPreviousPage: after !== undefined,
          startCursor: rows[0]?.cursor ?? null,
          endCursor: rows.at(-1)?.cursor ?? null,
        });
        met.push(...rows.map(({ node }: Json) => node.id));
        [after, more] = [pageInfo.endCursor, pageInfo.hasNextPage];
        await service.sql(list.insert, [String(step).padStart(4, "0"), ...list.parent()]);
        await service.sql(`delete from public."${list.table}" where id = any($1)`, [
          [doomed.shift(), doomed.pop()].filter(Boolean),
        ]);
      }
      expect(new Set(met).size).toBe(met.length);
      const left = new Set((await page(list, order, 1000)).nodes.map(({ id }: Json) => id));
      const stable = all.filter((id: string) => left.has(id));
      expect(met.filter((id) => stable.includes(id))).toEqual(stable);
    },
  );

  test.each(orders)(
    "of %s by %s is in that order from both ends, its length totalCount",
    async (_name, order, list) => {
      const { edges: rows, nodes, totalCount } = await page(list, order, 1000);
      expect(totalCount).toBe(nodes.length);
      const ids: string[] = nodes.map(({ id }: Json) => id);
      const sorted = ids.toSorted((a, b) => Number(a) - Number(b));
      if (["CREATED", ""].includes(order)) expect(ids).toEqual(sorted);
      if (["CREATED_DESC"].includes(order)) expect(ids).toEqual(sorted.toReversed());
      const back: string[] = [];
      for (let before: string | undefined, more = true; more; ) {
        const read = await pageOf(list, order, `last: 17${before ? `, before: "${before}"` : ""}`);
        expect(read.pageInfo.hasNextPage).toBe(before !== undefined);
        back.unshift(...read.nodes.map(({ id }: Json) => id));
        [before, more] = [read.pageInfo.startCursor, read.pageInfo.hasPreviousPage];
      }
      expect(back).toEqual(ids);
      const inner = await pageOf(
        list,
        order,
        `first: 1000, after: "${rows[0].cursor}", before: "${rows.at(-1).cursor}"`,
      );
      expect(inner.nodes.map(({ id }: Json) => id)).toEqual(ids.slice(1, -1));
    },
  );
});

test("pages from the end count as rows, also below a node", async () => {
  expect(await service.refusal("{ domains(last: 200) { nodes { records(last: 100) { nodes { id } } } } }")).toBe(
    "QUERY_TOO_COMPLEX",
  );
  const pages = "records(first: 1000) { nodes { domain { records(first: 1000) { nodes { id } } } } }";
  expect(await service.refusal(`{ node(id: "${domainId}") { ... on Domain { ${pages} } } }`)).toBe("QUERY_TOO_COMPLEX");
});

test("names sort by their octets, the apex and the SOA first", async () => {
  const { domains, domain } = await service.data(
    `{ domains(first: 1000) { nodes { zone } } domain(by: { zone: "${zone}" }) { records(first: 1000) { nodes { owner type } } } }`,
  );
  const zones = domains.nodes.map((node: Json) => node.zone);
  expect(zones).toEqual(zones.toSorted());
  const sortable = ({ owner, type }: Json) => `${owner === "@" ? "" : owner} ${type === "SOA" ? "" : type}`;
  const types = domain.records.nodes.map(sortable);
  expect(types[0]).toBe(" ");
  expect(types).toEqual(types.toSorted());
});

describe("a page", () => {
  test.each(lists)("of $name holds 1 to 1000 rows, from one end", async ({ document, orders: [order = ""] }) => {
    for (const [args, field] of [
      ["first: 0", "first"],
      ["first: -1", "first"],
      ["first: 1001", "first"],
      ["last: 0", "last"],
      ["first: 1, last: 1", "last"],
      ['last: 1, before: "x"', "before"],
    ] as const) {
      const { body } = await service.graphql(document(asked(order, args)).replace(edges, "{ totalCount }"));
      expect([args, body.errors[0].extensions]).toMatchObject([args, { code: "INVALID_VALUE", field }]);
    }
  });

  test.each(lists)("of $name starts after its own cursors only", async (list) => {
    const order = list.orders[0] ?? "";
    const cursor = async (of: List, by: string) => (await page(of, by, 1)).pageInfo.endCursor;
    const own = await cursor(list, order);
    const write = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString("base64url");
    const [name] = JSON.parse(Buffer.from(own, "base64url").toString());
    const others = orders.filter(([, by, other]) => other.table !== list.table || (other === list && by !== order));
    const foreign = await Promise.all(others.map(([, by, other]) => cursor(other, by)));
    const written = [[name], [name, "1"], [name, 1e300], [name, 1, 1], {}, null].map(write);
    const forged = ["", "x", `${own}=`, `${own}!`, own.slice(0, -1), "a".repeat(2000), ...written];
    for (const after of [...foreign, ...forged]) {
      const args = asked(order, `first: 1, after: ${JSON.stringify(after)}`);
      const { body } = await service.graphql(list.document(args));
      expect([after, body.errors?.[0].extensions]).toMatchObject([after, { code: "INVALID_VALUE", field: "after" }]);
    }
  });

  test("of a change's records holds no row beyond a number that no column holds", async () => {
    const oldest = "changes(orderBy: CREATED, first: 1) { nodes { id } }";
    const { domain } = await service.data(`{ domain(by: { id: "${domainId}" }) { ${oldest} } }`);
    const after = Buffer.from(JSON.stringify(["change.records", Number.MAX_SAFE_INTEGER])).toString("base64url");
    const added = `added(after: "${after}") { nodes { owner } }`;
    const { change } = await service.data(`{ change(id: "${domain.changes.nodes[0].id}") { ${added} } }`);
    expect(change.added.nodes).toEqual([]);
  });
});
