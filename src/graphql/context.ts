/**
 * What a resolver is given: the session of the request, and loaders that gather what the fields of one level ask for into one query.
 */
import DataLoader from "dataloader";
import { Refusal } from "../errors.ts";
import type { Session } from "../session/session.ts";

/** Who is behind a request: when they have gone, and whether their key still holds (UNAUTHENTICATED when it does not). */
export interface Caller {
  readonly gone: AbortSignal;
  readonly confirm: () => Promise<unknown>;
}

const nobody: Caller = { gone: new AbortController().signal, confirm: async () => {} };

export class Context {
  readonly session: Session;
  readonly caller: Caller;
  private readonly loaders = new Map<string, DataLoader<number, unknown>>();

  constructor(session: Session, caller: Caller = nobody) {
    this.session = session;
    this.caller = caller;
  }

  /** Loads the value of `id` together with those of its siblings; `name` and its arguments say which values those are. */
  load<Value>(
    name: string,
    args: unknown,
    id: number,
    batch: (ids: readonly number[]) => Promise<readonly Value[]>,
  ): Promise<Value> {
    const key = `${name} ${JSON.stringify(args)}`;
    let loader = this.loaders.get(key);
    if (!loader) {
      loader = new DataLoader<number, unknown>(batch);
      this.loaders.set(key, loader);
    }
    return loader.load(id) as Promise<Value>;
  }

  /** Loads the row of `id`, if the session sees one; for rows that come in any order. */
  findRow<Row extends { id: number }>(
    name: string,
    id: number,
    read: (ids: readonly number[]) => Promise<readonly Row[]>,
  ): Promise<Row | undefined> {
    return this.load(name, null, id, async (ids) => {
      const rows = new Map((await read(ids)).map((row) => [row.id, row]));
      return ids.map((each) => rows.get(each));
    });
  }

  /** Loads the row of `id`; NOT_FOUND when it went, or access to it went, since the row that names it was read. */
  async loadRow<Row extends { id: number }>(
    name: string,
    id: number,
    read: (ids: readonly number[]) => Promise<readonly Row[]>,
  ): Promise<Row> {
    const row = await this.findRow(name, id, read);
    if (row) return row;
    throw new Refusal("NOT_FOUND", `${name} ${id} is there no longer; read again.`);
  }

  /** Forgets what was loaded: a mutation will change it. */
  forget(): void {
    this.loaders.clear();
  }
}
