import { afterEach, expect, test } from "@jest/globals";
import { TransferPoller } from "../../../src/publisher/transfer-poller.ts";
import { recordTransfer, transfersSince } from "../../../src/secondary/transferred-zone.ts";
import { sql } from "../../../src/sql/sql.ts";
import { openPool } from "../../setup/database/database.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
afterEach(() => publication.clear());

const transferred = { serial: 1, isWhole: true, peer: { address: "127.0.0.1", keyName: undefined } };
/** How many transfers the connection has visited so far, less what it has reported. */
const visits = sql<{ visited: number }>`
  select (seq_tup_read + idx_tup_fetch)::int as visited from pg_stat_xact_user_tables where relname = 'transferred_zone'`;

test("each transfer is returned once, whatever the clocks of the instances say and however late it is committed", async () => {
  await publication.secondary();
  const domains = [await publication.domain(), await publication.domain(), await publication.domain()] as const;
  let now = 0;
  const session = (year = 2026) => ({ ...publication.session(), now: () => new Date(Date.UTC(year)) });
  const poller = new TransferPoller(
    (since, limit) => transfersSince(session(), since, limit),
    () => now,
  );
  const poll = async () => (await poller.poll()).map(({ domainId }) => domainId);
  const record = (at: 0 | 1 | 2, year: number) =>
    recordTransfer(session(year), { domainId: domains[at].id, ...transferred });
  expect(await poll()).toEqual([]);
  await record(0, 2040);
  expect(await poll()).toEqual([domains[0].id]);
  await record(1, 2010);
  expect(await poll()).toEqual([domains[1].id]);
  expect(await poll()).toEqual([]);

  const pool = openPool(publication.url);
  const late = await pool.connect();
  await late.query("begin");
  await late.query("update transferred_zone set transaction_id = pg_current_xact_id() where domain_id = $1", [
    domains[0].id,
  ]);
  await record(2, 2026);
  expect(await poll()).toEqual([domains[2].id]);
  await record(1, 2026);
  expect(await poll()).toEqual([domains[1].id]);
  await late.query("commit");
  late.release();
  await pool.end();
  expect(await poll()).toEqual([domains[0].id]);
  expect(await poll()).toEqual([]);

  // As of a restored backup of a cluster that had run more transactions.
  await publication.sql("update transferred_zone set transaction_id = '9000000000000' where domain_id = $1", [
    domains[0].id,
  ]);
  expect(await poll()).toEqual([]);

  await record(0, 2026);
  now += 60_001;
  expect(await poll()).toEqual([]);
});

test("a transaction that stays open makes no poll visit what others recorded before", async () => {
  await publication.secondary();
  const domains = [await publication.domain(), await publication.domain()] as const;
  const pool = openPool(publication.url);
  const open = await pool.connect();
  await open.query("begin");
  await open.query("select pg_current_xact_id()");
  const poller = new TransferPoller((since, limit) =>
    publication.session().em.transactional(async (em) => {
      const session = { ...publication.session(), em };
      const counted = async () => (await visits.run(session))[0]?.visited ?? Number.NaN;
      const before = await counted();
      const found = await transfersSince(session, since, limit);
      visited = (await counted()) - before;
      return found;
    }),
  );
  let visited = 0;
  const poll = async () => (await poller.poll()).map(({ domainId }) => domainId);
  expect(await poll()).toEqual([]);
  await publication.sql(
    `insert into transferred_zone (domain_id, secondary_id, serial, transferred_at, transaction_id)
     select -n, (select min(id) from secondary), 1, now(), pg_current_xact_id() from generate_series(1, 20000) n`,
  );
  await publication.sql("analyze transferred_zone");
  await recordTransfer(publication.session(), { domainId: domains[0].id, ...transferred });
  expect(await poll()).toEqual([domains[0].id]);
  expect(await poll()).toEqual([]);
  expect(visited).toBeLessThan(100);
  await recordTransfer(publication.session(), { domainId: domains[1].id, ...transferred });
  expect(await poll()).toEqual([domains[1].id]);
  expect(visited).toBeLessThan(100);
  await open.query("commit");
  open.release();
  await pool.end();
});
