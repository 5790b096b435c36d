/** Opens MikroORM on a PostgreSQL, the operator's or the embedded one. */
import { ReflectMetadataProvider } from "@mikro-orm/decorators/legacy";
import { type Migration, Migrator } from "@mikro-orm/migrations";
import { type Constructor, defineConfig, type EntityClass, MikroORM, type Options } from "@mikro-orm/postgresql";
import pg, { type Pool } from "pg";
import { ApiKey } from "../../account/api-key.ts";
import { SignIn } from "../../account/sign-in.ts";
import { SignedUpdate } from "../../account/signed-update.ts";
import { TsigKey } from "../../account/tsig-key.ts";
import { User, UserUsage } from "../../account/user.ts";
import { UserReviewer } from "../../account/user-reviewer.ts";
import { AuditEntry } from "../../audit/audit-entry.ts";
import { ChangeSet, ChangeSetEdit, ChangeSetEvent, ChangeSetZone } from "../../changeset/change-set.ts";
import {
  ConnectionSupervisor,
  connectionLimits,
  type PoolCounts,
  type SupervisedClient,
} from "../../database/connection-supervisor.ts";
import { serverUrls } from "../../database/database-url.ts";
import { isPlannedForValues, withListLimit } from "../../database/list-limit.ts";
import { noTableScans, pointReadSettings } from "../../database/point-reads.ts";
import { ServerCheck } from "../../finding/server-check.ts";
import { CompatibleMigration } from "../../instance/compatible-migration.ts";
import { Instance } from "../../instance/instance.ts";
import { RequestCount } from "../../instance/request-count.ts";
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
interface DatabaseAddress {
  readonly url: string;
  readonly connections?: number;
  /** Supervises the connections; the service has one for all of them. */
  readonly supervisor?: ConnectionSupervisor;
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
  SignedUpdate,
  RrsetNote,
  ZoneTemplate,
  Instance,
  RequestCount,
  ServerCheck,
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

/** The migrations in the order in which they run; each is the file of its name in src/migrations. */
const migrations = [
  "20261121000000-first-tables",
  "20261121120000-publication",
  "20261121180000-names-below",
  "20261121190000-catalog",
  "20261121200000-update-refusals",
  "20261122000000-zone-record",
  "20261122020000-deleted-names-below",
  "20261122120000-transferred-zone",
  "20261122130000-proven-serial",
  "20261122150000-typed-ids",
  "20261122160000-key-zones",
  "20261122200000-key-last-used",
  "20261122230000-versions",
  "20261122233000-change-note",
  "20261122234000-sign-in",
  "20261123000000-going-back",
  "20261123020000-change-sets",
  "20261123030000-rrset-note",
  "20261123040000-labels",
  "20261123050000-zone-template",
  "20261123060000-review",
  "20261123071000-demanded-review",
  "20261123081000-schedule",
  "20261123093000-each-zone",
  "20261123140000-staged-templates",
  "20261123070500-mass-changes",
  "20261123170000-kept-refusals",
  "20261123190000-instance",
  "20261123195000-query-zone",
  "20261123200000-webhooks",
  "20261123210000-quotas",
  "20261123220000-audit",
  "20261123230000-last-transfers",
  "20261124030000-ended-change-sets",
  "20261124040000-demanded-review",
  "20261124041000-applied-by",
  "20261124060000-compatible-migration",
  "20261124080000-joining-secondary",
  "20261125020000-instance-address",
  "20261125030000-transfer-order",
  "20261125170000-soa-serial",
  "20261126050000-change-set-columns",
  "20261126220000-undone-changes",
  "20261126223000-refusals-by-time",
  "20261127020000-activity",
  "20261127030000-search",
  "20261127230000-created-at-of-deleted",
  "20261128030000-catalog-members",
  "20261128050000-shared-memory",
  "20261128132000-rare-values",
  "20261128190000-server-check",
];

const migrationsList = await Promise.all(
  migrations.map(async (name) => {
    const [first] = Object.values(await import(`../../migrations/${name}.ts`));
    return { name, class: first as Constructor<Migration> };
  }),
);

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

/** How long a statement waits for a lock of another instance, ms; zone/edit/zone-queue.ts has the waits in one process. */
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
      migrationsList,
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
