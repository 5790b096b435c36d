/** What happened to an import whose answer was lost, by the journal of its zone. */
import { graphql } from "../api/generated/gql.ts";
import type { ImportJournalQuery } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";
import { contentsOf, type DifferenceRow } from "../difference/difference.ts";
import type { ImportResult } from "./upload.ts";

const journalQuery = graphql(`
  query ImportJournal($zone: String!) {
    domain(by: { zone: $zone }) {
      serial
      changes(first: 20) {
        nodes {
          serial
          previousSerial
          source
          removed(first: 100) { totalCount nodes { owner type ttl rdata } }
          added(first: 100) { totalCount nodes { owner type ttl rdata } }
        }
      }
    }
  }
`);

type Domain = NonNullable<ImportJournalQuery["domain"]>;
type JournalImport = NonNullable<Domain["changes"]>["nodes"][number];

/** Whether a list of the journal is one of the preview: by its number, and by its records where the preview has all of them. */
function isList(list: JournalImport["added"], count: number, previewed: readonly DifferenceRow[]): boolean {
  // The journal counts an SOA that has other new fields than its serial.
  if (!list || (list.totalCount ?? 0) - Number(list.nodes.some(({ type }) => type === "SOA")) !== count) return false;
  const expected = new Set(contentsOf(previewed));
  return expected.size < count || contentsOf(list.nodes).every((content) => expected.has(content));
}

/** The serial of the import that was previewed, if it was committed; "changed" when somebody else changed the zone instead. */
export async function findImport(zone: string, previewed: ImportResult): Promise<number | "not committed" | "changed"> {
  const { domain } = await run(journalQuery, { zone });
  const change = domain?.changes?.nodes.find(
    ({ source, previousSerial, added, removed }) =>
      source === "IMPORT" &&
      previousSerial === previewed.zoneSerial &&
      isList(added, previewed.addedCount, previewed.added) &&
      isList(removed, previewed.removedCount, previewed.removed),
  );
  if (change) return change.serial;
  return domain?.serial === previewed.zoneSerial ? "not committed" : "changed";
}
