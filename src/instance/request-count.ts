/** The counts of requests for rate limits, over all instances. The table is not logged: a crash of PostgreSQL forgets it. */
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import type { Logger } from "pino";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { sql } from "../sql/sql.ts";

@Entity({ tableName: "request_count" })
export class RequestCount {
  @PrimaryKey({ type: "text", collation: "C" })
  name!: string;

  @Property({ type: "integer" })
  count!: number;

  /** The end of the window, by the clock of the database. */
  @Property({ type: "datetime", columnType: "timestamptz" })
  endsAt!: Date;
}

/** Requests of a name. */
interface Counted {
  readonly name: string;
  readonly count: number;
  /** The rest of the window, ms. */
  readonly leftMs: number;
}

/** What one process counts: what the others do not know yet, and what it learns of the sums. */
interface Counts {
  takeUnsent(): readonly Counted[];
  learn(sums: readonly Counted[]): void;
}

/** Below a second, with the time of a statement. */
const everyMs = 900;

const q = table(RequestCount, "q");
const excluded = table(RequestCount, "excluded");

/** Adds requests to those of all instances, and returns the sums. A count whose window has ended begins at 0. */
async function addCounts(session: Session, counted: readonly Counted[]): Promise<readonly Counted[]> {
  const isOver = sql`${q.endsAt} <= now()`;
  const query = sql<Counted>`
    with relaxed as materialized (select set_config('synchronous_commit', 'off', true))
    insert into ${q} (${q.names("name", "count", "endsAt")})
    select name, count, now() + "leftMs" * interval '1 ms'
    from relaxed, json_to_recordset(${JSON.stringify(counted)}::json) as (name text, count int, "leftMs" float8) order by name
    on conflict (${q.names("name")}) do update set
      ${q.names("count")} = case when ${isOver} then 0 else ${q.count} end + ${excluded.count},
      ${q.names("endsAt")} = case when ${isOver} then ${excluded.endsAt} else ${q.endsAt} end
    returning ${q.name}, ${q.count}, (extract(epoch from ${q.endsAt} - now()) * 1000)::float8 as "leftMs"`;
  return query.run(session);
}

export async function forgetCounts(session: Session): Promise<void> {
  await sql`delete from ${q} where ${q.endsAt} < now()`.run(session);
}

/** Exchanges counts with other instances, while something is counted. */
export function shareCounts(counts: Counts, session: () => Session, log: Pick<Logger, "debug">) {
  let running: Promise<void> | undefined;
  const share = async () => {
    const unsent = counts.takeUnsent();
    if (unsent.length > 0) counts.learn(await addCounts(session(), unsent));
  };
  const timer = setInterval(() => {
    running ??= share()
      .catch((error) => log.debug({ err: error }, "could not share the counts of requests"))
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  const stop = async () => {
    clearInterval(timer);
    await running;
  };
  return { stop };
}
