/**
 * Which connection gives way when there are too many: it belongs to the group with the most connections, and there to the host with the
 * most (max-min fairness), so that clients with few lose none to clients with many. Each step takes constant time.
 */

class Tally {
  readonly #counts = new Map<string, number>();
  /** By count, in the order in which the keys reached it; the last set is never empty. */
  readonly #keys: Set<string>[] = [];

  count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, by: 1 | -1): void {
    const before = this.count(key);
    const after = before + by;
    this.#keys[before]?.delete(key);
    if (after === 0) this.#counts.delete(key);
    else {
      this.#counts.set(key, after);
      this.#keysOf(after).add(key);
    }
    while (this.#keys.at(-1)?.size === 0) this.#keys.pop();
  }

  #keysOf(count: number): Set<string> {
    while (this.#keys.length <= count) this.#keys.push(new Set());
    return this.#keys[count] as Set<string>;
  }

  /**
   * The key with the largest count. If several have it, `newcomer` is chosen when it is among them, since it has no claim to more. If the
   * largest count is 1, the first key is chosen.
   */
  largest(newcomer: string): string {
    const count = this.#keys.length - 1;
    if (count > 1 && this.count(newcomer) === count) return newcomer;
    const [first = newcomer] = this.#keys[count] ?? [];
    return first;
  }
}

/** What a connection does: it waits for a message, its answer is being made, or its client has not read the answers yet. */
export type Activity = "idle" | "answering" | "unread";

interface Member {
  readonly group: string;
  readonly host: string;
  activity: Activity;
}

/** Those that give way first, and the others; each in the order of their last message. */
type OfHost<Connection> = readonly [leastSpared: Set<Connection>, others: Set<Connection>];

interface Group<Connection> {
  readonly hosts: Tally;
  readonly connections: Map<string, OfHost<Connection>>;
}

/**
 * Which connections of a host give way: first those with the activity `leastSpared`, the oldest first, then the oldest or the newest of the
 * others.
 */
interface Preference {
  readonly leastSpared: Activity;
  readonly ofOthers: "oldest" | "newest";
}

export class ConnectionShares<Connection> {
  readonly #preference: Preference;
  readonly #members = new Map<Connection, Member>();
  readonly #tally = new Tally();
  readonly #groups = new Map<string, Group<Connection>>();

  constructor(preference: Preference) {
    this.#preference = preference;
  }

  get size(): number {
    return this.#members.size;
  }

  /** Undefined when the connection has no share here. */
  groupOf(connection: Connection): string | undefined {
    return this.#members.get(connection)?.group;
  }

  add(connection: Connection, group: string, host: string, activity: Activity): void {
    const member = { group, host, activity };
    this.#members.set(connection, member);
    this.#tally.add(group, 1);
    const { hosts, connections } = this.#group(group);
    hosts.add(host, 1);
    if (hosts.count(host) === 1) connections.set(host, [new Set(), new Set()]);
    this.#setOf(member)?.add(connection);
  }

  #setOf({ group, host, activity }: Member): Set<Connection> | undefined {
    return this.#group(group).connections.get(host)?.[activity === this.#preference.leastSpared ? 0 : 1];
  }

  #group(name: string): Group<Connection> {
    const group = this.#groups.get(name) ?? { hosts: new Tally(), connections: new Map<string, OfHost<Connection>>() };
    this.#groups.set(name, group);
    return group;
  }

  remove(connection: Connection): void {
    const member = this.#members.get(connection);
    if (!member) return;
    const { group: name, host } = member;
    this.#setOf(member)?.delete(connection);
    this.#members.delete(connection);
    this.#tally.add(name, -1);
    const { hosts, connections } = this.#group(name);
    hosts.add(host, -1);
    if (hosts.count(host) === 0) connections.delete(host);
    if (this.#tally.count(name) === 0) this.#groups.delete(name);
  }

  /** A connection that begins to answer becomes the last in the order. */
  mark(connection: Connection, activity: Activity): void {
    const member = this.#members.get(connection);
    if (!member) return;
    const [before, isFromIdle] = [this.#setOf(member), member.activity === "idle"];
    member.activity = activity;
    const after = this.#setOf(member);
    if (after === before && !isFromIdle) return;
    before?.delete(connection);
    after?.add(connection);
  }

  /** The connection that gives way, which may be the newcomer itself. Without one, the place is for a connection without a share here. */
  greediest(newcomer?: Connection): Connection | undefined {
    const { group: ownGroup = "", host: ownHost = "" } = (newcomer && this.#members.get(newcomer)) ?? {};
    const group = this.#groups.get(this.#tally.largest(ownGroup));
    const [leastSpared, others] = group?.connections.get(group.hosts.largest(ownHost)) ?? [new Set(), new Set()];
    const [oldestSpared] = leastSpared;
    if (oldestSpared !== undefined) return oldestSpared;
    const [oldest] = others;
    return this.#preference.ofOthers === "newest" ? [...others].at(-1) : oldest;
  }
}
