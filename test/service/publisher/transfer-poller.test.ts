import { expect, test } from "@jest/globals";
import { TransferPoller } from "../../../src/publisher/transfer-poller.ts";
import { recordTransfer, transfersSince } from "../../../src/secondary/transferred-zone.ts";
import { openPool } from "../../setup/database/database.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();

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
  const transferred = { serial: 1, isWhole: true, peer: { address: "127.0.0.1", keyName: undefined } };
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
  now += 3001;
  expect(await poll()).toEqual([]);
});
