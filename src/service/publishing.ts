/** The publisher of the running service, this process among the instances, and the leader's other jobs. */
import type { Logger } from "pino";
import { forgetSignedUpdates } from "../account/signed-update.ts";
import { namedOperation } from "../audit/audited.ts";
import { pruneAudit } from "../audit/prune.ts";
import { applyZones } from "../changeset/apply/apply-in-turns.ts";
import { applyDueSets, expireSets, ScheduleWatch } from "../changeset/apply/due-sets.ts";
import { pruneSets } from "../changeset/prune.ts";
import { askServersDaily } from "../finding/ask-servers.ts";
import { Presence } from "../instance/presence.ts";
import { forgetCounts } from "../instance/request-count.ts";
import type { LeaderJob } from "../publisher/leader-jobs.ts";
import { type Publisher, startPublisher } from "../publisher/publisher.ts";
import { forgetSightings } from "../secondary/record-sightings.ts";
import { lookAtPublications } from "../webhook/awaited-publication.ts";
import { deliver } from "../webhook/deliver.ts";
import { fanOut } from "../webhook/fan-out.ts";
import { pruneDeliveries } from "../webhook/prune.ts";
import { forgetRefusals } from "../zone/dynamic-update/refusal-audit.ts";
import { type HistoryKept, pruneHistory } from "../zone/history/prune-history.ts";
import type { Common } from "./common.ts";
import { urlOf } from "./database/start-database.ts";
import type { ServiceDatabase } from "./service-database.ts";
import type { Sessions } from "./sessions.ts";

/** Starts publishing. Commits of this process are published at once; commits of other processes are found by polling. */
export function startPublishing(
  common: Common,
  { orm, mayGoOn }: ServiceDatabase,
  sessions: Sessions,
  onCommit: () => void,
): Publisher {
  const { log, resources, shutdown } = common;
  const session = () => sessions.asSystem();
  const presence = new Presence({ session, log, mayGoOn });
  resources.defer(() => presence.stop());
  const publisher = startPublisher({
    databaseUrl: urlOf(orm),
    supervisor: shutdown.supervisor,
    session,
    log,
    jobs: jobsOf(common),
    onLeading: (term) => presence.lead(term),
  });
  resources.defer(() => publisher.stop());
  orm.em.getEventManager().registerSubscriber({
    afterTransactionCommit: async () => {
      onCommit();
      publisher.nudge();
    },
  });
  return publisher;
}

const jobsOf = ({ config, log, metrics }: Common): LeaderJob[] => [
  ...changeSetJobs(config.ENDED_CHANGE_SET_DAYS, log),
  {
    name: "old changes and deleted zones",
    everyMs: 6 * 3_600_000,
    run: (session, stopped) => pruneHistory(session, historyKept(config), [forgetSightings, forgetRefusals], stopped),
  },
  {
    name: "old entries of the audit",
    everyMs: 600_000,
    run: (session, stopped) => pruneAudit(session, config.AUDIT_DAYS, stopped),
  },
  {
    name: "counts and signatures that are over",
    everyMs: 60_000,
    run: async (session) => {
      await forgetCounts(session);
      await forgetSignedUpdates(session);
    },
  },
  { name: "parents and name servers of zones", everyMs: 600_000, run: askServersDaily },
  ...webhookJobs(log, (outcome) => metrics.count("zonesmith_webhook_attempts_total", { outcome })),
];

/** A deleted zone is kept at least as long as its name is reserved. */
const historyKept = ({ JOURNAL_DAYS, DELETED_ZONE_DAYS, DELETED_ZONE_GRACE_DAYS }: Common["config"]): HistoryKept => ({
  journalDays: JOURNAL_DAYS,
  newestChanges: 100,
  deletedZoneDays: DELETED_ZONE_DAYS && Math.max(DELETED_ZONE_DAYS, DELETED_ZONE_GRACE_DAYS),
});

const changeSetJobs = (endedDays: number, log: Logger): LeaderJob[] => [
  { name: "due change sets", everyMs: 1000, run: (session) => applyDueSets(session, log) },
  scheduleJob(new ScheduleWatch()),
  {
    name: "zones of change sets",
    everyMs: 250,
    idleMs: 2000,
    run: (session, stopped) => applyZones({ ...session, operation: namedOperation("applyChangeSet") }, log, stopped),
  },
  { name: "untouched change sets", everyMs: 60_000, run: expireSets },
  {
    name: "change sets that are over",
    everyMs: 600_000,
    run: (session, stopped) => pruneSets(session, endedDays, stopped),
  },
];

const scheduleJob = (watch: ScheduleWatch): LeaderJob => ({
  name: "conflicts of scheduled change sets",
  everyMs: 10_000,
  run: (session) => watch.run(session),
});

const webhookJobs = (log: Logger, onOutcome: (outcome: string) => void): LeaderJob[] => [
  { name: "events for webhooks", everyMs: 200, idleMs: 2000, run: fanOut },
  {
    name: "deliveries to webhooks",
    everyMs: 200,
    idleMs: 2000,
    // No fence: the process that claimed a queue also stores the result of the attempt, even if another process leads by then.
    run: (leader, stopped) =>
      deliver({ session: () => ({ ...leader, em: leader.em.fork(), fence: undefined }), log, onOutcome }, stopped),
  },
  { name: "publications for webhooks", everyMs: 500, idleMs: 2000, run: lookAtPublications },
  { name: "messages to throw away", everyMs: 60_000, run: pruneDeliveries },
];
