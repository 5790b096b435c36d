import { expect, test } from "@jest/globals";
import { TransferPoller } from "../../../src/publisher/transfer-poller.ts";
import type { RecordedTransfer } from "../../../src/secondary/transferred-zone.ts";

const now = Date.UTC(2026, 10, 21);
const clock = () => new Date(now);

const transfer = (domainId: number, at: number): RecordedTransfer => {
  const zone = `zone${domainId}.example`;
  return { secondaryId: 1, domainId, at, zone, serial: 1, isDeleted: false, isCatalog: false, since: at };
};

test("each transfer is returned once, also one that becomes visible after a later one", async () => {
  const stored: RecordedTransfer[] = [];
  const read = async (since: Date, limit: number) =>
    stored
      .filter(({ at }) => at > since.getTime())
      .toSorted((a, b) => a.at - b.at)
      .slice(0, limit);
  const poller = new TransferPoller(read, clock);
  const poll = async () => (await poller.poll()).map(({ domainId }) => domainId);
  stored.push(transfer(1, now - 200), transfer(2, now - 100));
  expect(await poll()).toEqual([1, 2]);
  expect(await poll()).toEqual([]);
  stored.push(transfer(3, now - 150), transfer(4, now));
  expect(await poll()).toEqual([3, 4]);
  stored.push(transfer(1, now + 50));
  expect(await poll()).toEqual([1]);
  expect(await poll()).toEqual([]);
});

test("what was recorded long ago is left to the comparison of all zones", async () => {
  const reads: Date[] = [];
  const poller = new TransferPoller(async (since) => {
    reads.push(since);
    return [];
  }, clock);
  await poller.poll();
  expect(reads).toEqual([new Date(now - 3000)]);
});
