/**
 * What the leader does for change sets: applies those that are due, changes the zones of those that are applied zone by zone, ends those
 * that nobody touches, and removes those that have been over for long.
 */
import type { Logger } from "pino";
import { namedOperation } from "../audit/audited.ts";
import { applyDueSets, expireSets } from "../changeset/apply/due.ts";
import { applyZones } from "../changeset/apply/zone-by-zone.ts";
import { pruneSets } from "../changeset/prune.ts";
import type { Config } from "../config.ts";
import type { Session } from "../session/session.ts";

/** The pauses of the jobs, milliseconds. */
const dueMs = 1000;
const zonesMs = 250;
const idleMs = 2000;
const expiryMs = 60_000;
const pruneMs = 600_000;

/** The jobs, as the leader runs them. */
export const changeSetJobs = ({ ENDED_CHANGE_SET_DAYS: days }: Config, log: Logger) => [
  { name: "due change sets", everyMs: dueMs, run: (session: Session) => applyDueSets(session, log) },
  {
    name: "zones of change sets",
    everyMs: zonesMs,
    idleMs,
    run: (session: Session, stopped: AbortSignal) =>
      applyZones({ ...session, operation: namedOperation("applyChangeSet") }, log, stopped),
  },
  { name: "untouched change sets", everyMs: expiryMs, run: expireSets },
  {
    name: "change sets that are over",
    everyMs: pruneMs,
    run: (session: Session, stopped: AbortSignal) => pruneSets(session, days, stopped),
  },
];
