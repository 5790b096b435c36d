/**
 * What the leader does for change sets: applies those that are due, changes the zones of those that are applied zone by zone, and ends those
 * that nobody touches.
 */
import type { Logger } from "pino";
import { namedOperation } from "../audit/audited.ts";
import { applyDueSets, expireSets } from "../changeset/due.ts";
import { applyZones } from "../changeset/each-zone.ts";
import type { Sessions } from "./session-factory.ts";

/** The pauses of the jobs, milliseconds. */
const dueMs = 1000;
const zonesMs = 250;
const idleMs = 2000;
const expiryMs = 60_000;

/** The jobs, as the leader runs them. */
export const changeSetJobs = (sessions: Sessions, log: Logger) => [
  { name: "due change sets", everyMs: dueMs, run: () => applyDueSets(sessions.asSystem(), log) },
  {
    name: "zones of change sets",
    everyMs: zonesMs,
    idleMs,
    run: (stopped: AbortSignal) =>
      applyZones({ ...sessions.asSystem(), operation: namedOperation("applyChangeSet") }, log, stopped),
  },
  { name: "untouched change sets", everyMs: expiryMs, run: () => expireSets(sessions.asSystem()) },
];
