import { afterEach, expect, jest, test } from "@jest/globals";
import { serial } from "../../../src/dns/serial.ts";
import type { DeliveryHost } from "../../../src/publisher/delivery.ts";
import { Delivery } from "../../../src/publisher/delivery.ts";
import { PacketQueues } from "../../../src/publisher/packet-queues.ts";
import type { ContentComparison } from "../../../src/publisher/packets/content-comparison.ts";
import type { Raise } from "../../../src/publisher/probe-meaning.ts";
import type { Task } from "../../../src/publisher/task-queue.ts";
import type { Observation } from "../../../src/secondary/record-sightings.ts";
import { momentIn } from "../../setup/basics/clock.ts";

const committed = serial(7);
const served = { serial: serial(9), isSigned: true };
const target = { domainId: 1, zone: "example.com", serial: 7, isDeleted: false, isCatalog: false, since: 0 };

afterEach(() => void jest.useRealTimers());

/** What a delivery to a signer needs, where nothing is raised or given up. */
const host: DeliveryHost = {
  secondary: { id: 1, name: "s", notify: true, isIndirect: false },
  queues: new PacketQueues(() => false),
  raises: { mayRaise: true, raise: () => "repeated" },
  notify: async () => ({ outcome: "acknowledged", message: "" }),
  probe: async () => ({ kind: "serial", message: "9", ...served }),
  prove: async () => ({ proof: { kind: "unverified" }, committed, isRaised: false }),
  isAbsent: async () => false,
  compareContent: async () => failed("not asked for"),
  zoneExists: async () => true,
  onObserved: () => {},
  onDelivered: () => {},
  giveUp: () => false,
};

/** Delivers a zone whose content has to be compared, without NOTIFY; `rounds` runs what waits, a probe or a comparison. */
function delivery(compareContent: () => ContentComparison, parts: Partial<DeliveryHost> = {}) {
  const waiting = new Set<Task>();
  const observed: Observation[] = [];
  const raises: Raise[] = [];
  const add = (task: Task) => void waiting.add(task);
  const running = new Delivery(
    {
      ...host,
      secondary: { ...host.secondary, notify: false },
      queues: { addNotify: add, addProbe: add, addComparison: add, remove: (task) => void waiting.delete(task) },
      raises: { mayRaise: true, raise: (_id, _target, raise) => (raises.push(raise) === 1 ? "queued" : "repeated") },
      compareContent: async () => compareContent(),
      onObserved: (observation) => void observed.push(observation),
      ...parts,
    },
    target,
    "verify",
    false,
  );
  const rounds = async (times: number) => {
    for (let round = 0; round < times; round += 1)
      for (const task of [...waiting]) {
        waiting.delete(task);
        await task();
      }
  };
  return { rounds, observed, raises, close: () => running.close() };
}

const failed = (message: string): ContentComparison => ({ kind: "refused", mayPass: true, message });

test("why a copy cannot be compared is said until it is, and written once", async () => {
  let compared = failed("SERVFAIL");
  const { rounds, observed, close } = delivery(() => compared);
  await rounds(8);
  expect(observed).toHaveLength(2);
  expect(observed.at(-1)).toMatchObject({
    serial: 9,
    isUnproven: true,
    lastError: "SERVFAIL.",
    seenAt: expect.any(Date),
  });
  compared = { kind: "equal", served, committed };
  await rounds(2);
  expect(observed).toContainEqual(expect.objectContaining({ provenSerial: 7, isUnproven: false, lastError: null }));
  close();
});

test("a signer that fails to transfer to us for a minute gets the zone whole, and one that fails now and then does not", async () => {
  let times = 0;
  const now = delivery(() => (++times % 10 === 0 ? { kind: "failed", message: "it is slow" } : failed("SERVFAIL")));
  await now.rounds(60);
  expect(now.raises).toEqual([]);
  now.close();
  const always = delivery(() => failed("SERVFAIL"));
  await always.rounds(14);
  expect(always.raises).toEqual([]);
  await always.rounds(60);
  expect(always.raises[0]).toMatchObject({ isWhole: true, committed });
  expect(always.observed.at(-1)).toMatchObject({ lastError: expect.stringContaining("SERVFAIL") });
  always.close();
});

/** A secondary that serves an earlier serial of ours. */
const behind: Partial<DeliveryHost> = {
  probe: async () => ({ kind: "serial", message: "6", serial: serial(6), isSigned: false }),
  prove: async () => ({ proof: { kind: "proven", serial: serial(6) }, committed, isRaised: false }),
};

test.each(["urgent", "bulk"] as const)(
  "an acknowledged NOTIFY that the secondary has lost is sent again after ten seconds, %s",
  async (pace) => {
    jest.useFakeTimers();
    const begun = momentIn(0);
    const queues = new PacketQueues(() => false);
    const sent: number[] = [];
    const notify: DeliveryHost["notify"] = async () => {
      sent.push(Math.floor((momentIn(0) - begun) / 1000));
      return { outcome: "acknowledged", message: "" };
    };
    const running = new Delivery({ ...host, queues, notify, ...behind }, target, pace, false);
    await jest.advanceTimersByTimeAsync(21_500);
    expect(sent).toEqual([0, 10, 20]);
    running.close();
    queues.close();
  },
);

test.each<[string, number, Partial<DeliveryHost>]>([
  ["is refused", 16, { probe: async () => ({ kind: "refused", message: "REFUSED" }) }],
  ["is behind", 16, behind],
  ["cannot be compared", 30, {}],
  ["is not ours", 3, { prove: async () => ({ proof: { kind: "unknown" }, committed: serial(8), isRaised: false }) }],
])("a zone that %s gives its place to others after its last try, where any wait", async (_what, within, parts) => {
  let givenUp = 0;
  const { rounds, close } = delivery(() => ({ kind: "failed", message: "it is slow" }), {
    ...parts,
    giveUp: () => {
      givenUp += 1;
      if (givenUp === 2) close();
      return givenUp === 2;
    },
  });
  await rounds(within - 2);
  expect(givenUp).toBe(0);
  await rounds(10);
  expect(givenUp).toBe(2);
  close();
});
