/**
 * The publisher: notifies every secondary of every committed change (NOTIFY, RFC 1996) and probes it until it serves the change. It is
 * level-triggered: the database contains the target of each secondary and the last observation there, and the difference is delivered.
 * All queues follow from the database, so that no work is lost with the process.
 *
 * - leader-election.ts: one instance per database publishes; each new leader begins a new term
 * - reconciler.ts: the leader's loop; polls the changes, and compares every zone with every secondary
 * - catalog-reconciler.ts: keeps the catalog zone equal to the set of domains
 * - secondary-worker.ts: one secondary with its deliveries and queues; secondary-watch.ts logs silence and lateness
 * - delivery.ts: one zone at one secondary, NOTIFY and probes; probe-meaning.ts: the meaning of a probe
 * - serial-raises.ts: raises serials past copies that are not proven to be ours
 * - transfer-poller.ts: the transfers to the secondaries, each followed by a probe
 * - urgent-zones.ts: which changes go before others
 * - packet-queues.ts: the packets to one secondary, with waiting-probes.ts and task-queue.ts
 * - packets/: the packets, and the comparison of copies with ours
 * - sighting-buffer.ts: the observations, written in batches under the term
 * - leader-jobs.ts: other jobs of the leader
 */

import type { Logger } from "pino";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { beginTerm, forgetDeleted, sessionOfTerm } from "../secondary/record-sightings.ts";
import type { SecondaryState } from "../secondary/secondary.ts";
import type { Session } from "../session/session.ts";
import { LeaderElection } from "./leader-election.ts";
import { type LeaderJob, LeaderJobs } from "./leader-jobs.ts";
import { Reconciler } from "./reconciler.ts";

const forgetting: LeaderJob = { name: "deleted zones at secondaries", everyMs: 60_000, run: forgetDeleted };

/** A running publisher, which leads or waits to be elected. */
export interface Publisher {
  /** Looks for changes now, after a commit, instead of at the next poll. */
  nudge(): void;
  /** The state of each secondary; undefined while another process publishes. */
  states(): readonly SecondaryState[] | undefined;
  stop(): Promise<void>;
}

/**
 * Starts a publisher of the database at `databaseUrl`. `session` opens sessions of the system on it; `jobs` are other jobs of the leader.
 * `onLeading` is called with the term when this process is elected, and with null when its leadership is over.
 */
export function startPublisher(options: {
  readonly databaseUrl: string;
  readonly supervisor: ConnectionSupervisor;
  readonly session: () => Session;
  readonly log: Logger;
  readonly jobs?: readonly LeaderJob[];
  readonly onLeading?: (term: number | null) => void;
}): Publisher {
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
