import { afterAll, afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { Rcode } from "../../../src/dns/message/header.ts";
import { serial } from "../../../src/dns/serial.ts";
import { sourceOf, UdpSockets } from "../../../src/publisher/packets/udp-client.ts";
import { SecondaryWorker, type WorkerDeps } from "../../../src/publisher/secondary-worker.ts";
import { Raises } from "../../../src/publisher/serial-raises.ts";
import type { SightingBuffer } from "../../../src/publisher/sighting-buffer.ts";
import { UrgentZones } from "../../../src/publisher/urgent-zones.ts";
import type { Evidence, Observed } from "../../../src/secondary/proof.ts";
import { notYetObserved, type Observation } from "../../../src/secondary/record-sightings.ts";
import { Pieces } from "../../../src/turns/long-work.ts";
import { momentIn } from "../../setup/basics/clock.ts";
import { eventually } from "../../setup/basics/eventually.ts";
import { Responder } from "../../setup/dns/responder.ts";

const responder = new Responder();
const sockets = new UdpSockets(undefined);
const workers: SecondaryWorker[] = [];
beforeEach(() => responder.open());
afterEach(async () => {
  responder.mute = false;
  for (const worker of workers.splice(0)) worker.close();
  await responder.close();
});
afterAll(() => sockets.close());

/** Raises that nothing asks for. */
function raisesOf(mayRaise: boolean): Raises {
  const noSession = () => {
    throw new Error("nothing is raised here");
  };
  return Object.assign(new Raises(noSession, pino({ level: "silent" })), { mayRaise });
}

const workerDeps: WorkerDeps = {
  sockets,
  buffer: { add: () => {}, addContact: () => {}, unwritten: () => undefined } as unknown as WorkerDeps["buffer"],
  term: 1,
  evidence: async () => undefined,
  raises: raisesOf(true),
  committedContent: async () => undefined,
  zoneExists: async () => true,
  onDoubted: () => {},
  log: pino({ level: "silent" }),
  lateLimit: () => 1000,
};
const probesOf = (zone: string) => responder.queries.filter((query) => query.zone === zone).length;
const target = (zone: string, domainId = 1) => ({
  ...{ domainId, zone, serial: 1, isDeleted: false, isCatalog: false },
  since: 500,
});

/** A worker for a responder. */
function workerOf(deps: WorkerDeps, { port } = responder): SecondaryWorker {
  const place = { id: 1, name: "s", address: "127.0.0.1", port, notify: true, key: undefined, keyError: undefined };
  const secondary = { ...place, isIndirect: false, isIdentifiable: true };
  const worker = new SecondaryWorker(deps, secondary, []);
  workers.push(worker);
  return worker;
}

function caughtUp(worker: SecondaryWorker, now = 0): void {
  worker.walk.passed({ after: 0, limit: 1000, isRound: false }, { count: 0, due: 0, last: null }, now);
}

test("a worker that was closed delivers nothing more, whatever change is still read", async () => {
  const [closed, open] = [workerOf(workerDeps), workerOf(workerDeps)];
  closed.close();
  closed.deliver(target("closed.example.com"), "urgent");
  open.deliver(target("open.example.com"), "urgent");
  await eventually(() => expect(responder.notified("open.example.com")).not.toEqual([]));
  expect(responder.notified("closed.example.com")).toEqual([]);
});

test("two hundred changes of a zone in a row are far fewer NOTIFYs", async () => {
  const worker = workerOf(workerDeps);
  responder.notifies.length = 0;
  for (let serial = 1; serial <= 200; serial += 1) {
    worker.deliver({ ...target("busy.example.com"), serial }, "urgent");
    await new Promise((resolve) => setImmediate(resolve));
  }
  await eventually(() => expect(probesOf("busy.example.com")).toBeGreaterThan(5));
  expect(responder.notified("busy.example.com").length).toBeLessThan(20);
});

test("before a confirmation, a zone that the secondary has not loaded is announced to it unless it was there before", async () => {
  responder.missing = Rcode.SERVFAIL;
  const [added, known] = ["added.example.com", "known.example.com"];
  const committed = serial(1);
  const worker = workerOf({
    ...workerDeps,
    raises: raisesOf(false),
    evidence: async ({ domainId }) => {
      const transferred = domainId === 1 ? [] : [committed];
      return { committed, transferred, isSettled: true, before: undefined };
    },
  });
  worker.deliver(target(known, 2), "urgent");
  worker.deliver(target(added, 1), "urgent");
  await eventually(() => expect(responder.notified(added)).not.toEqual([]));
  await eventually(() => expect(probesOf(known)).toBeGreaterThan(2));
  expect(responder.notified(known)).toEqual([]);
});

test("of many zones, one that the secondary is not known to have had is not notified of before it is to serve it", async () => {
  responder.missing = Rcode.REFUSED;
  const worker = workerOf(workerDeps);
  const zone = "bulk.example.com";
  worker.deliver(target(zone), "bulk", true);
  await eventually(() => expect(probesOf(zone)).toBeGreaterThan(2));
  expect(responder.notified(zone)).toEqual([]);
  responder.missing = Rcode.SERVFAIL;
  await eventually(() => expect(responder.notified(zone)).not.toEqual([]));
});

test("a probe follows a transfer, also of a zone that nothing was due for", async () => {
  const worker = workerOf(workerDeps);
  const zone = "transferred.example.com";
  worker.transferred(target(zone));
  await eventually(() => expect(probesOf(zone)).toBeGreaterThan(0));
  expect(responder.notified(zone)).toEqual([]);
});

test("zones in bulk that the secondary does not come for leave the way free for one that is urgent", async () => {
  const worker = workerOf(workerDeps);
  for (let id = 1; id <= 400; id += 1) worker.deliver(target(`bulk${id}.example.com`, id), "bulk");
  await eventually(() => expect(responder.notified("bulk1.example.com")).not.toEqual([]));
  worker.deliver(target("urgent.example.com", 1000), "urgent");
  await eventually(() => expect(responder.notified("urgent.example.com")).not.toEqual([]));
  expect(responder.notified("bulk400.example.com")).toEqual([]);
});

test("NOTIFY, probes over UDP and TCP, and comparisons leave from the address that the name server listens on", async () => {
  const bound = new UdpSockets(sourceOf("127.0.0.2"));
  const asked = await new Responder().open();
  const content = { soa: new Uint8Array(), records: 1, digest: "", serial: serial(1), octets: 100 };
  const worker = workerOf({ ...workerDeps, sockets: bound, committedContent: async () => content }, asked);
  try {
    await worker.notify(target("notified.example.com"), 5000);
    await worker.probe(target("probed.example.com"), 5000);
    await worker.probe({ ...target("catalog.example.com"), isCatalog: true }, 5000);
    expect([...asked.sources].toSorted()).toEqual(["TCP 127.0.0.2", "UDP 127.0.0.2"]);
    asked.sources.clear();
    await worker.compareContent(target("compared.example.com"));
    expect([...asked.sources]).toEqual(["TCP 127.0.0.2"]);
  } finally {
    bound.close();
    await asked.close();
  }
});

test("what one source changes one after the other is bulk beyond a hundred zones; what another changes stays urgent", async () => {
  const worker = workerOf(workerDeps);
  const change = (source: string, id: number) => {
    const zones = [target(`${source}${id}.example.com`, id)];
    return worker.deliverFrom(source, zones, new Pieces());
  };
  for (let id = 1; id <= 400; id += 1) await change("series", id);
  await change("other", 1000);
  await eventually(() => expect(responder.notified("other1000.example.com")).not.toEqual([]));
  await eventually(() => expect(responder.notified("series100.example.com")).not.toEqual([]));
  expect(responder.notified("series400.example.com")).toEqual([]);
});

test("a zone that is under way counts once, however often it is changed, until it is delivered", () => {
  const urgent = new UrgentZones();
  const zones = Array.from({ length: 100 }, (_, at) => target(`many${at}.example.com`, at));
  const another = [target("another.example.com", 100)];
  const paces = [zones, zones, zones.slice(50), another].map((each) => urgent.begin("one", each));
  expect(paces).toEqual(["urgent", "urgent", "urgent", "bulk"]);
  expect([urgent.begin("two", another), urgent.begin("two", zones)]).toEqual(["urgent", "urgent"]);
  for (const { domainId } of [...zones, ...another].slice(99)) urgent.end(domainId);
  expect(urgent.begin("one", another)).toBe("urgent");
});

describe("a secondary that has nothing to do", () => {
  const zone = "idle.example.com";
  const halfAMinute = 30_000;
  /** Queries that a worker sends of itself when it is looked at so many ms from now. */
  const lookIn = (worker: SecondaryWorker, ms: number) => worker.watch(momentIn(ms));

  async function idleWorker() {
    const answers: (string | null | undefined)[] = [];
    const observed: Observation[] = [];
    const addContact: SightingBuffer["addContact"] = (_id, { queryAnswer }) => void answers.push(queryAnswer);
    const evidence: Evidence = { committed: serial(1), transferred: [serial(1)], isSettled: true, before: undefined };
    let known = evidence;
    const knows = (before: Observed) => {
      known = { ...evidence, before };
    };
    responder.serials.set(zone, 1);
    const worker = workerOf({
      ...workerDeps,
      buffer: {
        ...workerDeps.buffer,
        addContact,
        add: (each: Observation) => void observed.push(each),
      } as unknown as SightingBuffer,
      evidence: async () => known,
    });
    worker.deliver(target(zone), "urgent");
    await eventually(() => expect(worker.size).toBe(0));
    return { worker, answers, observed, knows };
  }

  test("is asked for a zone that it serves each half minute", async () => {
    const { worker } = await idleWorker();
    const asked = probesOf(zone);
    lookIn(worker, halfAMinute - 5000);
    expect(worker.size).toBe(0);
    for (let times = 1; times <= 2; times += 1) {
      lookIn(worker, halfAMinute);
      lookIn(worker, halfAMinute + 1000);
      await eventually(() => expect([probesOf(zone), worker.size]).toEqual([asked + times, 0]));
    }
  });

  test("is known to be silent when it has died in peace, and to answer when it is back; nothing is late there", async () => {
    const { worker, answers } = await idleWorker();
    responder.mute = true;
    lookIn(worker, halfAMinute);
    await eventually(() => expect(answers.at(-1)).toMatch(/^no answer within/));
    await eventually(() => expect(worker.state(momentIn(0))).toMatchObject({ isSilent: true, pending: 0, late: 0 }));
    responder.mute = false;
    await eventually(() => expect(worker.state(momentIn(0)).isSilent).toBe(false));
    await eventually(() => expect([answers.at(-1), worker.size]).toEqual(["1", 0]));
  });

  test("is known to be silent as soon when it waits for a zone that it refuses", async () => {
    const { worker } = await idleWorker();
    worker.deliver(target("refused.example.com", 2), "bulk", true);
    lookIn(worker, 0);
    expect(worker.size).toBe(1);
    responder.mute = true;
    await eventually(() => {
      lookIn(worker, 0);
      expect(worker.size).toBe(2);
    });
  });

  test("is not read whole where its content would have to be compared: the answer alone is noted", async () => {
    const { worker, answers, observed, knows } = await idleWorker();
    knows({ serial: serial(1), provenSerial: serial(1), isUnproven: false, term: 0 });
    responder.signed.add(zone);
    responder.serials.set(zone, 5);
    const before = observed.length;
    lookIn(worker, halfAMinute);
    await eventually(() => expect([answers.at(-1), worker.size]).toEqual(["5", 0]));
    expect(observed.slice(before)).toEqual([]);
    worker.deliver(target(zone), "verify");
    await eventually(() => expect(observed.at(-1)).toMatchObject({ serial: 5, isUnproven: true }));
    responder.signed.clear();
  });

  test("is not asked for a zone that was deleted", async () => {
    const { worker } = await idleWorker();
    worker.deliver({ ...target(zone), isDeleted: true }, "urgent");
    lookIn(worker, halfAMinute);
    expect(worker.size).toBe(0);
  });
});

test("a zone is late at a secondary that has joined, when both are longer ago than the limit", () => {
  const worker = workerOf(workerDeps);
  worker.deliver(target("old.example.com", 1), "urgent");
  worker.deliver({ ...target("new.example.com", 2), since: 1500 }, "urgent");
  const late = (joinedAt: number | undefined) => {
    worker.joinedAt = joinedAt;
    const { isJoining, pending, late } = worker.state(0);
    return { isJoining, pending, late };
  };
  expect(late(undefined)).toEqual({ isJoining: true, pending: 2, late: 0 });
  expect(late(1500)).toEqual({ isJoining: false, pending: 2, late: 0 });
  expect(late(500)).toEqual({ isJoining: false, pending: 1, late: 1 });
});

test("a further catalog that is refused counts as pending where another is served, and does not where none is", () => {
  const catalog = { ...target("2.catalog.zonesmith", 2), isCatalog: true };
  const pendingAt = (catalogs: readonly number[]) => {
    const { secondary } = workerOf(workerDeps);
    const worker = new SecondaryWorker(workerDeps, { ...secondary, keyError: "its key was revoked" }, catalogs);
    workers.push(worker);
    worker.deliver(catalog, "urgent");
    worker.onObserved({ ...notYetObserved(1, catalog), seenAt: new Date(0), isRefused: true }, catalog, false, true);
    return worker.state(0).pending;
  };
  expect([pendingAt([1]), pendingAt([])]).toEqual([1, 0]);
});

test("whether a secondary has joined is checked every five seconds while zones are under way, and at once when they are not", () => {
  const worker = workerOf(workerDeps);
  caughtUp(worker);
  expect([0, 1000].map((now) => worker.isJoiningDue(now))).toEqual([true, true]);
  worker.deliver(target("joining.example.com"), "urgent");
  expect([2000, 5500, 6001, 7000].map((now) => worker.isJoiningDue(now))).toEqual([false, false, true, false]);
  worker.walk.catchUp();
  expect(worker.isJoiningDue(20_000)).toBe(false);
  caughtUp(worker);
  for (let id = 2; id < 2000; id += 1) worker.deliver(target(`joining${id}.example.com`, id), "bulk", true);
  expect(worker.isJoiningDue(20_000)).toBe(true);
  worker.deliver(target("joining2000.example.com", 2000), "bulk", true);
  expect(worker.isJoiningDue(30_000)).toBe(false);
  worker.joinedAt = 1;
  expect(worker.isJoiningDue(40_000)).toBe(false);
});

test("a delivery is given up while zones wait for places, and the lag stays that of what was given up until all have one", () => {
  const worker = workerOf(workerDeps);
  const [now, later] = [momentIn(0), momentIn(1000)];
  for (let id = 1; id <= 20_000; id += 1) worker.deliver(target(`given${id}.example.com`, id), "bulk");
  expect([worker.giveUp(1), worker.size]).toEqual([false, 20_000]);
  expect(worker.nextPage(now)).toBe(undefined);
  const { lagMs } = worker.state(later);
  for (let id = 1; id <= 20_000; id += 1) expect(worker.giveUp(id)).toBe(true);
  expect(worker.state(later)).toMatchObject({ pending: 0, lagMs });
  for (const at of [later, later + 120_000]) {
    worker.nextPage(at);
    caughtUp(worker, at);
  }
  expect(worker.state(later).lagMs).toBe(0);
});
