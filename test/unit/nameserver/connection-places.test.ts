import { describe, expect, test } from "@jest/globals";
import { originOf } from "../../../src/nameserver/client-origin.ts";
import { ConnectionPlaces } from "../../../src/nameserver/connection-places.ts";

describe("a client's origin", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
    ["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1:0::/56"],
    ["2001:db8:1:2ff:aaaa::", "2001:db8:1:2ff::/64", "2001:db8:1:200::/56"],
    ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0:0::/56"],
    ["::1", "0:0:0:0::/64", "0:0:0:0::/56"],
    ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0:0::/56"],
  ])("of %s is host %s of network %s", (address, host, network) => {
    expect(originOf(address)).toEqual({ host, network });
  });
});

/** Places whose connections are named by their client's address and a number, such as 192.0.2.1#3. */
class Scene {
  readonly places: ConnectionPlaces<string>;
  readonly gone: string[] = [];

  constructor(places: number) {
    this.places = new ConnectionPlaces(places);
  }

  enter(address: string, count = 1, isSecondary = false): this {
    for (let at = 0; at < count; at += 1) {
      const connection = `${address}#${this.#next++}`;
      this.#gone(this.places.enter(connection, originOf(address), isSecondary));
    }
    return this;
  }

  sign(connection: string, key: string): this {
    this.#gone(this.places.sign(connection, key));
    return this;
  }

  /** Connections of `count` different networks. */
  enterNetworks(count: number, first = 0): this {
    for (let at = first; at < first + count; at += 1) this.enter(`10.${at >> 8}.${at & 255}.1`);
    return this;
  }

  #next = 0;

  #gone(connection: string | undefined): void {
    if (connection !== undefined) this.gone.push(connection);
  }

  /** Of which hosts the connections were that have given way. */
  get goneHosts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const connection of this.gone) {
      const host = connection.replace(/#.*/, "");
      counts[host] = (counts[host] ?? 0) + 1;
    }
    return counts;
  }
}

describe("a place", () => {
  test("is anybody's as long as one is free", () => {
    const scene = new Scene(8).enter("192.0.2.1", 8);
    expect([scene.places.size, scene.gone]).toEqual([8, []]);
  });

  test("is taken by a newcomer from the network that holds most, and there from the host that holds most", () => {
    const scene = new Scene(10).enter("192.0.2.1", 2).enter("192.0.2.2", 4).enter("198.51.100.1", 4);
    expect(scene.enter("203.0.113.1").goneHosts).toEqual({ "192.0.2.2": 1 });
    expect(scene.enter("203.0.113.2").goneHosts).toEqual({ "192.0.2.2": 2 });
  });

  test("is taken from the newcomer's own network when that holds most, also when another holds as much", () => {
    const scene = new Scene(8).enter("192.0.2.1", 4).enter("198.51.100.1", 4);
    expect(scene.enter("192.0.2.2", 20).goneHosts).toEqual({ "192.0.2.1": 2, "192.0.2.2": 18 });
    expect(scene.places.size).toBe(8);
  });

  test("is kept by whoever holds one, however many others of one network come", () => {
    const scene = new Scene(16)
      .enter("203.0.113.1")
      .enter("192.0.2.200")
      .enter("192.0.2.1", 1000)
      .enter("192.0.2.2", 9);
    expect(Object.keys(scene.goneHosts).sort()).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("is taken from the one that came first when every network holds one", () => {
    expect(new Scene(4).enterNetworks(6).gone).toEqual(["10.0.0.1#0", "10.0.1.1#1"]);
  });

  test("of one host is taken from those whose answers are not read, then from the one that was silent or asks longest", () => {
    const scene = new Scene(4).enter("192.0.2.1", 4);
    const [a, b, c] = ["192.0.2.1#0", "192.0.2.1#1", "192.0.2.1#2"] as const;
    scene.places.mark(c, "answering");
    scene.places.mark(c, "unread");
    scene.places.mark(a, "answering");
    scene.places.mark(a, "idle");
    expect(scene.enter("192.0.2.1", 2).gone).toEqual([c, b]);
  });

  test("is free again when its connection has gone", () => {
    const scene = new Scene(2).enter("192.0.2.1", 2);
    scene.places.leave("192.0.2.1#0");
    expect([scene.enter("192.0.2.1").gone, scene.places.size]).toEqual([[], 2]);
  });
});

describe("a trusted connection", () => {
  test("keeps its place whatever the others do, and takes that of one of them", () => {
    const scene = new Scene(8).enter("192.0.2.1", 8).sign("192.0.2.1#0", "a").sign("192.0.2.1#1", "b");
    scene.enter("203.0.113.1", 2, true);
    expect(scene.goneHosts).toEqual({ "192.0.2.1": 2 });
    scene.enterNetworks(300);
    const trusted = ["192.0.2.1#0", "192.0.2.1#1", "203.0.113.1#8", "203.0.113.1#9"];
    expect(trusted.filter((connection) => scene.places.isTrusted(connection))).toEqual(trusted);
    expect(scene.places.size).toBe(8);
  });

  test("leaves a quarter of the places to the others", () => {
    const scene = new Scene(8).enter("192.0.2.1", 8).enter("203.0.113.1", 100, true);
    expect(scene.goneHosts).toEqual({ "192.0.2.1": 6, "203.0.113.1": 94 });
  });

  test("gives way to one of a key with fewer of them, the idle one first, then the one that began last", () => {
    const scene = new Scene(8);
    for (let at = 0; at < 6; at += 1) {
      scene.enter("192.0.2.1").sign(`192.0.2.1#${at}`, "greedy");
      scene.places.mark(`192.0.2.1#${at}`, "unread");
    }
    scene.places.mark("192.0.2.1#2", "idle");
    scene.enter("203.0.113.1", 2).sign("203.0.113.1#6", "modest").sign("203.0.113.1#7", "modest");
    expect(scene.gone).toEqual(["192.0.2.1#2", "192.0.2.1#5"]);
    scene.sign("203.0.113.1#7", "modest");
    expect(scene.gone).toHaveLength(2);
  });

  test("is counted once when it signs with another key", () => {
    const scene = new Scene(4).enter("192.0.2.1").sign("192.0.2.1#0", "a").sign("192.0.2.1#0", "b");
    expect(scene.places.size).toBe(1);
    scene.places.leave("192.0.2.1#0");
    expect([scene.places.size, scene.places.isTrusted("192.0.2.1#0")]).toEqual([0, false]);
  });
});

test("one place is enough for one connection after the other; a trusted one keeps it", () => {
  const scene = new Scene(1).enter("192.0.2.1").enter("198.51.100.1");
  expect(scene.gone).toEqual(["192.0.2.1#0"]);
  expect(scene.sign("198.51.100.1#1", "a").enter("192.0.2.1").gone).toEqual(["192.0.2.1#0", "192.0.2.1#2"]);
});

test("places are scarce when more than three quarters are taken", () => {
  const scene = new Scene(8).enterNetworks(6);
  expect([scene.places.areScarce, scene.enterNetworks(1, 6).places.areScarce]).toEqual([false, true]);
});
