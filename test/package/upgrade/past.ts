/**
 * The past of the zones of a dump, by its own journal: every change said what it removed and what it added. Read from the dump as that
 * version wrote it.
 */

import { emptyDatabase, query } from "../../setup/database/database.ts";
import type { Json } from "../../setup/service/client.ts";
import { withoutSerial } from "../../setup/zones/any-history.ts";

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
  await query(url, dump);
  const steps = await query<Step & Record<string, unknown>>(
    url,
    `select d.zone, c.id as change, c.kind, r.removed, concat_ws(' ', r.owner, r.ttl, r.type, r.rdata) as line
    from public.domain d join public.change c on c.domain_id = d.id left join public.change_record r on r.change_id = c.id
    where d.user_id is not null order by d.zone, c.id, r.removed desc`,
  );
  return [...Map.groupBy(steps, ({ zone }) => zone).values()].flatMap(replay);
}

/** An answer of that version without the SOAs of changes that gave them another serial alone, which are no records of a change any more. */
export function withoutSerials(answer: Json): Json {
  if (Array.isArray(answer)) return answer.map(withoutSerials);
  if (answer === null || typeof answer !== "object") return answer;
  const { removed, added } = answer;
  const soas = [removed, added].flatMap((side) => side?.nodes?.filter(({ type }: Json) => type === "SOA") ?? []);
  const contents = soas.map(({ ttl, rdata }: Json) => withoutSerial(`${ttl} SOA ${rdata}`));
  const isSame = contents.length === 2 && contents[0] === contents[1];
  const side = ({ nodes, totalCount, ...rest }: Json) => ({
    ...rest,
    nodes: nodes.filter(({ type }: Json) => type !== "SOA"),
    ...(totalCount !== undefined && { totalCount: totalCount - 1 }),
  });
  const shown = isSame ? { ...answer, removed: side(removed), added: side(added) } : answer;
  return Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, withoutSerials(value)]));
}

function replay(steps: readonly Step[]): PastMoment[] {
  const [first] = steps;
  if (first?.kind !== "CREATE") throw new Error(`the journal of ${first?.zone} does not begin with its creation`);
  const records = new Map<string, string>();
  return [...Map.groupBy(steps, ({ change }) => change)].map(([changeId, lines]) => {
    const soas = new Map<string, string>();
    for (const { removed, line } of lines)
      if (removed) {
        // Another serial alone is no other record.
        soas.set(withoutSerial(line), records.get(line) as string);
        records.delete(line);
      } else if (removed === false)
        records.set(
          line,
          (line.startsWith("@ ") && line.includes(" SOA ") && soas.get(withoutSerial(line))) || changeId,
        );
    const blamed = [...records].map(([line, change]) => `${line} by ${change}`).toSorted();
    return { zone: first.zone, changeId, records: blamed };
  });
}
