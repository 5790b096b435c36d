/** A run of the test of acknowledged writes: cycles, each with writers by all interfaces, one disturbance, and the laws afterwards. */
import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "../basics/eventually.ts";
import { Random } from "../basics/random.ts";
import type { PatroniCluster } from "../servers/patroni-cluster.ts";
import { Book } from "./book.ts";
import { doors, LossyClient, Tally } from "./client.ts";
import { disturbances, endingService, failovers } from "./disturbances.ts";
import { type Breach, breaches, expectLive, stateOf, type Untouched } from "./laws.ts";
import { Moments } from "./moments.ts";
import { breachLines, lineOf } from "./summary.ts";
import { type Database, isCluster, World } from "./world.ts";
import { letWrite, recordWriter, setWriter, type Tools, type Writer, zoneWriter } from "./writer.ts";
import { readZones } from "./zones.ts";

export interface Options {
  readonly cycles: number;
  /** The first cycle's; each further one has the next number. */
  readonly seed: number;
  /** The names of the disturbances that are made, in turn. */
  readonly only: readonly string[];
  readonly databases: readonly Database[];
  /** The cluster of the databases that are one. */
  readonly cluster?: PatroniCluster;
  /** Takes a line of the report as it is made. */
  readonly print: (line: string) => void;
}

export interface Cycle {
  readonly number: number;
  readonly seed: number;
  readonly disturbance: string;
  readonly database: Database;
  readonly tally: Tally;
  readonly breaches: readonly Breach[];
  /** How often a zone was brought up to date by the differences that the service sent. */
  readonly replayed: number;
  /** How often the service was started again. */
  readonly restarts: number;
  /** From the end of the disturbance until all interfaces took writes again, seconds. */
  readonly recovery: number;
}

/** Cycles with the same zones; after them the zones are deleted and others are created. */
const cyclesPerSet = 10;
const zonesPerSet = 3;
const writersPerDoor = 2;
const probesPerDoor = 4;

/** How long a killed service is left alone, ms. */
const restartMs = 1000;

const untouchedZones = ["untouched-a.example", "untouched-b.example"];

/** Runs the cycles: the first four fifths on the first database, the others on the second. */
export async function run(options: Options): Promise<Cycle[]> {
  const cycles: Cycle[] = [];
  const { cycles: count, databases } = options;
  const later = databases.length > 1 ? Math.max(1, Math.floor(count / 5)) : 0;
  const parts = [count - later, later];
  for (const [at, database] of databases.entries()) {
    const part = parts[at] ?? 0;
    if (part === 0) continue;
    const world = await World.open(database, options.cluster);
    try {
      await new Run(world, options, cycles).go(part);
    } finally {
      await world.close();
    }
  }
  return cycles;
}

class Run {
  readonly #world: World;
  readonly #options: Options;
  readonly #cycles: Cycle[];
  readonly #book = new Book();
  readonly #moments = new Moments();
  #untouched: Untouched = new Map();
  #zones: string[] = [];

  constructor(world: World, options: Options, cycles: Cycle[]) {
    this.#world = world;
    this.#options = options;
    this.#cycles = cycles;
  }

  async go(count: number): Promise<void> {
    for (const zone of untouchedZones) await this.#world.domain(zone, this.#world.userId);
    // What was transferred is recorded without a wait for the disk: a crash just after that may cost a serial (transferred-zone.ts).
    await eventually(() => expectLive(this.#world));
    const stored = await readZones(this.#world);
    const states = stored.map((zone) => [zone.zone, stateOf(zone)] as const);
    this.#untouched = new Map(states.filter(([zone]) => untouchedZones.includes(zone)));
    const possible = isCluster(this.#world.database) ? failovers : disturbances;
    const chosen = this.#options.only.filter((name) => name in possible);
    if (chosen.length === 0)
      throw new Error(`${this.#options.only.join(", ")}: impossible with ${this.#world.database}`);
    for (let done = 0; done < count; done += 1) {
      const number = this.#cycles.length + 1;
      if (done % cyclesPerSet === 0) await this.#changeZones(number);
      const cycle = await this.#cycle(number, chosen[(number - 1) % chosen.length] as string);
      this.#cycles.push(cycle);
      this.#options.print(lineOf(cycle));
      for (const line of breachLines(cycle)) this.#options.print(line);
    }
  }

  /** Gives the writers zones of their own again, and deletes those that they had. */
  async #changeZones(number: number): Promise<void> {
    for (const zone of this.#zones) await this.#world.mutate("deleteDomain", { by: { zone } }, "deletedId");
    this.#book.forget(this.#zones);
    this.#zones = Array.from({ length: zonesPerSet }, (_, at) => `w${number}-${at}.example`);
    for (const zone of this.#zones) await this.#world.domain(zone, this.#world.userId);
  }

  async #cycle(number: number, disturbance: string): Promise<Cycle> {
    const world = this.#world;
    // Before anything is written: what is written until the cluster can fail over again would make the cycle many times as long.
    if (isCluster(world.database)) await world.cluster.settled();
    const seed = this.#options.seed + number - 1;
    const random = new Random(seed);
    const tally = new Tally();
    const client = new LossyClient(world, tally);
    const breached: Breach[] = [];
    const note = (kind: Breach["kind"], what: string) => void breached.push({ kind, what: what.slice(0, 600) });
    const tools = (): Tools => {
      const own = new Random(random.between(0, 2 ** 31));
      return { client, book: this.#book, random: own, zones: this.#zones, userId: world.userId };
    };
    const byDoor = (name: string, each: number, imports = false) =>
      doors.flatMap((door) =>
        Array.from({ length: each }, (_, at) =>
          recordWriter(`${name}-${door}${at}`, door, tools(), imports && at === 0),
        ),
      );
    const before = world.copies.replayed;
    const following = new AbortController();
    const followed = world.copies.follow(this.#zones, following.signal);
    const crowd = letWrite([
      ...byDoor(`c${number}`, writersPerDoor, true).map(({ step }) => step),
      ...["y", "z"].map((prefix) => zoneWriter(`${prefix}${number}`, tools())),
      setWriter(`set${number}`, tools()),
    ]);
    const probes = byDoor(`probe${number}`, probesPerDoor).map(({ create }) => create);
    const writes = (more: number) => {
      const wanted = tally.writes + more;
      return eventually(() => tally.writes >= wanted);
    };
    await writes(random.between(15, 60)).catch(() => note("unready", "too few writes were acknowledged beforehand"));
    const disturb = { ...disturbances, ...failovers }[disturbance];
    await disturb?.(world, random).catch(({ message }: Error) => note("unready", `${disturbance}: ${message}`));
    const recovery = await this.#recovered(probes, note);
    if (!Number.isNaN(recovery))
      await writes(15).catch(() => note("unready", "too few writes were acknowledged afterwards"));
    await crowd.stop();
    following.abort();
    await followed;
    const ends = world.service.takeEnds();
    const unexpected = ends.slice(endingService.includes(disturbance) ? 1 : 0);
    for (const output of unexpected) note("unready", `the service ended by itself: ${output}`);
    breached.push(...(await breaches(world, this.#book, this.#untouched, this.#moments)));
    const replayed = world.copies.replayed - before;
    for (const kind of ["internal", "stuck", "refused"] as const)
      for (const what of tally.wrong[kind]) note(kind, what);
    const { database } = world;
    return {
      ...{ number, seed, disturbance, database, tally, replayed },
      ...{ breaches: breached, restarts: ends.length, recovery },
    };
  }

  /**
   * Law 8: waits until the service is ready by itself and acknowledges many writes at the same time, and returns how long that took,
   * seconds. A service that does not recover is killed, so that the other laws can be checked; the result is NaN then.
   */
  async #recovered(probes: readonly Writer[], note: (kind: "unready", what: string) => void): Promise<number> {
    const since = performance.now();
    const isWell = async () => {
      if (!(await this.#world.isReady())) return false;
      const results = await Promise.all(probes.map((probe) => probe()));
      return results.every((isAcknowledged) => isAcknowledged);
    };
    try {
      await eventually(isWell);
      return (performance.now() - since) / 1000;
    } catch (error) {
      note("unready", `not ready by itself: ${(error as Error).message}; ${this.#world.service.output}`);
      this.#world.service.kill("SIGKILL");
      await sleep(restartMs);
      await eventually(isWell).catch(() => note("unready", "not even after it was killed"));
      this.#world.service.takeEnds();
      return Number.NaN;
    }
  }
}
