/**
 * Which zones have changed in the database since they were read last, whoever committed that: for the cache of answers.
 */
import type { Pool } from "pg";
import { table } from "../sql/columns.ts";
import { Change, ChangeKind } from "../zone/change.ts";
import { ChangePoller, changeIdStep, maxChangesUnderWay, type PolledChange } from "../zone/change-poller.ts";

/** A zone that was changed, created or deleted. */
export interface CommittedZone extends PolledChange {
  readonly zone: string;
}

/** Reads what was committed since the last call. Throws when that is not known, and then has to be started again. */
export interface Committed {
  start(): Promise<void>;
  read(): Promise<readonly CommittedZone[]>;
}

const c = table(Change, "c");

const columns = `${c.id} as "changeId", ${c.columns("domainId", "zone")}, ${c.createdAt}::text as "createdAt",
  ${c.kind} <> '${ChangeKind.EDIT}' as "isMembership"`;

/** The last change, with the ids just below it that are missing: their transactions may not have ended. */
const latestText = `
  select ${columns}, array(
    select gap::float8 from generate_series(
      ${c.id} - ${maxChangesUnderWay * changeIdStep}, ${c.id} - 1, ${changeIdStep}) gap
    where gap > (select min(${c.id}) from ${c}) and not exists (select from ${table(Change)} o where o.id = gap)
  ) as gaps
  from ${c} order by ${c.id} desc limit 1`;

/** $1 the last change known, which is read again, $2 ids that were missing, $3 the most rows. */
const sinceText = `
  (select ${columns} from ${c} where ${c.id} >= $1 order by ${c.id} limit $3)
  union all select ${columns} from ${c} where ${c.id} = any($2::bigint[])`;

interface ChangeRow extends CommittedZone {
  readonly createdAt: string;
}

/** Reads them from the journal. */
export class CommittedChanges implements Committed {
  readonly #pool: Pool;
  #poller: ChangePoller<ChangeRow> | undefined;
  #last: ChangeRow | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async start(): Promise<void> {
    const { rows } = await this.#pool.query<ChangeRow & { gaps: number[] }>({
      name: "latest-change",
      text: latestText,
    });
    this.#last = rows[0];
    this.#poller = new ChangePoller((_after, gaps, limit) => this.#readAfter(this.#last, gaps, limit));
    this.#poller.startAfter(rows[0]?.changeId ?? 0, rows[0]?.gaps ?? []);
  }

  async read(): Promise<readonly CommittedZone[]> {
    if (!this.#poller) throw new Error("it was not started");
    return this.#poller.poll();
  }

  /** Throws when the last change known is not there any more: another history was restored. */
  async #readAfter(last: ChangeRow | undefined, gaps: readonly number[], limit: number): Promise<ChangeRow[]> {
    const values = [last?.changeId ?? 0, gaps, limit];
    const { rows } = await this.#pool.query<ChangeRow>({ name: "changes-since", text: sinceText, values });
    if (!last) return this.#noted(rows);
    const [first, ...others] = rows;
    if (first?.changeId !== last.changeId || first.createdAt !== last.createdAt || first.zone !== last.zone)
      throw new Error("the last change is not there any more");
    return this.#noted(others);
  }

  #noted(rows: ChangeRow[]): ChangeRow[] {
    for (const row of rows) if (row.changeId > (this.#last?.changeId ?? 0)) this.#last = row;
    return rows;
  }
}
