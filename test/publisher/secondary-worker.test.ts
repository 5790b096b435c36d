import { afterEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { SecondaryWorker, type WorkerDeps } from "../../src/publisher/secondary-worker.ts";
import { TaskQueue } from "../../src/publisher/task-queue.ts";
import { UdpSockets } from "../../src/publisher/udp-client.ts";
import { eventually } from "../setup/eventually.ts";
import { Responder } from "../setup/responder.ts";

const responder = new Responder();
const sockets = new UdpSockets(undefined);
afterEach(async () => {
  sockets.close();
  await responder.close();
});

test("a worker that was closed delivers nothing more, whatever change is still read", async () => {
  const { port } = await responder.open();
  const deps: WorkerDeps = {
    sockets,
    buffer: { add: () => {}, addContact: () => {}, unwritten: () => undefined } as unknown as WorkerDeps["buffer"],
    term: 1,
    evidence: { read: async () => undefined },
    mayRaise: () => true,
    raises: new TaskQueue(() => 1),
    raise: async () => undefined,
    committedContent: async () => undefined,
    zoneExists: async () => true,
    onDoubted: () => {},
    onRaiseFailed: () => {},
    watch: { log: pino({ level: "silent" }), lateAfterMs: 60_000 },
  };
  const place = { id: 1, name: "s", address: "127.0.0.1", port, notify: true, key: undefined, keyError: undefined };
  const secondary = { ...place, requiredForLive: true, isIndirect: false, isIdentifiable: true };
  const target = (zone: string) => ({ domainId: 1, zone, serial: 1, isDeleted: false, isCatalog: false });
  const [closed, open] = [new SecondaryWorker(deps, secondary, false), new SecondaryWorker(deps, secondary, false)];
  closed.close();
  closed.deliver(target("closed.example.com"));
  open.deliver(target("open.example.com"));
  await eventually(() => expect(responder.notified("open.example.com")).not.toEqual([]));
  expect(responder.notified("closed.example.com")).toEqual([]);
  open.close();
});
