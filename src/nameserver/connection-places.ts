/**
 * The places of TCP connections. As long as one is free, whoever comes gets it; then a newcomer takes the place of the
 * greediest. Two kinds of clients are shared out apart: trusted ones, which are at the address of a secondary or have
 * sent a message whose signature was accepted, and all others. One that is not trusted never takes the place of one
 * that is; trusted ones may take the places of others, up to three quarters of all.
 */
import type { Origin } from "./client-origin.ts";
import { type Activity, ConnectionShares } from "./connection-shares.ts";

export class ConnectionPlaces<Connection> {
  readonly #places: number;
  readonly #mostTrusted: number;
  /** By network. Of a host, those whose answers nobody reads go first, then the one that was idle or asked longest. */
  readonly #others = new ConnectionShares<Connection>({ leastSpared: "unread", ofOthers: "oldest" });
  /** By who holds the key, or by network without one. Of a host, the idle go first, then the one that began last: it loses least. */
  readonly #trusted = new ConnectionShares<Connection>({ leastSpared: "idle", ofOthers: "newest" });
  readonly #origins = new Map<Connection, Origin>();

  constructor(places: number) {
    this.#places = places;
    this.#mostTrusted = places - Math.floor(places / 4);
  }

  /** How many places are taken. */
  get size(): number {
    return this.#origins.size;
  }

  /** Whether few places are free: a client that is idle should then go sooner (RFC 7766 §6.2.3). */
  get areScarce(): boolean {
    return this.size * 4 > this.#places * 3;
  }

  isTrusted(connection: Connection): boolean {
    return this.#trusted.groupOf(connection) !== undefined;
  }

  /** Whether it has a place; one that gave way has none. */
  has(connection: Connection): boolean {
    return this.#origins.has(connection);
  }

  /** Gives a newcomer a place. Returns the connection that has given way and is to be closed, which may be the newcomer. */
  enter(connection: Connection, origin: Origin, isSecondary: boolean): Connection | undefined {
    this.#origins.set(connection, origin);
    if (isSecondary) return this.#trust(connection, origin.network, "idle");
    this.#others.add(connection, origin.network, origin.host, "idle");
    return this.size > this.#places ? this.#giveWay(this.#others.greediest(connection)) : undefined;
  }

  /** Notes that a signature of this holder of keys was accepted. Returns the connection that has given way and is to be closed. */
  sign(connection: Connection, holder: string): Connection | undefined {
    if (!this.has(connection) || this.#trusted.groupOf(connection) === holder) return undefined;
    return this.#trust(connection, holder, "answering");
  }

  #trust(connection: Connection, group: string, activity: Activity): Connection | undefined {
    this.#others.remove(connection);
    this.#trusted.remove(connection);
    this.#trusted.add(connection, group, this.#origins.get(connection)?.host ?? "", activity);
    if (this.#trusted.size > this.#mostTrusted) return this.#giveWay(this.#trusted.greediest(connection));
    return this.size > this.#places ? this.#giveWay(this.#others.greediest()) : undefined;
  }

  #giveWay(connection: Connection | undefined): Connection | undefined {
    if (connection !== undefined) this.leave(connection);
    return connection;
  }

  mark(connection: Connection, activity: Activity): void {
    (this.isTrusted(connection) ? this.#trusted : this.#others).mark(connection, activity);
  }

  leave(connection: Connection): void {
    this.#origins.delete(connection);
    this.#others.remove(connection);
    this.#trusted.remove(connection);
  }
}
