/**
 * What is done to the primary of a cluster while writers write, one of them a cycle. Each ends when another PostgreSQL is the primary: on
 * another node, which the one before must find when it comes back, or of the same one, when Patroni started it again.
 */
import type { PatroniCluster } from "../servers/patroni-cluster.ts";
import type { ClusterNode } from "../servers/patroni-configuration.ts";
import type { Disturbance } from "./disturbances.ts";

/** A failure of the primary, and what brings its node back once another one is the primary. */
function failover(
  name: string,
  fail: (cluster: PatroniCluster, primary: ClusterNode) => Promise<void> | void,
  restore: (cluster: PatroniCluster, node: ClusterNode) => void = () => {},
): Disturbance {
  return {
    name,
    endsService: false,
    run: async ({ cluster }) => {
      const primary = await cluster.settled();
      const postmaster = cluster.postmasterOf(primary);
      await fail(cluster, primary);
      await cluster.replaced(postmaster);
      restore(cluster, primary);
      return undefined;
    },
  };
}

export const failovers: readonly Disturbance[] = [
  failover("switchover", (cluster, primary) => cluster.switchover(primary)),
  failover("kill-primary", (cluster, primary) => cluster.killPostmaster(primary)),
  failover(
    "suspend-node",
    (cluster, primary) => cluster.suspend(primary),
    (cluster, node) => cluster.resume(node),
  ),
  failover(
    "kill-node",
    (cluster, primary) => cluster.killNode(primary),
    (cluster, node) => cluster.startNode(node),
  ),
];
