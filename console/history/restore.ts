/**
 * Bringing a zone back to a moment: what that would do to the zone as it is, for a draft of its sheet, and the same as a change that waits to
 * be applied, where a draft cannot hold it.
 */
import { queryOptions } from "@tanstack/react-query";
import type { RevertDomainInput } from "../api/generated/graphql.ts";
import { queries } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import { zoneOptions } from "../api/zone.ts";
import { changeLines } from "../difference/difference.ts";
import { rowsOf } from "../difference/rrset-rows.ts";
import { maxEdits } from "../sheet/draft/draft.ts";

const revertDomain = graphql(`
  mutation RevertDomain($input: RevertDomainInput!) {
    revertDomain(input: $input) {
      changeSet { id }
      diff { ...RrsetDifference }
    }
  }
`);

async function revert(zone: string, serial: number, terms: Partial<RevertDomainInput>, signal?: AbortSignal) {
  const { serial: expectedSerial } = await queries.fetchQuery({ ...zoneOptions(zone), staleTime: 0 });
  const input = { by: { zone }, to: { serial }, expectedSerial, ...terms };
  return (await run(revertDomain, { input }, signal)).revertDomain;
}

/** RRsets of a difference that the service returns at most. */
const maxRrsets = 1000;

/**
 * The opposite of what it would do, which is what a draft takes back; and whether a draft can hold that: not of the SOA, which drafts leave
 * as it is.
 */
export const restorationOptions = (zone: string, serial: number) =>
  queryOptions({
    queryKey: ["restoration-to", zone, serial],
    queryFn: async ({ signal }) => {
      const diff = (await revert(zone, serial, { dryRun: true }, signal))?.diff ?? [];
      const { added, removed } = rowsOf(diff);
      const lines = changeLines({ added: removed, removed: added });
      const hasSoa = lines.some(({ row }) => row.type === "SOA");
      return { lines, isDraft: diff.length < maxRrsets && lines.length <= maxEdits && !hasSoa };
    },
  });

/** Stages it in a change set; returns its id, undefined where nothing has to be changed. */
export const restoreAsSet = async (zone: string, serial: number): Promise<string | undefined> =>
  (await revert(zone, serial, { asChangeSet: true, note: `Restore ${serial}` }))?.changeSet?.id;
