/**
 * How far a secondary is, as the leader knows it.
 */
import { afterEach, expect, test } from "@jest/globals";
import type { Publisher } from "../../src/publisher/publisher.ts";
import { eventually } from "../setup/eventually.ts";
import { testPublication } from "../setup/publishers.ts";

const publication = testPublication();
afterEach(() => publication.clear());

/** How far the only secondary is. */
function stateAt(publisher: Publisher) {
  const [state] = publisher.states() ?? [];
  if (!state) throw new Error("there is no secondary yet");
  return state;
}

test("a change does not reset the lag, what is served ends that of its serial alone, and the last one all of it", async () => {
  const secondary = await publication.secondary();
  const { zone, serial } = await publication.domain();
  const publisher = publication.publish();
  await eventually(() => expect(stateAt(publisher)).toMatchObject({ pending: 1, late: 0, isSilent: false }));
  const known = secondary.notified(zone).length;
  const changedAt = performance.now();
  const last = await publication.change(zone);
  await eventually(() => expect(secondary.notified(zone).length).toBeGreaterThan(known));
  const before = performance.now();
  expect(before - stateAt(publisher).lagMs).toBeLessThan(changedAt);
  await publication.serve(secondary, zone, serial);
  await eventually(() => {
    const { lagMs, pending } = stateAt(publisher);
    expect(performance.now() - lagMs).toBeGreaterThanOrEqual(changedAt);
    expect(pending).toBe(1);
  });
  await publication.serve(secondary, zone, last);
  await eventually(() => expect(stateAt(publisher)).toMatchObject({ pending: 0, late: 0, lagMs: 0 }));
});

test("one that does not lead knows nothing of secondaries", async () => {
  await publication.secondary();
  const leader = publication.publish();
  await eventually(() => stateAt(leader));
  expect(publication.publish().states()).toBeUndefined();
});
