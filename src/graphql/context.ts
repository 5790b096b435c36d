/**
 * The context of resolvers: the session of the request, and loaders that batch the reads of sibling fields into one
 * query.
 */
import DataLoader from "dataloader";
import { audited, subjectField } from "../audit/audited.ts";
import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";
import { refusalOfGraphql } from "./refusals.ts";

/**
 * What an operation adds to the log line of its request: its name, its endpoint in metrics, the codes of its refusals.
 */
export interface OperationNote {
  readonly operation?: string;
  readonly endpoint?: string;
  readonly refusals?: readonly string[];
  /** Whether the audit needs no entry for the refusals: it has one already, or the operation is only a dry run. */
  readonly isAudited?: boolean;
}

/**
 * The client of a request: `gone` is aborted when it disconnects, `confirm` throws UNAUTHENTICATED when its key is no
 * longer valid, `note` adds to the log line of the request.
 */
export interface Caller {
  readonly gone: AbortSignal;
  readonly confirm: () => Promise<unknown>;
  readonly note: (note: OperationNote) => void;
}

/** The caller of an operation that runs in process, without a client. */
const inProcess: Caller = { gone: new AbortController().signal, confirm: async () => {}, note: () => {} };

export class Context {
  /** The session of the mutation that is running; without one, the session of the request. */
  session: Session;
  readonly caller: Caller;
  /** The id of the event that is being executed, and the one after which the client asks to continue (Last-Event-ID). */
  eventId: string | undefined;
  lastEventId: string | undefined;
  /** Not a #private field: Apollo copies the context of a request, and a copy of an object does not have those. */
  private readonly loaders = new Map<string, DataLoader<number, unknown>>();

  constructor(session: Session, caller: Caller = inProcess) {
    this.session = session;
    this.caller = caller;
  }

  /** Loads the value of `id` in one batch with the values of its siblings; `name` and `args` identify the loader. */
  load<Value>(
    name: string,
    args: unknown,
    id: number,
    batch: (ids: readonly number[]) => Promise<readonly Value[]>,
  ): Promise<Value> {
    const key = `${name} ${JSON.stringify(args)}`;
    let loader = this.loaders.get(key);
    if (!loader) {
      loader = new DataLoader<number, unknown>(async (ids) => batch(ids));
      this.loaders.set(key, loader);
    }
    return loader.load(id) as Promise<Value>;
  }

  /** Loads the value of `id`; undefined when `read` returns no value for it. */
  find<Value>(
    name: string,
    id: number,
    read: (ids: readonly number[]) => Promise<ReadonlyMap<number, Value>>,
  ): Promise<Value | undefined> {
    return this.load(name, null, id, async (ids) => {
      const values = await read(ids);
      return ids.map((each) => values.get(each));
    });
  }

  /** Loads the row of `id`, undefined when the session does not see it; `read` may return rows in any order. */
  findRow<Row extends { id: number }>(
    name: string,
    id: number,
    read: (ids: readonly number[]) => Promise<readonly Row[]>,
  ): Promise<Row | undefined> {
    return this.find(name, id, async (ids) => new Map((await read(ids)).map((row) => [row.id, row])));
  }

  /**
   * Loads the row of `id`; NOT_FOUND when it, or access to it, was removed since the row that refers to it was read.
   */
  async loadRow<Row extends { id: number }>(
    name: string,
    id: number,
    read: (ids: readonly number[]) => Promise<readonly Row[]>,
  ): Promise<Row> {
    const row = await this.findRow(name, id, read);
    if (row) return row;
    throw new Refusal("NOT_FOUND", `${name} ${id} no longer exists; read again.`);
  }

  /**
   * Runs a mutation in a session that writes to the audit. Its refusals name the changed object's id by the field of
   * the input.
   */
  mutate<Value>(name: string, input: unknown, run: () => Promise<Value>): Promise<Value> {
    const refusalOf = (error: unknown) => {
      this.caller.note({ isAudited: true });
      return refusalOfGraphql(error, () => {});
    };
    return audited(this.session, { name, input, refusalOf }, (session) => {
      this.session = session;
      const subject = subjectField(name, input);
      return run().catch((error) =>
        Promise.reject(
          subject !== undefined && error instanceof Refusal
            ? error.withFieldNames((field) => (field === "id" ? subject : field))
            : error,
        ),
      );
    });
  }

  /** Clears the loaders. Mutations and events call it first, since loaded values may have changed. */
  forget(): void {
    this.loaders.clear();
  }
}
