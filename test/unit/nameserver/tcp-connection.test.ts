import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { lengthPrefix } from "../../../src/dns/message/framing.ts";
import { type ConnectionHost, TcpConnection } from "../../../src/nameserver/tcp-connection.ts";

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

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield new Uint8Array(messageOctets);
}

const host: ConnectionHost = {
  isStopping: false,
  idleMs: () => 600_000,
  slowReaderMs: () => 30_000,
  mark: () => {},
  sign: () => {},
  respond: async () => endless(),
};

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test.each<[string, number, boolean]>([
  ["nothing for 30 s", 30_001, true],
  ["a message in 29 s", 29_000, true],
  ["a message in a second", 1000, true],
  ["4 MiB in 30 s", (30_000 * messageOctets) / 2 ** 22, false],
])("a client that reads %s of a transfer: %d ms a message", async (_what, pauseMs, isCut) => {
  const reader = new Reader();
  let failure: Error | undefined;
  const connection = new TcpConnection(reader as unknown as Socket, host);
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
