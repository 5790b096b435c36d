/**
 * What is done to the primary of a cluster while writers write, one of them a cycle. Each ends when another server is the primary; what
 * comes back of the one before must find that it is not.
 */
import type { PatroniCluster } from "../patroni-cluster.ts";
import type { ClusterNode } from "../patroni-configuration.ts";
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
      await fail(cluster, primary);
      await cluster.promoted(primary);
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
