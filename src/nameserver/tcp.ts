/** DNS over TCP (RFC 7766, RFC 9210), and over TLS on its own port, whose places clients share fairly. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { originOf } from "./client-origin.ts";
import { ConnectionPlaces } from "./connection-places.ts";
import type { Activity } from "./connection-shares.ts";
import { type Reply, respond, type ServerDeps } from "./dispatch.ts";
import { type EndTurn, FairTurns } from "./fair-turns.ts";
import { RateLimitedLog } from "./rate-limited-log.ts";
import { ClientGone, type ConnectionHost, TcpConnection } from "./tcp-connection.ts";
import { createTlsServer, type TlsOptions } from "./tls.ts";

interface TcpLimits {
  readonly connections: number;
  readonly idleMs: number;
  readonly slowReaderMs: number;
}

const stopGraceMs = 2000;

/** How long an untrusted client may be idle or leave answers unread then, ms. */
const scarceIdleMs = 1000;

/** With this many unread octets no message is read from the client; over TLS node has 64 KiB. */
const maxUnread = 16_384;

/** Messages of untrusted clients in work: the database has other work too. */
const maxTurns = 3;
const maxTurnsOfNetwork = 2;

/** net.core.somaxconn may make the queue shorter. */
const backlog = 4096;

const socketOptions = { allowHalfOpen: true, noDelay: true, highWaterMark: maxUnread };

export class TcpServer implements ConnectionHost {
  readonly #deps: ServerDeps;
  readonly #limits: TcpLimits;
  readonly #servers: Server[] = [];
  readonly #places: ConnectionPlaces<TcpConnection>;
  readonly #turns = new FairTurns(maxTurns, maxTurnsOfNetwork);
  readonly #runningTurns = new Map<TcpConnection, EndTurn>();
  /** Also those without a place that are not closed yet. */
  readonly #open = new Set<TcpConnection>();
  readonly #gaveWay: RateLimitedLog;
  isStopping = false;

  constructor(deps: ServerDeps, limits: TcpLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#places = new ConnectionPlaces(limits.connections);
    this.#gaveWay = new RateLimitedLog(deps.log, "more TCP connections gave way to newer ones", { maxLines: 1 });
  }

  listen(address: string, port: number): Promise<number> {
    return this.#listen(
      createServer(socketOptions, (socket) => void this.#accept(socket)),
      address,
      port,
    );
  }

  listenTls(address: string, port: number, options: TlsOptions): Promise<number> {
    const accept = (socket: Socket, secured: Promise<TLSSocket>) => void this.#accept(socket, secured);
    return this.#listen(createTlsServer(options, socketOptions, this.#deps.refusals, accept), address, port);
  }

  async #listen(server: Server, address: string, port: number): Promise<number> {
    const bound = once(server, "listening");
    server.listen({ host: address, port, backlog });
    await bound;
    this.#servers.push(server);
    server.on("error", (error) => this.#deps.refusals.warn({ err: error }, "a TCP connection failed"));
    return (server.address() as { port: number }).port;
  }

  async #accept(socket: Socket, secured?: Promise<TLSSocket>): Promise<void> {
    socket.on("error", () => socket.destroy());
    const connection = new TcpConnection(socket, this, secured);
    socket.on("close", () => {
      this.#places.leave(connection);
      this.#open.delete(connection);
    });
    this.#open.add(connection);
    const { address } = connection.client;
    this.#giveWay(this.#places.enter(connection, originOf(address), this.#deps.hooks.isSecondary?.(address) ?? false));
    try {
      await connection.serve();
    } catch (error) {
      if (!(error instanceof ClientGone))
        this.#deps.refusals.warn({ address, err: error }, "a TCP connection was cut off");
      connection.cut();
    }
  }

  mark(connection: TcpConnection, activity: Activity): void {
    this.#places.mark(connection, activity);
  }

  async respond(connection: TcpConnection, message: Uint8Array): Promise<Reply> {
    const reply = await this.#respond(connection, message);
    if (reply) this.#deps.counts.add(connection.client.tls ? "tls" : "tcp", reply);
    return reply;
  }

  async #respond(connection: TcpConnection, message: Uint8Array): Promise<Reply> {
    const { client } = connection;
    if (this.#places.isTrusted(connection)) return respond(this.#deps, message, client);
    const endTurn = await this.#turns.acquire(originOf(client.address).network);
    this.#runningTurns.set(connection, endTurn);
    try {
      if (!this.#places.has(connection)) throw new ClientGone();
      return await respond(this.#deps, message, client);
    } finally {
      endTurn();
      this.#runningTurns.delete(connection);
    }
  }

  /**
   * Ends the turn of a connection whose request has an accepted signature: the requests of a key holder, such as updates, may take long and
   * have limits of their own.
   */
  sign(connection: TcpConnection, holder: string): void {
    this.#runningTurns.get(connection)?.();
    this.#giveWay(this.#places.sign(connection, holder));
  }

  #giveWay(connection: TcpConnection | undefined): void {
    if (!connection) return;
    const { address } = connection.client;
    this.#gaveWay.warn({ address, connections: this.#limits.connections }, "a TCP connection gave way to a newer one");
    connection.cut();
  }

  idleMs(connection: TcpConnection): number {
    const { idleMs } = this.#limits;
    return this.#places.areScarce && !this.#places.isTrusted(connection) ? Math.min(idleMs, scarceIdleMs) : idleMs;
  }

  /** Only a transfer may take long: other answers are short. */
  slowReaderMs(connection: TcpConnection): number {
    const { slowReaderMs } = this.#limits;
    return this.#places.isTrusted(connection) ? slowReaderMs : Math.min(slowReaderMs, this.idleMs(connection));
  }

  /** Pending answers may finish for two seconds. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const closed = Promise.all(this.#servers.map((server) => once(server, "close")));
    for (const server of this.#servers) server.close();
    for (const connection of this.#open) if (connection.isIdle) connection.cut();
    const cut = setTimeout(() => {
      for (const connection of this.#open) connection.cut();
    }, stopGraceMs);
    await closed;
    clearTimeout(cut);
    this.#gaveWay.flush();
  }
}
