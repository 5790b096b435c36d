/**
 * The configuration of a cluster on loopback: of its Patroni nodes, with synchronous replication, and of HAProxy before them. Patroni's
 * times are as short as it takes them.
 */
import { join } from "node:path";
import { binariesFolder } from "./debian-postgres.ts";

export const clusterName = "zonesmith";

export interface ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly dataDir: string;
}

/** A node's configuration, in JSON, which YAML contains. `folder` holds its sockets. */
export function patroniConfiguration(
  { name, port, restPort, dataDir }: ClusterNode,
  { folder, etcdPort, password }: { readonly folder: string; readonly etcdPort: number; readonly password: string },
): string {
  const user = { username: "postgres", password };
  const parameters = {
    fsync: "off",
    max_connections: 200,
    wal_keep_size: "512MB",
    shared_buffers: "32MB",
    wal_retrieve_retry_interval: "200ms",
  };
  return JSON.stringify({
    scope: clusterName,
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    // By etcd's interface 2: with 3 a primary may keep an old state of the cluster, and then choose no synchronous standby ever again.
    etcd: { hosts: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 5,
        loop_wait: 1,
        retry_timeout: 2,
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true, parameters },
      },
      initdb: [{ encoding: "UTF8" }, "data-checksums"],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: dataDir,
      bin_dir: binariesFolder(),
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: user, replication: user, rewind: user },
      basebackup: [{ checkpoint: "fast" }],
      parameters: { unix_socket_directories: folder },
      pg_hba: ["host all all 127.0.0.1/32 scram-sha-256", "host replication all 127.0.0.1/32 scram-sha-256"],
    },
  });
}

/** HAProxy's configuration: it leads to the node that Patroni says is the primary, and ends the sessions of one that no longer is. */
export function proxyConfiguration(listenPort: number, nodes: readonly ClusterNode[]): string {
  const servers = nodes.map(({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`);
  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
  retries 0
listen postgres
  bind 127.0.0.1:${listenPort}
  option httpchk GET /primary
  default-server inter 500ms fastinter 200ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`;
}
