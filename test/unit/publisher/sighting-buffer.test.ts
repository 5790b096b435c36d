import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { SightingBuffer } from "../../../src/publisher/sighting-buffer.ts";
import type { Contact, Observation } from "../../../src/secondary/record-sightings.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const observation = (domainId: number): Observation => ({
  ...{ secondaryId: 1, domainId, zone: `${domainId}.example`, serial: 1, provenSerial: 1 },
  ...{ isUnproven: false, isHeld: false, isRefused: false, seenAt: new Date(0), lastError: null },
});

/** A buffer, and the batches that it has written: domains, then answers to queries. */
function buffered(write: () => Promise<boolean> = async () => true) {
  const batches: (readonly [domains: number[], answers: unknown[]])[] = [];
  const events = { onSuperseded: jest.fn(), onError: jest.fn() };
  const buffer = new SightingBuffer((observations: readonly Observation[], contacts: readonly Contact[]) => {
    batches.push([observations.map(({ domainId }) => domainId), contacts.map(({ queryAnswer }) => queryAnswer)]);
    return write();
  }, events);
  return { buffer, batches, events };
}

test("contacts alone wait for an observation, which takes along the last of them", async () => {
  const { buffer, batches } = buffered();
  for (const queryAnswer of ["1", "2"]) buffer.addContact(1, { queryAnswer });
  await jest.advanceTimersByTimeAsync(50);
  expect(batches).toEqual([]);
  buffer.add(observation(7), true);
  await jest.advanceTimersByTimeAsync(1);
  expect(batches).toEqual([[[7], ["2"]]]);
  await jest.advanceTimersByTimeAsync(1000);
  expect(batches).toHaveLength(1);
});

test("bulk observations wait for an urgent one, for a thousand of them, or for a second", async () => {
  const { buffer, batches } = buffered();
  const sizes = () => batches.map(([domains]) => domains.length);
  const add = (first: number, last: number) => {
    for (let id = first; id <= last; id += 1) buffer.add(observation(id), false);
  };
  add(1, 999);
  await jest.advanceTimersByTimeAsync(900);
  expect(sizes()).toEqual([]);
  add(1000, 1000);
  await jest.advanceTimersByTimeAsync(1);
  expect(sizes()).toEqual([1000]);
  add(1, 2);
  await jest.advanceTimersByTimeAsync(1100);
  expect(sizes()).toEqual([1000, 2]);
  add(1, 1);
  buffer.add(observation(2), true);
  await jest.advanceTimersByTimeAsync(1);
  expect(sizes()).toEqual([1000, 2, 2]);
});

test("contacts alone are written after a moment, also those that come while a batch is written", async () => {
  const { promise, resolve: finish } = Promise.withResolvers<boolean>();
  const { buffer, batches } = buffered(() => promise);
  buffer.addContact(1, { queryAnswer: "1" });
  await jest.advanceTimersByTimeAsync(1100);
  buffer.addContact(1, { queryAnswer: "2" });
  await jest.advanceTimersByTimeAsync(1100);
  expect(batches).toEqual([[[], ["1"]]]);
  finish(true);
  await jest.advanceTimersByTimeAsync(1100);
  expect(batches).toEqual([
    [[], ["1"]],
    [[], ["2"]],
  ]);
});

test("what could not be written is written later, and nothing once a newer term has begun", async () => {
  const write = jest.fn<() => Promise<boolean>>().mockRejectedValueOnce(new Error("away")).mockResolvedValue(false);
  const { buffer, batches, events } = buffered(write);
  buffer.addContact(1, { queryAnswer: "1" });
  buffer.add(observation(7), true);
  await jest.advanceTimersByTimeAsync(1500);
  expect(batches).toEqual([
    [[7], ["1"]],
    [[7], ["1"]],
  ]);
  expect(events.onError).toHaveBeenCalledTimes(1);
  expect(events.onSuperseded).toHaveBeenCalledTimes(1);
  buffer.add(observation(8), true);
  buffer.addContact(1, { queryAnswer: "2" });
  await jest.advanceTimersByTimeAsync(1500);
  expect(batches).toHaveLength(2);
});
