/**
 * How far a secondary is, as the leader knows it.
 */
import { afterEach, expect, test } from "@jest/globals";
import type { Publisher } from "../../../src/publisher/publisher.ts";
import type { SecondaryState } from "../../../src/secondary/secondary-state.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { testPublication } from "../../setup/zones/publishers.ts";

const publication = testPublication();
afterEach(() => publication.clear());

const noState: SecondaryState = { name: "", isSilent: true, pending: 0, late: 0, lagMs: 0 };

/** How far the secondaries are. */
function statesAt(publisher: Publisher): readonly SecondaryState[] {
  const states = publisher.states() ?? [];
  if (states.length === 0) throw new Error("there is no secondary yet");
  return states;
}

test("a change does not reset the lag, what is served ends that of its serial alone, and the last one all of it", async () => {
  const [one, other] = [await publication.secondary(), await publication.secondary()];
  const { zone, serial } = await publication.domain();
  const publisher = publication.publish();
  const bothLag = () => {
    for (const state of statesAt(publisher)) expect(state).toMatchObject({ pending: 1, late: 0, isSilent: false });
    for (const { lagMs } of statesAt(publisher)) expect(lagMs).toBeGreaterThan(1000);
  };
  await eventually(bothLag);
  const notified = one.notified(zone).length;
  const last = await publication.change(zone);
  await eventually(() => expect(one.notified(zone).length).toBeGreaterThan(notified));
  bothLag();
  await publication.serve(one, zone, serial);
  await eventually(() => {
    const [behindOne = noState, behindBoth = noState] = statesAt(publisher);
    expect(behindBoth.lagMs - behindOne.lagMs).toBeGreaterThan(900);
    expect(behindOne.pending).toBe(1);
  });
  for (const secondary of [one, other]) await publication.serve(secondary, zone, last);
  await eventually(() => {
    for (const state of statesAt(publisher)) expect(state).toMatchObject({ pending: 0, late: 0, lagMs: 0 });
  });
});

test("one that does not lead knows nothing of secondaries", async () => {
  await publication.secondary();
  const leader = publication.publish();
  await eventually(() => statesAt(leader));
  expect(publication.publish().states()).toBeUndefined();
});
