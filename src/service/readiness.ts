/**
 * Whether the service is ready for requests: it has started, the database answers, takes writes, has space, and has the tables of this
 * program, or such of a later one as it may use.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { MikroORM } from "@mikro-orm/postgresql";
import type { ConnectionSupervisor } from "../database/connection-supervisor.ts";
import { databaseFailureOf, failureOfCode } from "../database/sqlstate.ts";
import type { NotReady } from "../http/server.ts";
import { isMigrated } from "./database/migrate.ts";
import { isReadOnly, proveSpace } from "./database/open-database.ts";
import type { VersionWatch } from "./database/version-watch.ts";

/** How long the database may take to answer, ms. */
const timeoutMs = 3000;

const unreachable = failureOfCode("08006") as NotReady;

export class Readiness {
  readonly #orm: MikroORM;
  readonly #supervisor: ConnectionSupervisor;
  readonly #versions: VersionWatch;
  /** The check that is running: one at a time, since on a database that hangs each would hold a connection. */
  #check: Promise<NotReady | undefined> | undefined;
  /** Whether the start is complete: HTTP listens before the first key is stored, which the first clients use. */
  isStarted = false;

  constructor(orm: MikroORM, supervisor: ConnectionSupervisor, versions: VersionWatch) {
    this.#orm = orm;
    this.#supervisor = supervisor;
    this.#versions = versions;
  }

  /** Returns why the service is not ready; undefined when it is. */
  async whyNot(): Promise<NotReady | undefined> {
    if (!this.isStarted) return { reason: "the service is starting", retryAfter: 1 };
    this.#check ??= this.#run().finally(() => {
      this.#check = undefined;
    });
    const over = new AbortController();
    const timeout = sleep(timeoutMs, unreachable, { signal: over.signal }).catch(() => undefined);
    const result = await Promise.race([this.#check, timeout]);
    over.abort();
    return result;
  }

  async #run(): Promise<NotReady | undefined> {
    try {
      if (await isReadOnly(this.#orm)) return failureOfCode("25006");
      if (!(await isMigrated(this.#orm))) return { reason: "a migration is missing", retryAfter: 5 };
      if (!(await this.#versions.look())) return { reason: "the database is that of a later version", retryAfter: 5 };
      if (this.#supervisor.isDiskFull) {
        await proveSpace(this.#orm);
        this.#supervisor.isDiskFull = false;
      }
      return undefined;
    } catch (error) {
      return databaseFailureOf(error) ?? unreachable;
    }
  }
}
