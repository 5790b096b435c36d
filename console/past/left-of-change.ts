/** Whether anything of a change can still be taken back by itself, where later changes are in the way of undoing it. */
import type { DifferenceLine } from "../difference/difference.ts";
import { emptyDraft } from "../sheet/draft/draft.ts";
import { inverse, ownersOf } from "../sheet/draft/inverse.ts";
import { Records } from "../sheet/records/records.ts";
import { sheetService } from "../sheet/records/requests.ts";

/** Owners that are read to find it out; a larger change is taken to have something left. */
const maxOwners = 50;

/** Throws Refused or Unreachable. */
export async function isAnyLeft(zone: string, lines: readonly DifferenceLine[], signal: AbortSignal): Promise<boolean> {
  const owners = new Set(ownersOf(lines));
  if (owners.size > maxOwners) return true;
  const records = new Records(zone);
  // One after the other: a key has few requests in progress.
  for (const owner of owners) records.replaceOwners(new Set([owner]), await sheetService.ofOwner(zone, owner, signal));
  return inverse(emptyDraft(zone), records, lines).draft.edits.size > 0;
}
