/**
 * What is done to the service and its PostgreSQL while writers write, one disturbance a cycle. Each ends what it began.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { eventually } from "../basics/eventually.ts";
import type { Random } from "../basics/random.ts";
import { childrenOf, signal } from "./linux-processes.ts";
import type { World } from "./world.ts";

export interface Disturbance {
  readonly name: string;
  /** Whether it ends the service's process itself, which is then started again as an init system does. */
  readonly endsService: boolean;
  /** Does it; returns what went wrong with it, if anything. */
  readonly run: (world: World, random: Random) => Promise<string | undefined>;
}

const ownConnections = "datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()";
const endConnections = `select count(pg_terminate_backend(pid)) from pg_stat_activity where ${ownConnections}`;

/** How long the service may take to end after SIGTERM, ms; it is to take 10 s. */
const endMs = 30_000;

async function stopFor(pids: readonly number[], ms: number): Promise<void> {
  for (const pid of pids) signal(pid, "SIGSTOP");
  try {
    await sleep(ms);
  } finally {
    for (const pid of pids.toReversed()) signal(pid, "SIGCONT");
  }
}

/** Ends a process by SIGKILL or SIGINT and waits until it is gone. */
async function end(pid: number, name: NodeJS.Signals): Promise<void> {
  if (!signal(pid, name)) throw new Error(`there is no process ${pid}`);
  await eventually(() => !signal(pid, 0));
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

export const disturbances: readonly Disturbance[] = [
  {
    name: "kill-service",
    endsService: true,
    run: async ({ service }) => {
      service.kill("SIGKILL");
      await service.ended(endMs);
      return undefined;
    },
  },
  {
    name: "kill-postmaster",
    endsService: false,
    run: async (world) => {
      await end(world.postmaster, "SIGKILL");
      return undefined;
    },
  },
  {
    name: "end-connections",
    endsService: false,
    run: async (world, random) => {
      for (let storms = random.between(4, 10); storms > 0; storms -= 1) {
        await world.sql(endConnections);
        await sleep(random.between(10, 200));
      }
      return undefined;
    },
  },
  {
    name: "disk-full",
    endsService: false,
    run: async (world, random) => {
      const ms = random.between(1000, 3000);
      if (!world.disk) return void (await refuseInserts(world, ms));
      world.disk.fill();
      try {
        await sleep(ms);
      } finally {
        world.disk.free();
      }
      return undefined;
    },
  },
  {
    name: "stop-postgres",
    endsService: false,
    run: async (world, random) => {
      await stopFor(world.postgresProcesses, random.between(500, 4000));
      return undefined;
    },
  },
  {
    name: "stop-service",
    endsService: false,
    run: async (world, random) => {
      await stopFor([world.service.pid], random.between(500, 4000));
      return undefined;
    },
  },
  {
    name: "max-connections",
    endsService: false,
    run: async (world, random) => {
      const held: pg.Client[] = [];
      try {
        await takeAllConnections(world, held);
        await held[0]?.query(`${endConnections} and application_name like 'zonesmith%'`);
        await takeAllConnections(world, held);
        await sleep(random.between(500, 3000));
      } finally {
        await Promise.all(held.map((client) => client.end()));
      }
      return undefined;
    },
  },
  {
    name: "sigterm",
    endsService: true,
    run: async ({ service }) => {
      service.kill("SIGTERM");
      if (await service.ended(endMs)) return undefined;
      service.kill("SIGKILL");
      await service.ended(endMs);
      return "the service did not end within 30 s of SIGTERM";
    },
  },
  {
    name: "kill-backend",
    endsService: false,
    run: async (world, random) => {
      const [{ pid }] = await world.sql(`select pid from pg_stat_activity where ${ownConnections}
        order by state = 'active' desc, pid limit 1 offset ${random.between(0, 2)}`);
      await end(pid, "SIGKILL");
      return undefined;
    },
  },
  {
    name: "restart-postgres",
    endsService: false,
    run: async (world) => {
      const pids = [world.postmaster, ...childrenOf(world.postmaster)];
      await end(pids[0] as number, "SIGINT");
      return undefined;
    },
  },
];
