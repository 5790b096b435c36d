/**
 * Collects the audit entries of refusals and writes them every second. Equal refusals within that second become one entry with a count.
 * When more than `maxWaiting` entries wait, further refusals are counted by operation and code, without the actor. So a flood of refusals
 * costs little memory and few rows.
 */
import type { Logger } from "pino";
import type { AuditNote, RefusalNotes } from "../session/audit-note.ts";
import type { Session } from "../session/session.ts";
import { storeEntries } from "./store-entries.ts";

/** The largest number of different refusals that wait to be written; beyond it, refusals are summed up. */
const maxWaiting = 500;

/** How long refusals wait before they are written, ms. */
const pauseMs = 1000;

interface RefusalBufferDeps {
  readonly session: () => Session;
  readonly log: Logger | undefined;
}

export class RefusalBuffer implements RefusalNotes {
  readonly #deps: RefusalBufferDeps;
  #waiting = new Map<string, AuditNote>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(deps: RefusalBufferDeps) {
    this.#deps = deps;
  }

  add(refused: AuditNote): void {
    this.#put(refused);
    this.#timer ??= setTimeout(() => void this.flush(), pauseMs).unref();
  }

  /** Writes the waiting entries; after a failure they wait for the next try. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    this.#writing = this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    const taken = this.#waiting;
    if (taken.size === 0) return;
    this.#waiting = new Map();
    try {
      await storeEntries(this.#deps.session(), [...taken.values()]);
    } catch (error) {
      this.#deps.log?.warn({ err: error }, "the audit of refusals could not be written; it is tried again");
      for (const entry of taken.values()) this.#put(entry);
      this.#timer ??= setTimeout(() => void this.flush(), pauseMs).unref();
    }
  }

  #put(entry: AuditNote): void {
    const key = keyOf(entry);
    const isNew = !this.#waiting.has(key);
    const kept = isNew && this.#waiting.size >= maxWaiting ? summary(entry) : entry;
    const keptKey = kept === entry ? key : keyOf(kept);
    const before = this.#waiting.get(keptKey);
    this.#waiting.set(keptKey, before ? { ...before, count: before.count + entry.count } : kept);
  }
}

const keyOf = ({ at: _, count: __, ...alike }: AuditNote) => JSON.stringify(Object.values(alike));

const summary = ({ at, source, operation, code, count }: AuditNote): AuditNote => ({
  ...{ at, source, operation, code, count },
  ...{ actor: null, keyId: null, actorUserId: null, address: null },
  ...{ zone: null, subjectId: null, userId: null, field: null },
});
