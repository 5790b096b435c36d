/**
 * PostgreSQL that fails over: the test of acknowledged writes with a cluster of three servers (Patroni, etcd, synchronous replication),
 * whose primary is moved, killed and suspended, and whose node is killed; first with every server in DATABASE_URL, then through HAProxy.
 * `npm run ledger -- --cycles 100 --database hosts --database haproxy` runs it at length.
 */
import { afterAll, beforeAll, expect } from "@jest/globals";
import { has, testWith } from "../setup/basics/programs.ts";
import { run } from "../setup/ledger/run.ts";
import type { Database } from "../setup/ledger/world.ts";
import { clusterPrograms, PatroniCluster } from "../setup/servers/patroni-cluster.ts";

let cluster: PatroniCluster | undefined;

beforeAll(async () => {
  if (has(...clusterPrograms)) cluster = await PatroniCluster.start();
});
afterAll(() => cluster?.stop());

const failures: [database: Database, failures: readonly string[]][] = [
  ["hosts", ["switchover", "kill-primary", "suspend-node", "kill-node"]],
  ["haproxy", ["kill-primary", "switchover"]],
];

testWith("knotd", ...clusterPrograms).each(failures)(
  "%s: after %j every acknowledged write is there and published, and the service is ready by itself",
  async (database, only) => {
    const printed: string[] = [];
    const cycles = await run({
      cycles: only.length,
      seed: 1,
      only,
      databases: [database],
      cluster: cluster as PatroniCluster,
      print: (line) => void printed.push(line),
    });
    const broken = cycles.filter(({ breaches }) => breaches.length > 0);
    const log = broken.length > 0 ? [...printed, ...(cluster?.lastLines() ?? [])] : [];
    expect({ broken, log }).toEqual({ broken: [], log: [] });
    expect(cycles.map(({ disturbance }) => disturbance)).toEqual(only);
    for (const { tally } of cycles) {
      expect(Math.min(...Object.values(tally.acknowledged))).toBeGreaterThan(0);
      expect(tally.withoutRetryAfter).toBe(0);
    }
  },
  600_000,
);
