/**
 * What the leader does for change sets: applies those that are due, and ends those that nobody touches.
 */
import type { Logger } from "pino";
import { applyDueSets, expireSets } from "../changeset/due.ts";
import type { Sessions } from "./session-factory.ts";

const dueMs = 1000;
const expiryMs = 60_000;

/** The jobs, as the leader runs them. */
export const changeSetJobs = (sessions: Sessions, log: Logger) => [
  { name: "due change sets", everyMs: dueMs, run: () => applyDueSets(sessions.asSystem(), log) },
  { name: "untouched change sets", everyMs: expiryMs, run: () => expireSets(sessions.asSystem()) },
];
