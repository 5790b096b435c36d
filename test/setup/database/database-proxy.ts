/** A TCP proxy on loopback before the test's PostgreSQL, by which a test breaks connections at the statement that it chooses. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** What to do with a connection at a statement: to break it before or after PostgreSQL has it, or to answer in its place. */
export type Interruption = "break before" | "break after" | "cancel";

/** PostgreSQL's answer to a cancelled statement outside of a transaction: ErrorResponse and ReadyForQuery. */
function cancelled(): Buffer {
  const fields = Buffer.from("SERROR\0VERROR\0C57014\0Mcanceling statement due to user request\0\0");
  const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
  return Buffer.concat([head, fields, Buffer.from([0x5a, 0, 0, 0, 5, 0x49])]);
}

export class DatabaseProxy {
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** Connections of the time of silence, which lead nowhere. */
  readonly #unheard: Socket[] = [];
  readonly #target: { readonly path: string } | { readonly host: string; readonly port: number };
  readonly #url: string;
  #interruption: readonly [statement: string, Interruption] | undefined;
  #isSilent = false;

  /** A proxy of the PostgreSQL at a URL, which may name a socket's folder. */
  constructor(url: string) {
    this.#url = url;
    const [, host = "", port = "5432"] = /@([^/:]+)(?::(\d+))?\//.exec(url) ?? [];
    const name = decodeURIComponent(host);
    this.#target = name.startsWith("/") ? { path: `${name}/.s.PGSQL.${port}` } : { host: name, port: Number(port) };
    this.#server = createServer((client) => this.#pair(client));
  }

  /** Listens; returns the URL that leads through it. */
  async open(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this.#url.replace(/@[^/]+\//, `@127.0.0.1:${(this.#server.address() as AddressInfo).port}/`);
  }

  async close(): Promise<void> {
    this.#server.close();
    this.breakAll();
    await once(this.#server, "close");
  }

  /** Interrupts the next connection that sends this statement by the simple protocol, once. */
  interrupt(statement: string, by: Interruption): void {
    this.#interruption = [statement, by];
  }

  /** Breaks every connection, without a goodbye to either side. */
  breakAll(): void {
    for (const [client, server] of this.#pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
    for (const client of this.#unheard.splice(0)) client.destroy();
  }

  /** Passes nothing more on, of new connections too: to the service PostgreSQL hangs. */
  silence(): void {
    this.#isSilent = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  #pair(client: Socket): void {
    if (this.#isSilent) {
      client.on("error", () => {}).pause();
      this.#unheard.push(client);
      return;
    }
    const server = connect(this.#target);
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    server.on("data", (data) => client.write(data));
    client.on("data", (data) => this.#pass(data, client, server));
  }

  #pass(data: Buffer, client: Socket, server: Socket): void {
    const [statement, by] = this.#interruption ?? [];
    if (statement === undefined || !data.includes(`${statement}\0`)) return void server.write(data);
    this.#interruption = undefined;
    if (by === "cancel") return void client.write(cancelled());
    if (by === "break before") return void client.resetAndDestroy();
    server.once("data", () => client.resetAndDestroy());
    server.write(data);
  }
}
