/** The jobs of the leader: one that waits for commits pauses for long once it finds nothing to do, until something is committed. */
import { afterEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { type LeaderJob, LeaderJobs } from "../../../src/publisher/leader-jobs.ts";
import type { Session } from "../../../src/session/session.ts";
import { eventually } from "../../setup/basics/eventually.ts";

const hourMs = 3_600_000;
let jobs: LeaderJobs | undefined;
afterEach(() => jobs?.stop());

/** Runs a job, with nothing to do but in these runs, counted from 1; returns how often it ran so far. */
function begin(timing: Omit<LeaderJob, "name" | "run">, busy: readonly number[] = []): () => number {
  let runs = 0;
  const run = async () => busy.includes(++runs);
  jobs = new LeaderJobs([{ name: "a job", ...timing, run }], () => ({}) as Session, pino({ level: "silent" }));
  jobs.start();
  return () => runs;
}

const expectRuns = (runs: () => number, count: number) => eventually(async () => expect(runs()).toBe(count));

test("a job that finds nothing to do ten times in a row waits for the next commit", async () => {
  const runs = begin({ everyMs: 0, idleMs: hourMs }, [10]);
  await expectRuns(runs, 20);
  jobs?.nudge();
  await expectRuns(runs, 30);
  // Each is seen, however soon it comes after the one before.
  jobs?.nudge();
  jobs?.nudge();
  await expectRuns(runs, 40);
});

test("a job without such a pause goes on", async () => {
  const runs = begin({ everyMs: 0 });
  await eventually(async () => expect(runs()).toBeGreaterThan(30));
});

test("a job that is idle is stopped at once", async () => {
  const runs = begin({ everyMs: 0, idleMs: hourMs });
  await expectRuns(runs, 10);
  await jobs?.stop();
  expect(runs()).toBe(10);
});
