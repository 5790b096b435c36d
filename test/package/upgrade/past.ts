/**
 * The past of the zones of a dump, by its own journal: every change said what it removed and what it added. Read from the dump as that
 * version wrote it.
 */
import { dropDatabase, emptyDatabase, query } from "../../setup/database/database.ts";

/** A zone as a change left it. */
export interface PastMoment {
  readonly zone: string;
  readonly changeId: string;
  /** Its records as `owner ttl type rdata`, each with the change that had added it; sorted. */
  readonly records: readonly string[];
}

interface Step {
  readonly zone: string;
  readonly change: string;
  readonly kind: string;
  readonly removed: boolean | null;
  readonly line: string;
}

/** The moments of the zones that users have, as the journal of version 0.1 has them. */
export async function momentsOf(dump: string): Promise<PastMoment[]> {
  const url = await emptyDatabase();
  try {
    await query(url, dump);
    const steps = await query<Step & Record<string, unknown>>(
      url,
      `select d.zone, c.id as change, c.kind, r.removed, concat_ws(' ', r.owner, r.ttl, r.type, r.rdata) as line
      from public.domain d join public.change c on c.domain_id = d.id left join public.change_record r on r.change_id = c.id
      where d.user_id is not null order by d.zone, c.id, r.removed desc`,
    );
    return [...Map.groupBy(steps, ({ zone }) => zone).values()].flatMap(replay);
  } finally {
    await dropDatabase(url);
  }
}

function replay(steps: readonly Step[]): PastMoment[] {
  const [first] = steps;
  if (first?.kind !== "CREATE") throw new Error(`the journal of ${first?.zone} does not begin with its creation`);
  const records = new Map<string, string>();
  return [...Map.groupBy(steps, ({ change }) => change)].map(([changeId, lines]) => {
    for (const { removed, line } of lines)
      if (removed) records.delete(line);
      else if (removed === false) records.set(line, changeId);
    const blamed = [...records].map(([line, change]) => `${line} by ${change}`).toSorted();
    return { zone: first.zone, changeId, records: blamed };
  });
}
