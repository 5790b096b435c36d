/** Opens MikroORM on a PostgreSQL, the operator's or the embedded one. */

import { ReflectMetadataProvider } from "@mikro-orm/decorators/legacy";
import { Migrator } from "@mikro-orm/migrations";
import { defineConfig, type EntityClass, MikroORM, type Options } from "@mikro-orm/postgresql";
import pg, { type Pool } from "pg";
import { ApiKey } from "../../account/api-key.ts";
import { SignIn } from "../../account/sign-in.ts";
import { TsigKey } from "../../account/tsig-key.ts";
import { User, UserUsage } from "../../account/user.ts";
import { UserReviewer } from "../../account/user-reviewer.ts";
import { AuditEntry } from "../../audit/audit-entry.ts";
import { ChangeSet, ChangeSetEdit, ChangeSetZone } from "../../changeset/change-set.ts";
import { ChangeSetEvent } from "../../changeset/change-set-event.ts";
import {
  ConnectionSupervisor,
  connectionLimits,
  type PoolCounts,
  type SupervisedClient,
} from "../../database/connection-supervisor.ts";
import { serverUrls } from "../../database/database-url.ts";
import { isPlannedForValues, withListLimit } from "../../database/list-limit.ts";
import { noTableScans, pointReadSettings } from "../../database/point-reads.ts";
import { CompatibleMigration } from "../../instance/compatible-migration.ts";
import { Instance } from "../../instance/instance.ts";
import { Migration20261121000000 } from "../../migrations/20261121000000-first-tables.ts";
import { Migration20261121120000 } from "../../migrations/20261121120000-publication.ts";
import { Migration20261121180000 } from "../../migrations/20261121180000-names-below.ts";
import { Migration20261121190000 } from "../../migrations/20261121190000-catalog.ts";
import { Migration20261121200000 } from "../../migrations/20261121200000-update-refusals.ts";
import { Migration20261122000000 } from "../../migrations/20261122000000-zone-record.ts";
import { Migration20261122020000 } from "../../migrations/20261122020000-deleted-names-below.ts";
import { Migration20261122120000 } from "../../migrations/20261122120000-transferred-zone.ts";
import { Migration20261122130000 } from "../../migrations/20261122130000-proven-serial.ts";
import { Migration20261122150000 } from "../../migrations/20261122150000-typed-ids.ts";
import { Migration20261122160000 } from "../../migrations/20261122160000-key-zones.ts";
import { Migration20261122200000 } from "../../migrations/20261122200000-key-last-used.ts";
import { Migration20261122230000 } from "../../migrations/20261122230000-versions.ts";
import { Migration20261122233000 } from "../../migrations/20261122233000-change-note.ts";
import { Migration20261122234000 } from "../../migrations/20261122234000-sign-in.ts";
import { Migration20261123000000 } from "../../migrations/20261123000000-going-back.ts";
import { Migration20261123020000 } from "../../migrations/20261123020000-change-sets.ts";
import { Migration20261123030000 } from "../../migrations/20261123030000-rrset-note.ts";
import { Migration20261123040000 } from "../../migrations/20261123040000-labels.ts";
import { Migration20261123050000 } from "../../migrations/20261123050000-zone-template.ts";
import { Migration20261123060000 } from "../../migrations/20261123060000-review.ts";
import { Migration20261123070500 } from "../../migrations/20261123070500-mass-changes.ts";
import { Migration20261123071000 } from "../../migrations/20261123071000-demanded-review.ts";
import { Migration20261123081000 } from "../../migrations/20261123081000-schedule.ts";
import { Migration20261123093000 } from "../../migrations/20261123093000-each-zone.ts";
import { Migration20261123140000 } from "../../migrations/20261123140000-staged-templates.ts";
import { Migration20261123170000 } from "../../migrations/20261123170000-kept-refusals.ts";
import { Migration20261123190000 } from "../../migrations/20261123190000-instance.ts";
import { Migration20261123195000 } from "../../migrations/20261123195000-query-zone.ts";
import { Migration20261123200000 } from "../../migrations/20261123200000-webhooks.ts";
import { Migration20261123210000 } from "../../migrations/20261123210000-quotas.ts";
import { Migration20261123220000 } from "../../migrations/20261123220000-audit.ts";
import { Migration20261123230000 } from "../../migrations/20261123230000-last-transfers.ts";
import { Migration20261124030000 } from "../../migrations/20261124030000-ended-change-sets.ts";
import { Migration20261124040000 } from "../../migrations/20261124040000-demanded-review.ts";
import { Migration20261124041000 } from "../../migrations/20261124041000-applied-by.ts";
import { Migration20261124060000 } from "../../migrations/20261124060000-compatible-migration.ts";
import { Migration20261124080000 } from "../../migrations/20261124080000-joining-secondary.ts";
import { Migration20261125020000 } from "../../migrations/20261125020000-instance-address.ts";
import { Migration20261125030000 } from "../../migrations/20261125030000-transfer-order.ts";
import { Migration20261125170000 } from "../../migrations/20261125170000-soa-serial.ts";
import { Migration20261126050000 } from "../../migrations/20261126050000-change-set-columns.ts";
import { OutboxEvent } from "../../outbox/outbox.ts";
import { CatalogGuard } from "../../secondary/catalog-zone.ts";
import { PublisherTerm, Secondary, Sighting } from "../../secondary/secondary.ts";
import { TransferredZone } from "../../secondary/transferred-zone.ts";
import { IdOrigin } from "../../sql/typed-ids.ts";
import { ZoneTemplate } from "../../template/template.ts";
import { AwaitedPublication } from "../../webhook/awaited-publication.ts";
import { WebhookPosition } from "../../webhook/fan-out.ts";
import { Webhook } from "../../webhook/webhook.ts";
import { WebhookDelivery, WebhookQueue } from "../../webhook/webhook-delivery.ts";
import { Change, DeletedDomain } from "../../zone/change.ts";
import { ChangeRecord } from "../../zone/change-record.ts";
import { Domain } from "../../zone/domain.ts";
import { UpdateRefusal } from "../../zone/dynamic-update/refusal-audit.ts";
import { ZoneRecord } from "../../zone/record.ts";
import { RrsetNote } from "../../zone/rrset-note.ts";

/** The URL of a PostgreSQL, which may name several servers, and the number of connections to it. */
export interface DatabaseAddress {
  readonly url: string;
  readonly connections?: number;
  /** Supervises the connections; the service has one for all of them. */
  readonly supervisor?: ConnectionSupervisor;
  /** The time limit of the statements of lists, ms. */
  readonly listTimeoutMs?: number;
}

export const entities = [
  User,
  UserUsage,
  UserReviewer,
  Domain,
  ZoneRecord,
  Change,
  ChangeRecord,
  DeletedDomain,
  ChangeSet,
  ChangeSetZone,
  ChangeSetEdit,
  ChangeSetEvent,
  ApiKey,
  SignIn,
  TsigKey,
  Secondary,
  Sighting,
  TransferredZone,
  PublisherTerm,
  CatalogGuard,
  UpdateRefusal,
  RrsetNote,
  ZoneTemplate,
  Instance,
  CompatibleMigration,
  AuditEntry,
  OutboxEvent,
  Webhook,
  WebhookDelivery,
  WebhookQueue,
  WebhookPosition,
  AwaitedPublication,
  IdOrigin,
];

/** The entities with tables that migrations may fill. */
export const filledByMigrations: readonly EntityClass[] = [
  PublisherTerm,
  CatalogGuard,
  WebhookPosition,
  IdOrigin,
  CompatibleMigration,
];

/** Parsers of PostgreSQL's types by the number of the type. Every bigint in the tables is below 2^53; every session runs in UTC. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1184, (timestamp) => new Date(timestamp.replace("+00", "Z"))],
]);

/** A pool of node-postgres, with the members that its types leave out. */
export interface TypedPool extends Pool {
  readonly options: Pool["options"] & {
    readonly types: {
      getTypeParser(type: number): (text: string) => unknown;
      setTypeParser(type: number, parse: (text: string) => unknown): void;
    };
  };
}

/** The largest number of named statements over all connections; this program has fewer. */
const mostNames = 500;

/** Names statements with values, so that a connection plans each once, except searches. Statements of lists have a time limit, ms. */
function nameStatements(pool: Pool, listTimeoutMs: number): void {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    if (isPlannedForValues(text)) return undefined;
    const name = names.get(text) ?? (names.size < mostNames ? `s${names.size}` : undefined);
    if (name !== undefined) names.set(text, name);
    return name;
  };
  pool.on("connect", (client) => {
    const query = withListLimit(client as unknown as SupervisedClient, listTimeoutMs);
    const named = (text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === "string" && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined;
      return name === undefined ? query(text, values, ...rest) : query({ name, text, values }, ...rest);
    };
    Object.assign(client, { query: named });
  });
}

/**
 * How long a statement may wait for a lock, ms. Changes of a zone in one process wait for each other without a connection
 * (zone/edit/zone-queue.ts); this limit is for the locks of other instances.
 */
const lockTimeoutMs = 3000;

/** The ORM's configuration for a database; `mikro-orm.config.ts` uses it too. */
export function ormOptions({
  url,
  connections = 10,
  supervisor = new ConnectionSupervisor(),
  listTimeoutMs = 10_000,
}: DatabaseAddress): Options {
  return defineConfig({
    clientUrl: serverUrls(url)[0] as string,
    entities,
    metadataProvider: ReflectMetadataProvider,
    extensions: [Migrator],
    migrations: {
      migrationsList: [
        { name: "20261121000000-first-tables", class: Migration20261121000000 },
        { name: "20261121120000-publication", class: Migration20261121120000 },
        { name: "20261121180000-names-below", class: Migration20261121180000 },
        { name: "20261121190000-catalog", class: Migration20261121190000 },
        { name: "20261121200000-update-refusals", class: Migration20261121200000 },
        { name: "20261122000000-zone-record", class: Migration20261122000000 },
        { name: "20261122020000-deleted-names-below", class: Migration20261122020000 },
        { name: "20261122120000-transferred-zone", class: Migration20261122120000 },
        { name: "20261122130000-proven-serial", class: Migration20261122130000 },
        { name: "20261122150000-typed-ids", class: Migration20261122150000 },
        { name: "20261122160000-key-zones", class: Migration20261122160000 },
        { name: "20261122200000-key-last-used", class: Migration20261122200000 },
        { name: "20261122230000-versions", class: Migration20261122230000 },
        { name: "20261122233000-change-note", class: Migration20261122233000 },
        { name: "20261122234000-sign-in", class: Migration20261122234000 },
        { name: "20261123000000-going-back", class: Migration20261123000000 },
        { name: "20261123020000-change-sets", class: Migration20261123020000 },
        { name: "20261123030000-rrset-note", class: Migration20261123030000 },
        { name: "20261123040000-labels", class: Migration20261123040000 },
        { name: "20261123050000-zone-template", class: Migration20261123050000 },
        { name: "20261123060000-review", class: Migration20261123060000 },
        { name: "20261123071000-demanded-review", class: Migration20261123071000 },
        { name: "20261123081000-schedule", class: Migration20261123081000 },
        { name: "20261123093000-each-zone", class: Migration20261123093000 },
        { name: "20261123140000-staged-templates", class: Migration20261123140000 },
        { name: "20261123070500-mass-changes", class: Migration20261123070500 },
        { name: "20261123170000-kept-refusals", class: Migration20261123170000 },
        { name: "20261123190000-instance", class: Migration20261123190000 },
        { name: "20261123195000-query-zone", class: Migration20261123195000 },
        { name: "20261123200000-webhooks", class: Migration20261123200000 },
        { name: "20261123210000-quotas", class: Migration20261123210000 },
        { name: "20261123220000-audit", class: Migration20261123220000 },
        { name: "20261123230000-last-transfers", class: Migration20261123230000 },
        { name: "20261124030000-ended-change-sets", class: Migration20261124030000 },
        { name: "20261124040000-demanded-review", class: Migration20261124040000 },
        { name: "20261124041000-applied-by", class: Migration20261124041000 },
        { name: "20261124060000-compatible-migration", class: Migration20261124060000 },
        { name: "20261124080000-joining-secondary", class: Migration20261124080000 },
        { name: "20261125020000-instance-address", class: Migration20261125020000 },
        { name: "20261125030000-transfer-order", class: Migration20261125030000 },
        { name: "20261125170000-soa-serial", class: Migration20261125170000 },
        { name: "20261126050000-change-set-columns", class: Migration20261126050000 },
      ],
      path: "src/migrations",
      snapshot: false,
      silent: true,
    },
    schemaGenerator: { ignoreRoutines: true },
    pool: { min: 0, max: connections },
    forceUtcTimezone: true,
    driverOptions: {
      ...connectionLimits,
      Client: supervisor.Client,
      connectionString: url,
      application_name: "zonesmith",
      connectionTimeoutMillis: 10_000,
      lock_timeout: lockTimeoutMs,
      // A search uses one processor only, and leaves the others to other requests.
      options: `-c TimeZone=UTC -c max_parallel_workers_per_gather=0 ${noTableScans}`,
      onPoolCreated: (pool: TypedPool) => {
        for (const [type, parse] of parsers) pool.options.types.setTypeParser(type, parse);
        nameStatements(pool, listTimeoutMs);
        supervisor.pools.set("requests", pool as unknown as PoolCounts);
      },
    },
  });
}

/** Opens the database; throws a sentence that says what to do when it cannot be reached. */
export async function openDatabase(address: DatabaseAddress): Promise<MikroORM> {
  const orm = await MikroORM.init(ormOptions(address));
  try {
    await orm.em.getConnection().execute("select 1");
    return orm;
  } catch (error) {
    await orm.close(true);
    throw new Error(
      `The database cannot be reached (${(error as Error).message}); check DATABASE_URL, or unset it for the embedded one.`,
    );
  }
}

/** Opens read-only connections for the name server, apart from the ORM's, so that no front starves another. */
export function openReaders({ url, connections = 10, supervisor = new ConnectionSupervisor() }: DatabaseAddress): Pool {
  const types = new pg.TypeOverrides();
  for (const [type, parse] of parsers) types.setTypeParser(type, parse);
  const pool = new pg.Pool({
    ...connectionLimits,
    Client: supervisor.Client as new () => pg.Client,
    connectionString: url,
    max: connections,
    types,
    application_name: "zonesmith-dns",
    connectionTimeoutMillis: 5000,
    options: `-c TimeZone=UTC -c default_transaction_read_only=on ${pointReadSettings}`,
  });
  pool.on("error", () => {}); // The supervisor ends what is lost; the pool only reports it a second time.
  return pool;
}

/** Whether the database takes no writes, as a standby does. */
export async function isReadOnly(orm: MikroORM): Promise<boolean> {
  const [row] = await orm.em.getConnection().execute("select current_setting('transaction_read_only') as state");
  return (row as { state: string }).state === "on";
}

/** Writes 1 MB to a temporary table; throws PostgreSQL's error when there is no space for it. */
export async function proveSpace(orm: MikroORM): Promise<void> {
  await orm.em.fork().transactional(async (em) => {
    await em.execute(
      "create temporary table space on commit drop as select md5(n::text) from generate_series(1, 20000) n",
    );
  });
}
