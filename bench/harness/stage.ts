/** The set-up of the bench over HTTP: PostgreSQL with the data, all sides, and the process that sends requests. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { PeerCursors, SideName } from "./cases.ts";
import type { Size } from "./data.ts";
import type { Job, Outcome } from "./load.ts";
import { noCursors, startPeer } from "./peer.ts";
import { end, fill, type Side, startFloor, startPostgres, startService } from "./processes.ts";

export interface Stage {
  /** The measured processes; the peer only on request. */
  readonly sides: Readonly<Record<Exclude<SideName, "peer">, Side> & { peer?: Side }>;
  readonly cursors: PeerCursors;
  /** The process id of the first PostgreSQL process, the parent of the others. */
  readonly postgres: number;
  ask(job: Omit<Job, "port" | "size" | "cursors">): Promise<Outcome>;
  close(): Promise<void>;
}

export async function openStage(size: Size, serviceFlags: readonly string[], withPeer: boolean): Promise<Stage> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const close = async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  };
  try {
    const databaseUrl = await startPostgres(undo);
    const postgresPid = await fill(databaseUrl, size);
    const floor = await startFloor(databaseUrl, undo);
    const pipelined = await startFloor(databaseUrl, undo, "pipelined");
    const service = await startService(databaseUrl, serviceFlags, undo);
    const { peer, cursors } = withPeer ? await startPeer(databaseUrl, undo) : { cursors: noCursors };
    const sides = { floor, pipelined, service, ...(peer && { peer }) };
    const loader = fork(join(import.meta.dirname, "load.js"));
    undo.push(() => end(loader));
    const ask: Stage["ask"] = async (job) => {
      const port = sides[job.side]?.port as number;
      loader.send({ ...job, size, port, cursors } satisfies Job);
      const [{ outcome, error }] = (await once(loader, "message")) as [{ outcome: Outcome; error?: string }];
      if (error !== undefined) throw new Error(error);
      return outcome;
    };
    return { sides, cursors, postgres: postgresPid, ask, close };
  } catch (error) {
    await close();
    throw error;
  }
}
