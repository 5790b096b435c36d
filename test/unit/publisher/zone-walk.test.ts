import { expect, test } from "@jest/globals";
import { type Page, ZoneWalk } from "../../../src/publisher/zone-walk.ts";

const minute = 60_000;
const idle = { deliveries: 0, verifications: 0, isSilent: false };

/** A walk through zones with the ids 1 to `zones`, and its pages in the order of their times. */
class Walked {
  readonly walk = new ZoneWalk();
  readonly pages: (Page & { readonly at: number })[] = [];
  readonly zones: number;
  /** Which part of the zones is due. */
  readonly share: number;
  now = 0;

  constructor(zones: number, share = 1) {
    this.zones = zones;
    this.share = share;
  }

  /** Walks through all pages that are due during this time, ms. */
  run(ms: number, load = idle): this {
    for (const end = this.now + ms; this.now < end; this.now += 200)
      for (let page = this.walk.next(this.now, () => load); page; page = this.walk.next(this.now, () => load)) {
        this.pages.push({ ...page, at: this.now });
        const last = Math.min(page.after + page.limit, this.zones);
        const isFull = last - page.after === page.limit;
        const count = last - page.after;
        this.walk.passed(page, { count, due: count * this.share, last: isFull ? last : null }, this.now);
      }
    return this;
  }

  get rounds() {
    return this.pages.filter(({ isRound }) => isRound);
  }

  get catchingUp() {
    return this.pages.filter(({ isRound }) => !isRound);
  }
}

test("all zones are looked through at once to catch up, and again after a gap", () => {
  const walked = new Walked(5500).run(200);
  const afters = [0, 1000, 2000, 3000, 4000, 5000];
  expect(walked.catchingUp.map(({ after }) => after)).toEqual(afters);
  expect(walked.walk.isCatchingUp).toBe(false);
  walked.run(10 * minute);
  expect(walked.catchingUp).toHaveLength(6);
  walked.walk.catchUp();
  walked.run(200);
  expect(walked.catchingUp.slice(6).map(({ after }) => after)).toEqual(afters);
});

test.each([10, 5000, 1_000_000])(
  "each of %i zones is passed at least once an hour, a page each two seconds",
  (zones) => {
    const { rounds } = new Walked(zones).run(4 * 60 * minute);
    const times = new Map<number, number>();
    let longest = 0;
    for (const { after, at } of rounds) {
      longest = Math.max(longest, at - (times.get(after - (after % 1000)) ?? at));
      times.set(after - (after % 1000), at);
    }
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(60 * minute);
    const pages = rounds.filter(({ after }) => after < zones);
    for (const [at, page] of pages.entries())
      expect(page.at - (pages[at - 1]?.at ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(2000);
  },
);

test("few zones are passed once a minute, and many of them in small pages after the first round", () => {
  const few = new Walked(10).run(3 * minute);
  expect(few.rounds.map(({ at }) => at)).toEqual([0, minute, 2 * minute]);
  const many = new Walked(300_000).run(60 * minute);
  expect(many.rounds.at(0)?.limit).toBe(1000);
  expect(many.rounds.at(-1)?.limit).toBe(200);
});

test("the first round waits only for zones that are due", () => {
  const walked = new Walked(5000, 0).run(1000);
  expect(walked.rounds.map(({ after }) => after)).toEqual([0, 1000, 2000, 3000, 4000, 5000]);
});

test("without room for a page nothing is walked through, and zones are to give up their places", () => {
  const walked = new Walked(5000).run(minute, { ...idle, deliveries: 19_001 });
  expect([walked.pages, walked.walk.lacksRoom]).toEqual([[], true]);
  walked.walk.giveUp(7);
  walked.run(200);
  expect([walked.walk.isCatchingUp, walked.walk.lacksRoom, walked.walk.givenUpAt]).toEqual([false, false, undefined]);
});

test("zones that gave up their places are looked for again a minute after the last time", () => {
  const walked = new Walked(5000).run(200);
  walked.walk.giveUp(7);
  walked.run(minute);
  expect([walked.catchingUp.length, walked.walk.givenUpAt]).toEqual([6, 7]);
  walked.run(minute);
  expect([walked.catchingUp.length, walked.walk.givenUpAt]).toEqual([12, undefined]);
});

test("a round waits for verifications, and for a silent secondary, which catches up while it has few deliveries", () => {
  const verifying = new Walked(5000).run(minute, { ...idle, verifications: 2000 });
  expect([verifying.rounds, verifying.walk.isCatchingUp]).toEqual([[], false]);
  const silent = new Walked(5000).run(minute, { ...idle, isSilent: true });
  expect([silent.rounds, silent.walk.isCatchingUp]).toEqual([[], false]);
  const waiting = new Walked(5000).run(minute, { deliveries: 2000, verifications: 0, isSilent: true });
  expect(waiting.pages).toEqual([]);
});
