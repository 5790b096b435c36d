/** The bench of change sets: a set that adds a record to every small zone is staged, previewed and applied repeatedly. */
import type pg from "pg";
import { zoneName } from "./data.ts";
import { askOnce } from "./processes.ts";
import { median } from "./rounds.ts";
import { row } from "./summary.ts";

/** The service, its database, the number of zones in a set, and the number of sets. */
interface Terms {
  readonly port: number;
  readonly client: pg.Client;
  readonly zones: number;
  readonly rounds: number;
}

const create = "mutation ($input: CreateChangeSetInput!) { createChangeSet(input: $input) { changeSet { id state } } }";
const preview = "query ($id: ID!) { changeSetPreview(id: $id) { fingerprint applicable changedZoneCount } }";
const apply = "mutation ($input: ApplyChangeSetInput!) { applyChangeSet(input: $input) { changeSet { state } } }";

/** The medians of each step, ms, as a table. Each step is checked, the last one by the records in the database. */
export async function measureSets({ port, client, zones, rounds }: Terms): Promise<string[]> {
  const steps: Record<string, number[]> = { staged: [], "looked at": [], applied: [] };
  const timed = async <Data>(step: string, query: string, variables: object): Promise<Data> => {
    const begun = performance.now();
    const text = await askOnce(port, { method: "POST", path: "/graphql", body: { query, variables } });
    steps[step]?.push(performance.now() - begun);
    const { data, errors } = JSON.parse(text);
    if (errors) throw new Error(`${step}: ${text.slice(0, 300)}`);
    return Object.values(data)[0] as Data;
  };
  for (let round = 0; round <= rounds; round += 1) {
    const owner = `set-${round}`;
    const add = [{ owner, type: "A", rdata: "192.0.2.1" }];
    const parts = Array.from({ length: zones }, (_, n) => ({ edit: { zone: zoneName(n), add } }));
    const { changeSet } = await timed<{ changeSet: { id: string } }>("staged", create, {
      input: { title: owner, zones: parts },
    });
    const seen = await timed<Seen>("looked at", preview, { id: changeSet.id });
    const input = { id: changeSet.id, expectedFingerprint: seen.fingerprint };
    const { changeSet: applied } = await timed<{ changeSet: { state: string } }>("applied", apply, { input });
    const { rows } = await client.query<{ records: number; changes: number }>(
      `select (select count(*) from zone_record where owner = $1)::int as records,
        (select count(*) from change where change_set_id = $2)::int as changes`,
      [owner, changeSet.id],
    );
    const found = [seen.applicable, seen.changedZoneCount, applied.state, rows[0]?.records, rows[0]?.changes];
    if (String(found) !== String([true, zones, "APPLIED", zones, zones])) throw new Error(`${owner}: ${found}`);
    console.error(`${owner} is applied`);
  }
  // The first set runs without warm caches.
  const figures = Object.entries(steps).map(([step, times]) => row(step, median(times.slice(1)).toFixed(0)));
  return [row(`a change set that adds a record to ${zones} zones`, "ms"), row("---", "---:"), ...figures];
}

interface Seen {
  readonly fingerprint: string;
  readonly applicable: boolean;
  readonly changedZoneCount: number;
}
