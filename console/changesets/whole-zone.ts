/**
 * All that a change set would do to one zone, however much it is.
 */
import { graphql } from "../api/generated/gql.ts";
import { run } from "../api/run.ts";
import type { DifferenceLine } from "../difference/difference.ts";
import { type ChangedRecords, fold } from "../difference/fold.ts";
import { rowsOf } from "../difference/rrset-rows.ts";
import { lookAgain } from "./queries.ts";

const zonePreviewQuery = graphql(`
  query ChangeSetZonePreview($id: ID!, $zoneAfter: String, $after: String) {
    changeSetPreview(id: $id) {
      fingerprint
      zones(first: 1, after: $zoneAfter) {
        nodes {
          rrsets(first: 500, after: $after) {
            ...RrsetDifferences
          }
        }
      }
    }
  }
`);

/** All that a set would do to a zone, whose page of the preview has the beginning alone. */
export async function readWholeZone(
  id: string,
  fingerprint: string,
  zoneAfter: string | null,
): Promise<readonly DifferenceLine[]> {
  const changed: ChangedRecords[] = [];
  let after: string | null = null;
  do {
    const { changeSetPreview }: Awaited<ReturnType<typeof zonePage>> = await zonePage(id, zoneAfter, after);
    // Another effect is not put together with the one that is shown.
    if (changeSetPreview?.fingerprint !== fingerprint) {
      await lookAgain(id);
      return [];
    }
    const rrsets = changeSetPreview.zones?.nodes[0]?.rrsets;
    changed.push(rowsOf(rrsets?.nodes ?? []));
    after = rrsets?.pageInfo.hasNextPage ? (rrsets.pageInfo.endCursor ?? null) : null;
  } while (after !== null);
  return fold(changed);
}

const zonePage = (id: string, zoneAfter: string | null, after: string | null) =>
  run(zonePreviewQuery, { id, zoneAfter, after });
