/**
 * The publisher: notifies every secondary of every committed change (NOTIFY, RFC 1996) and probes what they serve until
 * it is what was committed. It is level-triggered: the database says what each secondary should serve, the sightings
 * say what it was last observed to serve, and the difference is delivered. Nothing is queued outside memory, so nothing
 * is lost with the process.
 *
 *     leader-election.ts     one instance per database publishes; each new leader begins a new term
 *     reconciler.ts          the leader's loop: polls the changes, and compares every zone with every secondary
 *     catalog-reconciler.ts  keeps the catalog zone equal to the set of domains
 *     secondary-worker.ts    one secondary: its deliveries, its queues, whether it is silent; secondary-watch.ts logs that
 *     delivery.ts            one zone at one secondary: NOTIFY until acknowledged, probes until current; probe-meaning.ts says what a probe means
 *     packets/content-comparison.ts  whether the copy of a secondary is ours, by a transfer from there (packets/zone-transfer.ts)
 *     serial-raises.ts              raises serials past what is not proven to be ours
 *     transfer-poller.ts     what was transferred to the secondaries, which a probe follows
 *     urgent-zones.ts        which changes go before others
 *     packet-queues.ts       what waits to be sent to one secondary: waiting-probes.ts for their time, task-queue.ts for their turn
 *     packets/                   the packets
 *     sighting-buffer.ts     the observations, written in batches under the term
 *     leader-jobs.ts         what else the leader does, which it is handed
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

/** A publisher that runs, whether it leads or waits to be elected. */
export interface Publisher {
  /** Looks for changes now, because something was committed, instead of at the next poll. */
  nudge(): void;
  /** How far each secondary is; undefined while another process publishes. */
  states(): readonly SecondaryState[] | undefined;
  stop(): Promise<void>;
}

/**
 * Starts publishing what is in the database at `databaseUrl`; `session` opens sessions of the system on it. `jobs` are what else the leader
 * does; `onLeading` is called with the term when this process is elected, and with null when that is over.
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
      // What an earlier term began to write may end when this process leads again.
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
