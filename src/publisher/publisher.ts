/**
 * The publisher: every committed change is told to every secondary (NOTIFY, RFC 1996), and what they serve is sighted until it is what
 * was committed. It is level-triggered: the database says what is, the sightings say what was last seen, and the difference is pursued.
 *
 *     office.ts          one instance publishes; whoever takes office begins a new term
 *     term.ts            passes over the journal, sweeps over everything, the catalog in line with the domains
 *     correspondence.ts  one secondary: its pursuits, its lanes, whether it is silent
 *     pursuit.ts         one zone at one secondary: NOTIFY until acknowledged, look until level
 *     notify.ts sight.ts ask.ts udp.ts   the packets
 *     ledger.ts          what was seen, written under the term
 */

import { takeOffice } from "../secondary/sighting.ts";
import type { Session } from "../session/session.ts";
import { Office } from "./leader-election.ts";
import type { Log } from "./log.ts";
import { Term } from "./reconciler.ts";

/** A publisher that runs, in office or standing for it. */
export interface Publisher {
  /** Something was committed: look now instead of soon. */
  nudge(): void;
  stop(): Promise<void>;
}

/** Starts publishing what is in the database at `databaseUrl`; `session` opens sessions of the system on it. */
export function startPublisher(options: {
  readonly databaseUrl: string;
  readonly session: () => Session;
  readonly log: Log;
}): Publisher {
  const { databaseUrl, session, log } = options;
  let term: Term | undefined;
  const holder = {
    enter: async () => {
      const number = await takeOffice(session());
      log.info({ term: number }, "publishing");
      term = new Term(number, session, log, () => office.resign());
      term.start();
    },
    leave: async () => {
      const ended = term;
      term = undefined;
      await ended?.end();
    },
  };
  const office = new Office(databaseUrl, holder, log);
  office.start();
  return { nudge: () => term?.nudge(), stop: () => office.stop() };
}
