import { beforeEach, describe, expect, test } from "@jest/globals";
import { AnswerCache } from "../../../src/nameserver/answer-cache.ts";
import { type CommittedZone, Freshness } from "../../../src/nameserver/zone/freshness.ts";

/** A cache whose clock and journal the test moves. */
class Journal {
  now = 1000;
  reads = 0;
  failure: Error | undefined;
  /** What the next check finds. */
  next: CommittedZone[] | undefined = [];
  /** Held back until the test lets the check go on. */
  pending: Promise<void> = Promise.resolve();
  readonly freshness = new Freshness({
    now: () => this.now,
    maxOctets: 100_000,
    committed: async () => {
      this.reads += 1;
      const found = this.next;
      this.next = [];
      await this.pending;
      if (this.failure) throw this.failure;
      return found;
    },
  });
  readonly cache = new AnswerCache(this.freshness);

  /** Starts the cache. */
  async start(): Promise<this> {
    await this.freshness.start();
    this.reads = 0;
    return this;
  }

  keep(name: string, from?: { id: number; zone: string }, ticket = this.freshness.ticket()): void {
    this.cache.keep("udp", request(name, 1), answer(name), ticket, from);
  }

  async find(name: string): Promise<boolean> {
    return (await this.cache.find("udp", request(name, 2))) !== undefined;
  }

  /** Which of some names have a kept answer after the next check. */
  async kept(...names: string[]): Promise<boolean[]> {
    this.now += 300;
    const found: boolean[] = [];
    for (const name of names) found.push(await this.find(name));
    return found;
  }
}

let journal: Journal;
beforeEach(async () => {
  journal = await new Journal().start();
});

const zone = (id: number) => ({ id, zone: `zone${id}.example` });
const request = (name: string, id: number) => Buffer.from(`${String.fromCharCode(0, id)}${name}`, "latin1");
const answer = (name: string) => Buffer.from(`\x00\x01answer to ${name}\xff`, "latin1");
const edit = (domainId: number, changeId = domainId): CommittedZone => ({
  changeId,
  domainId,
  zone: zone(domainId).zone,
  isMembership: false,
});

describe("a kept answer", () => {
  test("is sent to a request with the same octets after its id, under its id", async () => {
    const { cache } = journal;
    journal.keep("www", zone(1));
    expect(cache.current("udp", request("www", 7))).toEqual(Buffer.from("\x00\x07answer to www\xff", "latin1"));
    expect(cache.current("udp", request("WWW", 7))).toBeUndefined();
    expect(cache.current("tcp", request("www", 7))).toBeUndefined();
  });

  test("is not kept before the journal is followed, nor of a long request", async () => {
    journal = new Journal();
    journal.keep("www", zone(1));
    expect(journal.cache.size).toBe(0);
    await journal.start();
    journal.keep("x".repeat(299), zone(1));
    expect(journal.cache.size).toBe(0);
  });

  test("is sent for 250 ms without a check, which begins after 50 ms, and then after one that began later", async () => {
    journal.keep("www", zone(1));
    const isSent = () => journal.cache.current("udp", request("www", 1)) !== undefined;
    journal.now += 49;
    expect([isSent(), journal.reads]).toEqual([true, 0]);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    journal.pending = promise;
    journal.now += 1;
    expect([isSent(), journal.reads]).toEqual([true, 1]);
    journal.now += 199;
    expect([isSent(), journal.reads]).toEqual([true, 1]);
    journal.now += 1;
    expect(isSent()).toBe(false);
    const found = journal.find("www");
    release();
    expect([await found, journal.reads]).toEqual([true, 1]);
    journal.now += 1000;
    expect([isSent(), await journal.find("www"), journal.reads]).toEqual([false, true, 2]);
    expect(journal.cache.current("udp", request("www", 1))).toBeDefined();
  });

  test("is read again after a while", async () => {
    journal.keep("www", zone(1));
    for (let at = 0; at < 30; at += 1) {
      journal.now += 3000;
      await journal.find("www");
    }
    expect(await journal.kept("www")).toEqual([false]);
  });

  test("goes first when there are too many", async () => {
    const kept = (at: number) => journal.cache.current("tcp", request(`${at}`, 1)) !== undefined;
    for (let at = 0; at < 10_001; at += 1)
      journal.cache.keep("tcp", request(`${at}`, 1), answer("x"), journal.freshness.ticket(), zone(1));
    expect([kept(0), kept(1), kept(10_000), journal.cache.size]).toEqual([false, true, true, 10_000]);
    const long = Buffer.alloc(65_000);
    for (let at = 0; at < 300; at += 1)
      journal.cache.keep("tcp", request(`long${at}`, 1), long, journal.freshness.ticket(), zone(1));
    expect(journal.cache.size).toBeLessThan(300);
  });
});

describe("a check drops", () => {
  test("the answers from a zone that was changed, and no others", async () => {
    journal.keep("a", zone(1));
    journal.keep("b", zone(2));
    journal.keep("none");
    journal.next = [edit(1)];
    expect(await journal.kept("a", "b", "none")).toEqual([false, true, true]);
  });

  test("everything when it fails, and follows the journal from then on", async () => {
    journal.keep("a", zone(1));
    journal.failure = new Error("the database is gone");
    expect(await journal.kept("a")).toEqual([false]);
    expect(journal.cache.size).toBe(0);
    journal.failure = undefined;
    await journal.start();
    journal.keep("a", zone(1));
    expect(await journal.kept("a")).toEqual([true]);
  });

  test("nothing while all requests are new, however many: the journal is followed", async () => {
    for (let at = 0; at < 20; at += 1) {
      journal.keep(`name${at}`, zone(1));
      journal.now += 3000;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([journal.reads, await journal.kept("name10")]).toEqual([19, [true]]);
  });

  test("everything when anything may have changed, at once and no later answers", async () => {
    journal.keep("a", zone(1));
    journal.next = undefined;
    expect(await journal.kept("a")).toEqual([false]);
    journal.keep("a", zone(1));
    expect(await journal.kept("a")).toEqual([true]);
  });

  test("nothing for the pause alone: what was committed meanwhile is known", async () => {
    journal.keep("a", zone(1));
    journal.now += 31_000;
    expect(await journal.find("a")).toBe(true);
  });
});

describe("after a commit of this process", () => {
  test("an answer waits for a check that began after it", async () => {
    journal.keep("a", zone(1));
    const { promise, resolve: release } = Promise.withResolvers<void>();
    journal.pending = promise;
    journal.now += 300;
    const early = journal.find("a");
    journal.freshness.noteCommit();
    journal.next = [edit(1)];
    const late = journal.find("a");
    expect(journal.cache.current("udp", request("a", 1))).toBeUndefined();
    release();
    expect([await early, await late, journal.reads]).toEqual([true, false, 2]);
  });

  test("many requests share one check", async () => {
    journal.keep("a", zone(1));
    journal.freshness.noteCommit();
    const found = await Promise.all(Array.from({ length: 100 }, () => journal.find("a")));
    expect([found.every(Boolean), journal.reads]).toEqual([true, 1]);
  });
});

test("zones are forgotten with their answers when too many are asked for; names of no zone are one of them", async () => {
  const isSent = (name: string) => journal.cache.current("udp", request(name, 1)) !== undefined;
  journal.keep("other");
  for (let id = 1; id <= 400; id += 1) journal.keep(`name ${id}`, zone(id));
  const { octets } = journal.freshness;
  expect([isSent("other"), isSent("name 1"), isSent("name 400")]).toEqual([true, true, true]);
  for (let at = 0; at < 5000; at += 1) journal.keep(`no zone ${at}`);
  expect(journal.freshness.octets).toBe(octets);
  for (let id = 401; id <= 5000; id += 1) journal.keep(`name ${id}`, zone(id));
  expect(journal.freshness.octets).toBeGreaterThan(90_000);
  expect(journal.freshness.octets).toBeLessThanOrEqual(100_000);
  expect([isSent("other"), isSent("name 1"), isSent("name 4000")]).toEqual([false, false, false]);
  expect(isSent("name 5000")).toBe(true);
  journal.next = [edit(5000)];
  expect(await journal.kept("name 4999", "name 5000")).toEqual([true, false]);
});

describe("an answer that was read before", () => {
  test.each<[string, CommittedZone, boolean]>([
    ["a change of its zone", edit(1), false],
    ["a change of another zone", edit(2), true],
    ["the creation of any zone", { ...edit(2), isMembership: true }, false],
  ])("%s was found is kept only if that is of another zone", async (_what, change, isKept) => {
    const ticket = journal.freshness.ticket();
    journal.keep("b", zone(3));
    journal.next = [change];
    await journal.kept("b");
    journal.keep("a", zone(1), ticket);
    expect(await journal.kept("a")).toEqual([isKept]);
  });
});
