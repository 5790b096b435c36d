/**
 * The places of TCP connections. When all are taken, a new connection takes the place of the client with the most. Trusted clients, which
 * are at the address of a secondary or have sent an accepted signature, have a share of their own: untrusted ones never take their places;
 * they may take those of others, up to three quarters of all.
 */
import type { Origin } from "./client-origin.ts";
import { type Activity, ConnectionShares } from "./connection-shares.ts";

export class ConnectionPlaces<Connection> {
  readonly #places: number;
  readonly #mostTrusted: number;
  /** By network. Connections with unread answers give way first, then the one that was idle or answering longest. */
  readonly #others = new ConnectionShares<Connection>({ leastSpared: "unread", ofOthers: "oldest" });
  /** By holder of the key, or by network. Idle connections give way first, then the newest, which loses least. */
  readonly #trusted = new ConnectionShares<Connection>({ leastSpared: "idle", ofOthers: "newest" });
  readonly #origins = new Map<Connection, Origin>();

  constructor(places: number) {
    this.#places = places;
    this.#mostTrusted = places - Math.floor(places / 4);
  }

  get size(): number {
    return this.#origins.size;
  }

  /** An idle client then has to leave sooner (RFC 7766 §6.2.3). */
  get areScarce(): boolean {
    return this.size * 4 > this.#places * 3;
  }

  isTrusted(connection: Connection): boolean {
    return this.#trusted.groupOf(connection) !== undefined;
  }

  /** A connection that gives way has none. */
  has(connection: Connection): boolean {
    return this.#origins.has(connection);
  }

  /** Returns the connection that gives way and has to be closed, which may be the new one. */
  enter(connection: Connection, origin: Origin, isSecondary: boolean): Connection | undefined {
    this.#origins.set(connection, origin);
    if (isSecondary) return this.#trust(connection, origin.network, "idle");
    this.#others.add(connection, origin.network, origin.host, "idle");
    return this.size > this.#places ? this.#giveWay(this.#others.greediest(connection)) : undefined;
  }

  /** After an accepted signature of this holder of keys; returns the connection that has to be closed. */
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
