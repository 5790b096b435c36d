/** Opens sessions, each with its own fork of the entity manager, and with the operator's policy from the configuration. */
import type { MikroORM } from "@mikro-orm/postgresql";
import type { Logger } from "pino";
import { RefusalBuffer } from "../audit/refusal-buffer.ts";
import type { Config } from "../config/config.ts";
import { nameServerAt } from "../config/setting.ts";
import { expectFreeCatalogName } from "../secondary/catalog-zone.ts";
import { type Times, timesOf } from "../secondary/publication.ts";
import { type Actor, system } from "../session/authorization.ts";
import type { Policy, PrimaryTls } from "../session/operator-policy.ts";
import type { Session, Source } from "../session/session.ts";
import { SharedReads } from "../sql/shared-reads.ts";
import type { SingleStatements } from "../sql/single-statement.ts";
import type { Reads } from "../sql/sql.ts";
import { meterUsers } from "../zone/quota/metering.ts";
import type { Common } from "./common.ts";
import type { Pipelines } from "./database/pipelines.ts";
import type { ServiceDatabase } from "./service-database.ts";

interface SessionsOptions {
  readonly onChange?: Session["onChange"];
  readonly log?: Logger;
  /** Pipelined connections for single statements and requests' reads. Reads of the service itself take long and do not use them. */
  readonly pipelines?: Pipelines;
}

export class Sessions {
  readonly #orm: MikroORM;
  readonly #onChange: Session["onChange"];
  /** Collects refusals for the audit. */
  readonly refusals: RefusalBuffer;
  #policy: Policy;
  readonly #singles: SingleStatements | undefined;
  readonly #reads: Reads | undefined;

  constructor(orm: MikroORM, config: Config, { onChange, log, pipelines }: SessionsOptions = {}) {
    this.#orm = orm;
    this.#onChange = onChange;
    this.refusals = new RefusalBuffer({ session: this.asSystem, log });
    this.#policy = policyOf(config);
    if (!pipelines) return;
    const { points, writes, reads, readLists: lists, parserOf } = pipelines;
    this.#singles = {
      read: (text, values) => points.query(text, values),
      write: (text, values) => writes.query(text, values),
    };
    this.#reads = new SharedReads({ reads, lists }, parserOf, orm.em);
  }

  /** Opens a session of an actor, for a request through `source` from an address. The source of a sign-in is the console. */
  readonly open = (actor: Actor, source: Source, address?: string): Session => ({
    em: this.#orm.em.fork(),
    actor,
    source: actor.signedInUntil ? "console" : source,
    address,
    refusals: this.refusals,
    policy: this.#policy,
    ttlChoices: source === "rest" ? this.#policy.ttlChoices : undefined,
    now: () => new Date(),
    onChange: this.#onChange,
    singles: this.#singles,
    reads: source === "system" ? undefined : this.#reads,
  });

  readonly times = (): Times => timesOf({ policy: this.#policy, now: () => new Date() });

  readonly asSystem = (source: Source = "system"): Session => this.open(system, source);

  /** Sets the ports at which secondaries reach the name server. They are known when it listens. */
  setPrimary(port: number, tls: PrimaryTls | undefined): void {
    this.#policy = { ...this.#policy, primary: { ...this.#policy.primary, port, tls } };
  }
}

function policyOf(config: Config): Policy {
  return {
    nameServers: config.NAME_SERVERS,
    hostmaster: config.HOSTMASTER,
    soaTimers: {
      refresh: config.SOA_REFRESH,
      retry: config.SOA_RETRY,
      expire: config.SOA_EXPIRE,
      minimum: config.SOA_MINIMUM,
    },
    ttlChoices: config.TTL_CHOICES,
    ttlMin: config.TTL_MIN,
    ttlMax: config.TTL_MAX,
    topLevelZones: config.TOP_LEVEL_ZONES === "yes",
    deletedZoneGraceDays: config.DELETED_ZONE_GRACE_DAYS,
    ownerLimits: { records: config.RRSET_RECORDS, types: config.OWNER_TYPES },
    changeSetLimits: {
      zones: config.CHANGE_SET_ZONES,
      records: config.CHANGE_SET_RECORDS,
      open: config.CHANGE_SETS_OPEN,
      days: config.CHANGE_SET_DAYS,
      graceSeconds: config.SCHEDULE_GRACE,
    },
    quota: {
      domains: config.QUOTA_DOMAINS ?? null,
      recordsPerDomain: config.QUOTA_DOMAIN_RECORDS ?? null,
      records: config.QUOTA_RECORDS ?? null,
      changesPerDay: config.QUOTA_CHANGES ?? null,
    },
    secretKey: config.SECRET_KEY,
    catalogZone: config.CATALOG_ZONE,
    catalogMembersMax: config.CATALOG_MEMBERS_MAX,
    primary: { address: config.DNS_LISTEN, port: config.DNS_PORT },
    publicationLateSeconds: config.PUBLICATION_LATE_SECONDS,
    restorePolicy: config.RESTORE_POLICY,
    requestLimits: { perMinute: config.RATE_LIMIT_KEY, inProgress: config.IN_FLIGHT_KEY },
    defaultTemplate: config.DEFAULT_TEMPLATE,
    resolver: nameServerAt(config.RESOLVER),
    importMegabytes: config.IMPORT_MEGABYTES,
    importRecords: config.IMPORT_RECORDS,
    privateWebhookAddresses: config.WEBHOOK_PRIVATE_ADDRESSES,
    weakTsigAlgorithms: config.TSIG_WEAK_ALGORITHMS === "yes",
  };
}

/** Opens the sessions of the running service. Throws when the name of CATALOG_ZONE is not free; updates which users' usage is counted. */
export async function openSessions(
  { config, log, metrics, resources }: Common,
  { orm, pipelines }: ServiceDatabase,
): Promise<Sessions> {
  const onChange: Session["onChange"] = ({ source, kind }) =>
    metrics.count("zonesmith_changes_total", { source, kind });
  const sessions = new Sessions(orm, config, { onChange, log, pipelines });
  resources.defer(() => sessions.refusals.flush());
  await expectFreeCatalogName(sessions.asSystem(), config.CATALOG_ZONE);
  await meterUsers(sessions.asSystem());
  return sessions;
}
