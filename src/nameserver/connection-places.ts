/**
 * The places of TCP connections. When all are taken, a new connection takes a place from the client that has the most. Trusted clients are
 * those at the address of a secondary and those that have sent an accepted signature. They have a share of their own, from which untrusted
 * clients never take a place; trusted clients may take places from untrusted ones, up to three quarters of all places.
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

  /** Whether more than three quarters of the places are taken; idle clients then have to leave sooner (RFC 7766 §6.2.3). */
  get areScarce(): boolean {
    return this.size * 4 > this.#places * 3;
  }

  isTrusted(connection: Connection): boolean {
    return this.#trusted.groupOf(connection) !== undefined;
  }

  /** Whether the connection has a place. It has none once it has given way. */
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
