import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { lengthPrefix } from "../../../src/dns/message/framing.ts";
import type { RequestContext } from "../../../src/nameserver/request-context.ts";
import { type ConnectionHost, TcpConnection } from "../../../src/nameserver/tcp-connection.ts";
import { leastOctets, type TransferMessagesDeps, transferMessages } from "../../../src/nameserver/transfer-messages.ts";

const messageOctets = 16_384;

/** A client whose system takes a message only when it is told to. */
class Reader extends Duplex {
  readonly remoteAddress = "192.0.2.1";
  /** Takes what was written last. */
  takeLast = () => {};

  constructor() {
    super({ highWaterMark: messageOctets });
  }

  override _read(): void {}

  override _writev(_chunks: unknown, done: () => void): void {
    this.takeLast = done;
  }
}

function* endless() {
  for (;;) yield { octets: new Uint8Array(messageOctets), records: 1, isLast: false };
}

/** A transfer without an end. */
function transfer(least?: { readonly leastOctets: number }): AsyncIterable<Uint8Array> {
  const deps = { slowReaderMs: 30_000 } as TransferMessagesDeps;
  const zone = { id: 1, zone: "example.com", serial: 1, hidden: false };
  const request = { client: {} } as RequestContext;
  return transferMessages(deps, request, { zone, kind: "IXFR", messages: endless(), ...least });
}

const host: Omit<ConnectionHost, "respond"> = {
  isStopping: false,
  idleMs: () => 600_000,
  slowReaderMs: () => 30_000,
  mark: () => {},
  sign: () => {},
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Transfers, by where they come from and who reads them. */
const transfers = {
  "from memory": () => transfer(),
  "from a snapshot to a secondary": () => transfer({ leastOctets: leastOctets(true) }),
  "from a snapshot": () => transfer({ leastOctets: leastOctets(false) }),
} as const;
const msFor = (octets: number) => (30_000 * messageOctets) / octets;

test.each<[keyof typeof transfers, string, number, boolean]>([
  ["from memory", "nothing for 30 s", 30_001, true],
  ["from memory", "a message in 29 s", 29_000, false],
  ["from a snapshot to a secondary", "nothing for 30 s", 30_001, true],
  ["from a snapshot to a secondary", "a message in a second", 1000, true],
  ["from a snapshot to a secondary", "512 KiB in 30 s", msFor(2 ** 19), false],
  ["from a snapshot", "512 KiB in 30 s", msFor(2 ** 19), true],
  ["from a snapshot", "4 MiB in 30 s", msFor(2 ** 22), false],
])("of a transfer %s a client reads %s: %d ms a message", async (source, _what, pauseMs, isCut) => {
  const reader = new Reader();
  let failure: Error | undefined;
  const respond = async () => transfers[source]();
  const connection = new TcpConnection(reader as unknown as Socket, { ...host, respond });
  const served = connection.serve().catch((error: Error) => {
    failure = error;
  });
  for (const octets of [lengthPrefix(new Uint8Array(12)), new Uint8Array(12)]) reader.push(octets);
  for (let at = 0; at < 500 && !failure; at += 1) {
    await jest.advanceTimersByTimeAsync(pauseMs);
    reader.takeLast();
  }
  expect(failure?.message).toBe(isCut ? "the client reads too slowly" : undefined);
  reader.destroy();
  await served;
});
