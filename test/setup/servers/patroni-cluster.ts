/**
 * PostgreSQL that fails over, on loopback: Debian's etcd, Patroni nodes with synchronous replication, and HAProxy before them, all as
 * an account that is not root's, in one temporary folder.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { eventually } from "../basics/eventually.ts";
import { freePort } from "../basics/free-port.ts";
import { processesIn, signal } from "../basics/linux-processes.ts";
import { temporaryFolder } from "../basics/temporary-folder.ts";
import { query } from "../database/database.ts";
import { postgresAccount } from "./debian-postgres.ts";
import { type ClusterNode, clusterName, patroniConfiguration, proxyConfiguration } from "./patroni-configuration.ts";

export const clusterPrograms = ["patroni", "patronictl", "etcd", "haproxy"];

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

const shownLines = 60;

const password = "not-a-secret";

export class PatroniCluster {
  readonly nodes: ClusterNode[] = [];
  #databases = 0;
  readonly #account = postgresAccount();
  readonly #folder = temporaryFolder();
  readonly #children = new Map<string, ChildProcess>();
  #etcdPort = 0;
  #proxyPort = 0;

  /** Starts everything, and waits until a standby replicates synchronously. */
  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster();
    try {
      await cluster.#start();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  async #start(): Promise<void> {
    this.#giveAway(this.#folder);
    await this.#startEtcd();
    for (const name of ["one", "two", "three"]) {
      const dataDir = join(this.#folder, name);
      this.nodes.push({ name, dataDir, port: await freePort(), restPort: await freePort() });
    }
    for (const node of this.nodes) {
      const configuration = patroniConfiguration(node, { folder: this.#folder, etcdPort: this.#etcdPort, password });
      writeFileSync(this.#configFile(node), configuration);
      this.startNode(node);
    }
    await this.#startProxy();
    await eventually(() => this.primary());
    await this.settled();
  }

  async stop(): Promise<void> {
    for (const child of this.#children.values()) child.kill("SIGKILL");
    await eventually(() => {
      const processes = processesIn(this.#folder);
      for (const { pid, name } of processes) signal(pid, name === "postgres" ? "SIGCONT" : "SIGKILL");
      for (const node of this.nodes) signal(this.postmasterOf(node), "SIGQUIT"); // It removes its shared memory.
      return processes.length === 0;
    });
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Creates an empty database, and returns the URL that names every server, and the one of HAProxy. */
  async createDatabase(): Promise<{ readonly hosts: string; readonly haproxy: string; readonly name: string }> {
    this.#databases += 1;
    const name = `zonesmith${this.#databases}`;
    await query(this.#urlOf(await this.primary(), "postgres"), `create database ${name}`);
    const hosts = this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
    return {
      name,
      hosts: `postgresql://postgres:${password}@${hosts}/${name}?target_session_attrs=read-write`,
      haproxy: `postgresql://postgres:${password}@127.0.0.1:${this.#proxyPort}/${name}`,
    };
  }

  /** The URL of a database on the server that is the primary now. */
  async urlOfPrimary(database: string): Promise<string> {
    return this.#urlOf(await this.primary(), database);
  }

  /** The node that Patroni says is the primary; throws while there is not one. */
  async primary(): Promise<ClusterNode> {
    const leaders = (await this.members()).filter(({ role, state }) => role === "leader" && state === "running");
    const node = this.nodes.find(({ name }) => name === leaders[0]?.name);
    if (!node || leaders.length !== 1) throw new Error("there is no primary");
    const response = await fetch(`http://127.0.0.1:${node.restPort}/primary`, { signal: AbortSignal.timeout(1000) });
    if (!response.ok) throw new Error(`${node.name} is not the primary yet`);
    return node;
  }

  /**
   * Waits until every node replicates from a primary, one of them synchronously: so that the primary may fail. Patroni 3.0 may, rarely,
   * never choose a synchronous standby, or not bring back a node that was the primary, or was about to become it, when it was suspended.
   * Then an operator starts Patroni again, while PostgreSQL goes on, and fills such a node from the primary.
   */
  async settled(): Promise<ClusterNode> {
    return eventually(() => this.#expectSettled()).catch(async () => {
      for (const node of this.nodes) {
        this.#children.get(node.name)?.kill("SIGKILL");
        this.startNode(node);
      }
      await eventually(() => this.#refillStrayNodes());
      return eventually(() => this.#expectSettled());
    });
  }

  /** Fills the nodes anew that do not follow the primary. */
  async #refillStrayNodes(): Promise<void> {
    const primary = await this.primary();
    const { strays } = await this.#state();
    for (const name of strays) await this.#control(primary, "reinit", clusterName, name, "--force", "--wait");
  }

  /** The members, and the names of those that do not follow the primary. */
  async #state(): Promise<{ readonly members: readonly Member[]; readonly strays: readonly string[] }> {
    const members = await this.members();
    const { timeline } = members.find(({ role }) => role === "leader") ?? {};
    const follows = (member: Member) => /^(running|streaming)$/.test(member.state) && member.timeline === timeline;
    return { members, strays: members.filter((member) => !follows(member)).map(({ name }) => name) };
  }

  async #expectSettled(): Promise<ClusterNode> {
    const { members, strays } = await this.#state();
    const isComplete = members.length === this.nodes.length && strays.length === 0;
    if (!isComplete || !members.some(({ role }) => role === "sync_standby"))
      throw new Error(`the cluster has not settled: ${JSON.stringify(members)}`);
    return this.primary();
  }

  /** What Patroni and PostgreSQL of each node logged last. */
  lastLines(): readonly string[] {
    const logs = this.nodes.map(({ name }) => readFileSync(join(this.#folder, `${name}.log`), "utf8"));
    return logs.flatMap((text) => text.split("\n").slice(-shownLines));
  }

  /** Waits until another PostgreSQL is the primary: on another node, or of the same one when Patroni started it again. */
  async replaced(postmaster: number): Promise<void> {
    await eventually(async () => {
      const primary = await this.primary();
      if (this.postmasterOf(primary) === postmaster) throw new Error(`${primary.name} is still the primary`);
    });
  }

  /** The members, as the first node that answers shows them. */
  async members(): Promise<readonly Member[]> {
    const answers = this.nodes.map(async ({ restPort }) => {
      const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(1000) });
      return ((await response.json()) as { members: Member[] }).members;
    });
    return Promise.any(answers);
  }

  /** Moves the primary to another node, as an operator does. */
  switchover(from: ClusterNode): Promise<void> {
    return this.#control(from, "switchover", "--master", from.name, "--force");
  }

  /** Runs a command of patronictl with the configuration of a node. */
  async #control(node: ClusterNode, ...words: string[]): Promise<void> {
    const all = ["-c", this.#configFile(node), ...words];
    await promisify(execFile)("patronictl", all, { ...this.#account, cwd: this.#folder });
  }

  /** Ends the postmaster by SIGKILL; Patroni goes on. */
  killPostmaster(node: ClusterNode): void {
    signal(this.postmasterOf(node), "SIGKILL");
  }

  /** Ends Patroni and PostgreSQL of a node, as a machine that loses its power. */
  killNode(node: ClusterNode): void {
    this.#signal(node, "SIGKILL");
  }

  /** Suspends Patroni and PostgreSQL of a node: what connects to it hangs. */
  suspend(node: ClusterNode): void {
    this.#signal(node, "SIGSTOP");
  }

  resume(node: ClusterNode): void {
    this.#signal(node, "SIGCONT");
  }

  /** Starts Patroni of a node, which starts its PostgreSQL. */
  startNode(node: ClusterNode): void {
    this.#spawn(node.name, "patroni", [this.#configFile(node)]);
  }

  #urlOf({ port }: ClusterNode, database: string): string {
    return `postgresql://postgres:${password}@127.0.0.1:${port}/${database}`;
  }

  #configFile({ name }: ClusterNode): string {
    return join(this.#folder, `${name}.yml`);
  }

  async #startEtcd(): Promise<void> {
    this.#etcdPort = await freePort();
    const client = `http://127.0.0.1:${this.#etcdPort}`;
    const peer = `http://127.0.0.1:${await freePort()}`;
    const dataDir = join(this.#folder, "etcd");
    mkdirSync(dataDir, { mode: 0o700 });
    this.#giveAway(dataDir);
    this.#spawn("etcd", "etcd", [
      "--enable-v2",
      ...["--data-dir", dataDir, "--listen-client-urls", client, "--advertise-client-urls", client],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", `default=${peer}`],
    ]);
    await eventually(async () => (await fetch(`${client}/health`)).ok);
  }

  async #startProxy(): Promise<void> {
    this.#proxyPort = await freePort();
    const file = join(this.#folder, "haproxy.cfg");
    writeFileSync(file, proxyConfiguration(this.#proxyPort, this.nodes));
    this.#spawn("haproxy", "haproxy", ["-db", "-f", file]);
    await once(this.#children.get("haproxy") as ChildProcess, "spawn");
  }

  #spawn(name: string, program: string, words: readonly string[]): void {
    const log = join(this.#folder, `${name}.log`);
    const child = spawn("sh", ["-c", 'log=$1; shift; exec "$@" >>"$log" 2>&1', "sh", log, program, ...words], {
      ...this.#account,
      cwd: this.#folder,
      stdio: "ignore",
    });
    this.#children.set(name, child);
  }

  /** The first process of a node's PostgreSQL; 0 when there is none. */
  postmasterOf({ dataDir }: ClusterNode): number {
    try {
      return Number.parseInt(readFileSync(join(dataDir, "postmaster.pid"), "utf8"), 10);
    } catch {
      return 0;
    }
  }

  /** Sends a signal to Patroni of a node, and to its PostgreSQL, which works in its folder. */
  #signal({ name, dataDir }: ClusterNode, signalName: NodeJS.Signals): void {
    this.#children.get(name)?.kill(signalName);
    for (const { pid } of processesIn(dataDir)) signal(pid, signalName);
  }

  /** Makes a folder that of the programs' account. */
  #giveAway(folder: string): void {
    const { uid, gid } = this.#account;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  }
}
