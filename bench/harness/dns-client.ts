/** The DNS client of the bench: queries over UDP, and transfers over TCP whose records are only counted. */
import { createSocket, type Socket } from "node:dgram";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Class } from "../../src/dns/message/header.ts";
import { MessageWriter } from "../../src/dns/message/message-writer.ts";
import { signMessage } from "../../src/dns/message/tsig.ts";
import { parseName, zoneNameWire } from "../../src/dns/name.ts";

const types = { A: 1, SOA: 6, AXFR: 252 };

function query(id: number, name: string, type: keyof typeof types): Uint8Array {
  const writer = new MessageWriter({ id, flags: 0 });
  writer.question({ name: parseName(`${name}.`), type: types[type], class: Class.IN });
  return writer.finish();
}

/** Sends queries to a port of 127.0.0.1 over UDP. */
export class Asker {
  readonly #socket: Socket = createSocket("udp4");
  readonly #waiting = new Map<number, (answer: Buffer) => void>();
  readonly #port: number;
  #id = 0;

  constructor(port: number) {
    this.#port = port;
    this.#socket.on("message", (answer) => this.#waiting.get(answer.readUInt16BE(0))?.(answer));
  }

  /** The number of records in the answer; 0 also when no answer comes in time. */
  ask(name: string, type: "A" | "SOA", within: number): Promise<number> {
    this.#id = (this.#id + 1) & 0xffff;
    const id = this.#id;
    return new Promise((resolve) => {
      const settle = (count: number) => {
        clearTimeout(patience);
        this.#waiting.delete(id);
        resolve(count);
      };
      const patience = setTimeout(() => settle(0), within);
      this.#waiting.set(id, (answer) => settle(answer.readUInt16BE(6)));
      this.#socket.send(query(id, name, type), this.#port, "127.0.0.1");
    });
  }

  /** Repeats a query until it is answered; returns the time this took, ms. */
  async until(name: string, withinMs = 30_000): Promise<number> {
    const begun = performance.now();
    for (; (await this.ask(name, "A", 20)) === 0; await sleep(1))
      if (performance.now() - begun > withinMs)
        throw new Error(`${name} was not answered within ${withinMs / 1000} seconds`);
    return performance.now() - begun;
  }

  close(): void {
    this.#socket.close();
  }
}

/** A key that signs transfers. */
export interface Key {
  readonly name: string;
  readonly secret: string;
}

/** Transfers a zone of `records` records (the SOA counts twice); returns the seconds from the request to the last message. */
export function transfer(port: number, zone: string, records: number, { name, secret }: Key): Promise<number> {
  const key = { algorithm: "hmac-sha256", secret: Buffer.from(secret, "base64") } as const;
  const signature = { keyName: zoneNameWire(name), time: Math.floor(Date.now() / 1000) };
  const { octets } = signMessage(query(1, zone, "AXFR"), key, signature);
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const socket = connect(port, "127.0.0.1");
    let kept = Buffer.alloc(0);
    let counted = 0;
    socket.on("error", reject);
    socket.on("close", () => reject(new Error(`${zone}: the transfer ended after ${counted} records`)));
    socket.on("connect", () => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(octets.length);
      socket.write(Buffer.concat([length, octets]));
    });
    socket.on("data", (data) => {
      kept = kept.length === 0 ? data : Buffer.concat([kept, data]);
      let at = 0;
      while (kept.length - at >= 2 && kept.length - at - 2 >= kept.readUInt16BE(at)) {
        counted += kept.readUInt16BE(at + 2 + 6);
        at += 2 + kept.readUInt16BE(at);
      }
      kept = kept.subarray(at);
      if (counted < records) return;
      resolve((performance.now() - begun) / 1000);
      socket.destroy();
    });
  });
}
