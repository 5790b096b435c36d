/**
 * What is done to the service, its PostgreSQL, or the primary of a cluster while writers write, one disturbance a cycle. Each ends what it
 * began, and those of a cluster when another PostgreSQL is the primary: on another node, which the one before must find when it comes
 * back, or of the same one, when Patroni started it again.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { eventually } from "../basics/eventually.ts";
import { signal } from "../basics/linux-processes.ts";
import type { Random } from "../basics/random.ts";
import type { PatroniCluster } from "../servers/patroni-cluster.ts";
import type { ClusterNode } from "../servers/patroni-configuration.ts";
import type { World } from "./world.ts";

/** Does it; throws what went wrong with it. */
type Disturbance = (world: World, random: Random) => Promise<void>;

/** Those that end the service's process itself, which is then started again as an init system does. */
export const endingService: readonly string[] = ["kill-service", "sigterm"];

const ownConnections = "datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()";
const endConnections = `select count(pg_terminate_backend(pid)) from pg_stat_activity where ${ownConnections}`;

async function endService({ service }: World, name: NodeJS.Signals): Promise<void> {
  service.kill(name);
  if (await service.ended(30_000)) return;
  service.kill("SIGKILL");
  throw new Error(`the service did not end within 30 s of ${name}`);
}

async function stopFor(pids: readonly number[], ms: number): Promise<void> {
  for (const pid of pids) signal(pid, "SIGSTOP");
  try {
    await sleep(ms);
  } finally {
    for (const pid of pids.toReversed()) signal(pid, "SIGCONT");
  }
}

/** Ends a process and waits until it is gone. */
async function end(pid: number, name: NodeJS.Signals): Promise<void> {
  if (!signal(pid, name)) throw new Error(`there is no process ${pid}`);
  await eventually(() => !signal(pid, 0));
}

/** Runs a statement on the service's connections, 4 to 10 times in a row. */
async function often(world: World, random: Random, statement: string): Promise<void> {
  for (let times = random.between(4, 10); times > 0; times -= 1) {
    await world.sql(statement);
    await sleep(random.between(10, 200));
  }
}

/** Opens connections until PostgreSQL accepts no more. */
async function takeAllConnections(world: World, held: pg.Client[]): Promise<void> {
  for (;;) {
    try {
      held.push(await world.connect());
    } catch (error) {
      if ((error as { code?: string }).code === "53300") return;
      throw error;
    }
  }
}

/** A disk that is full for PostgreSQL alone, where none can be mounted. */
async function refuseInserts(world: World, ms: number): Promise<void> {
  await world.sql(`create function disk_full() returns trigger language plpgsql as
    $$begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end$$`);
  await world.sql("create trigger disk_full before insert on change for each row execute function disk_full()");
  await sleep(ms);
  await world.sql("drop function disk_full cascade");
}

export const disturbances: Readonly<Record<string, Disturbance>> = {
  "kill-service": (world) => endService(world, "SIGKILL"),
  "kill-postmaster": (world) => end(world.postmaster, "SIGKILL"),
  "end-connections": (world, random) => often(world, random, endConnections),
  "cancel-statements": (world, random) =>
    often(world, random, endConnections.replace("pg_terminate_backend", "pg_cancel_backend")),
  "disk-full": async (world, random) => {
    const ms = random.between(1000, 3000);
    if (!world.disk) return refuseInserts(world, ms);
    world.disk.fill();
    try {
      await sleep(ms);
    } finally {
      world.disk.free();
    }
  },
  "stop-postgres": (world, random) => stopFor(world.postgresProcesses, random.between(500, 4000)),
  "stop-service": (world, random) => stopFor([world.service.pid], random.between(500, 4000)),
  "max-connections": async (world, random) => {
    const held: pg.Client[] = [];
    try {
      await takeAllConnections(world, held);
      await held[0]?.query(`${endConnections} and application_name like 'zonesmith%'`);
      await takeAllConnections(world, held);
      await sleep(random.between(500, 3000));
    } finally {
      await Promise.all(held.map((client) => client.end()));
    }
  },
  sigterm: (world) => endService(world, "SIGTERM"),
  "kill-backend": async (world, random) => {
    const [{ pid }] = await world.sql(`select pid from pg_stat_activity where ${ownConnections}
      order by state = 'active' desc, pid limit 1 offset ${random.between(0, 2)}`);
    await end(pid, "SIGKILL");
  },
  "restart-postgres": (world) => end(world.postmaster, "SIGINT"),
};

type OfNode = (cluster: PatroniCluster, node: ClusterNode) => Promise<void> | void;

/** A failure of the primary, and what brings its node back once another one is the primary. */
const failover =
  (fail: OfNode, restore: OfNode = () => {}): Disturbance =>
  async ({ cluster }) => {
    const primary = await eventually(() => cluster.primary());
    const postmaster = cluster.postmasterOf(primary);
    await fail(cluster, primary);
    await cluster.replaced(postmaster);
    await restore(cluster, primary);
  };

export const failovers: Readonly<Record<string, Disturbance>> = {
  switchover: failover((cluster, primary) => cluster.switchover(primary)),
  "kill-primary": failover((cluster, primary) => cluster.killPostmaster(primary)),
  "suspend-node": failover(
    (cluster, primary) => cluster.suspend(primary),
    (cluster, node) => cluster.resume(node),
  ),
  "kill-node": failover(
    (cluster, primary) => cluster.killNode(primary),
    (cluster, node) => cluster.startNode(node),
  ),
};
