import { afterEach, expect, jest, test } from "@jest/globals";
import { serial } from "../../../src/dns/serial.ts";
import type { ContentComparison } from "../../../src/publisher/content-comparison.ts";
import { Delivery } from "../../../src/publisher/delivery.ts";
import type { DeliveryHost } from "../../../src/publisher/delivery-host.ts";
import type { Raise } from "../../../src/publisher/finding.ts";
import { PacketQueues } from "../../../src/publisher/packet-queues.ts";
import type { Task } from "../../../src/publisher/task-queue.ts";
import type { Observation } from "../../../src/secondary/observation.ts";

const secondary = { id: 1, name: "s", notify: true, isIndirect: false };
const committed = serial(7);
const served = { serial: serial(9), isSigned: true };
const target = { domainId: 1, zone: "example.com", serial: 7, isDeleted: false, isCatalog: false, since: 0 };

afterEach(() => void jest.useRealTimers());

/** Delivers a zone to a signer whose content has to be compared; `round` runs what waits, a probe or a comparison. */
function delivery(compareContent: () => ContentComparison) {
  const waiting = new Set<Task>();
  const observed: Observation[] = [];
  const raises: Raise[] = [];
  const host: DeliveryHost = {
    secondary: { ...secondary, notify: false },
    queues: {
      addNotify: () => {},
      addProbe: (task) => void waiting.add(task),
      addComparison: (task) => void waiting.add(task),
      remove: (task) => void waiting.delete(task),
    },
    raises: { mayRaise: true, raise: (_id, _target, raise) => (raises.push(raise) === 1 ? "queued" : "repeated") },
    notify: async () => ({ outcome: "silent", message: "" }),
    probe: async () => ({ kind: "serial", message: "9", ...served }),
    prove: async () => ({ proof: { kind: "unverified" }, committed, isRaised: false }),
    isAbsent: async () => false,
    compareContent: async () => compareContent(),
    zoneExists: async () => true,
    onObserved: (observation) => void observed.push(observation),
    onDelivered: () => {},
  };
  const running = new Delivery(host, target, "verify", false);
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

test.each(["urgent", "bulk"] as const)(
  "an acknowledged NOTIFY that the secondary has lost is sent again after ten seconds, %s",
  async (pace) => {
    jest.useFakeTimers();
    const queues = new PacketQueues(() => false);
    const sent: number[] = [];
    const host: DeliveryHost = {
      ...{ secondary, queues, raises: { mayRaise: true, raise: () => "repeated" } },
      notify: async () => {
        sent.push(Math.floor(performance.now() / 1000));
        return { outcome: "acknowledged", message: "" };
      },
      probe: async () => ({ kind: "serial", message: "6", serial: serial(6), isSigned: false }),
      prove: async () => ({ proof: { kind: "proven", serial: serial(6) }, committed, isRaised: false }),
      isAbsent: async () => false,
      compareContent: async () => failed("not asked for"),
      zoneExists: async () => true,
      onObserved: () => {},
      onDelivered: () => {},
    };
    const begun = Math.floor(performance.now() / 1000);
    const running = new Delivery(host, target, pace, false);
    await jest.advanceTimersByTimeAsync(21_500);
    expect(sent.map((at) => at - begun)).toEqual([0, 10, 20]);
    running.close();
    queues.close();
  },
);
