/**
 * Greedy clients of DNS over TCP: each keeps a connection, asks for the same large answer again and again, never reads one, and
 * connects again when it is cut off.
 */
import { connect, type Socket } from "node:net";

/** Questions that a client sends on each connection at once. */
const firstQuestions = 80;

export interface Greed {
  readonly port: number;
  /** The source address of each client, on loopback; one connection for each. */
  readonly addresses: readonly string[];
  readonly question: Uint8Array;
  /** How long a client waits before its next question, and before it connects again, ms. */
  readonly nextQuestionMs?: number;
  readonly reconnectMs?: number;
  /** Whether a client says at once that it will send no more. */
  readonly endsItsSide?: boolean;
  /** Whether one that is cut off stays away. */
  readonly givesUp?: boolean;
}

export class GreedyClients {
  readonly #greed: Greed;
  readonly #question: Buffer;
  readonly #questions: Buffer;
  readonly #sockets = new Set<Socket>();
  #stopped = false;
  /** Connections that were opened so far, and that were cut off by the server, as far as their clients have noticed. */
  opened = 0;
  cut = 0;

  constructor(greed: Greed) {
    this.#greed = greed;
    const { question } = greed;
    this.#question = Buffer.concat([Uint8Array.of(question.length >> 8, question.length & 255), question]);
    this.#questions = Buffer.concat(Array<Buffer>(firstQuestions).fill(this.#question));
    for (const address of greed.addresses) this.#open(address);
  }

  #open(localAddress: string): void {
    if (this.#stopped) return;
    const { port, nextQuestionMs = 20, reconnectMs = 0, endsItsSide = false, givesUp = false } = this.#greed;
    const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
    this.#sockets.add(socket);
    socket.pause();
    socket.on("error", () => {
      this.cut += 1;
    });
    socket.on("connect", () => {
      this.opened += 1;
      if (endsItsSide) socket.end(this.#questions);
      else socket.write(this.#questions);
    });
    // One that neither reads nor writes would not notice that it was cut off.
    const asking = setInterval(() => {
      if (socket.writable && socket.writableLength === 0) socket.write(this.#question);
    }, nextQuestionMs);
    socket.on("close", () => {
      clearInterval(asking);
      this.#sockets.delete(socket);
      if (!givesUp) setTimeout(() => this.#open(localAddress), reconnectMs);
    });
  }

  /** Reads, for those to notice that they were cut off who send nothing more. */
  read(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  stop(): void {
    this.#stopped = true;
    for (const socket of this.#sockets) socket.destroy();
  }
}
