/**
 * The publisher: notifies every secondary of every committed change (NOTIFY, RFC 1996) and probes it until it serves the change. It is
 * level-triggered: the database has the target of each secondary and the last observation there, and the difference is delivered, so that
 * no work is lost with the process. reconciler.ts is the loop of the leader (leader-election.ts), secondary-worker.ts one secondary,
 * delivery.ts one zone there, probe-meaning.ts what a probe means.
 */

import type { Logger } from "pino";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { beginTerm, forgetDeleted, sessionOfTerm } from "../secondary/record-sightings.ts";
import type { Session } from "../session/session.ts";
import { LeaderElection } from "./leader-election.ts";
import { type LeaderJob, LeaderJobs } from "./leader-jobs.ts";
import { Reconciler } from "./reconciler.ts";

const forgetting: LeaderJob = { name: "deleted zones at secondaries", everyMs: 60_000, run: forgetDeleted };

export type Publisher = ReturnType<typeof startPublisher>;

/** `session` opens sessions of the system. `onLeading` is called with the term at the election, and with null at the end. */
export function startPublisher(options: {
  readonly databaseUrl: string;
  readonly supervisor: ConnectionSupervisor;
  readonly session: () => Session;
  readonly log: Logger;
  readonly jobs?: readonly LeaderJob[];
  readonly onLeading?: (term: number | null) => void;
}) {
  const { databaseUrl, supervisor, session, log, jobs = [], onLeading = () => {} } = options;
  let reconciler: Reconciler | undefined;
  let leaderJobs: LeaderJobs | undefined;
  const callbacks = {
    onElected: async () => {
      const term = await beginTerm(session());
      log.info({ term: term.number }, "publishing");
      onLeading(term.number);
      // A write of an earlier term may end when this process leads again.
      const onSuperseded = () => reconciler === own && election.resign();
      const ofTerm = () => sessionOfTerm(session(), term, onSuperseded);
      const own = new Reconciler({ term, session: ofTerm, log, onSuperseded });
      reconciler = own;
      own.start();
      leaderJobs = new LeaderJobs([...jobs, forgetting], ofTerm, log);
      leaderJobs.start();
    },
    onResigned: async () => {
      onLeading(null);
      const ending = [reconciler, leaderJobs];
      [reconciler, leaderJobs] = [undefined, undefined];
      await Promise.all(ending.map((each) => each?.stop()));
    },
  };
  const election = new LeaderElection({ url: databaseUrl, supervisor }, callbacks, log);
  election.start();
  const nudge = () => {
    reconciler?.nudge();
    leaderJobs?.nudge();
  };
  return { nudge, states: () => reconciler?.states(), stop: () => election.stop() };
}
