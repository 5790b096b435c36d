/**
 * The poller of changes reads again only ids that a change can still get: those of the sequence, which steps.
 */
import { expect, test } from "@jest/globals";
import type { ChangedZone } from "../../../src/secondary/sighting.ts";
import { ChangePoller, changeIdStep } from "../../../src/zone/change-poller.ts";

const first = 1_000_000_000_000_003;
const idOf = (at: number) => first + at * changeIdStep;
const change = (at: number): ChangedZone => ({
  changeId: idOf(at),
  domainId: at,
  zone: `z${at}.example.com`,
  serial: 1,
  isDeleted: false,
  isMembership: false,
  isCatalog: false,
  source: "somebody",
});

test("a change that is committed after a later one is found, and no other id is asked for", async () => {
  const committed = [change(0)];
  const asked: (readonly number[])[] = [];
  const poller = new ChangePoller(async (after, gaps) => {
    asked.push(gaps);
    return committed.filter(({ changeId }) => changeId > after || gaps.includes(changeId));
  });
  poller.startAfter(idOf(0), []);
  committed.push(change(3));
  expect((await poller.poll()).map(({ domainId }) => domainId)).toEqual([3]);
  committed.push(change(2));
  expect((await poller.poll()).map(({ domainId }) => domainId)).toEqual([2]);
  await poller.poll();
  expect(asked.map((gaps) => gaps.toSorted())).toEqual([[], [idOf(1), idOf(2)], [idOf(1)]]);
});
