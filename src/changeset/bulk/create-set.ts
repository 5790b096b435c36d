/** Creates the change set that a rule makes, or previews it. */
import type { Session } from "../../session/session.ts";
import { rolledBack, transaction } from "../../session/transaction.ts";
import type { ChangeSetRow } from "../change-set.ts";
import { previewWithin, type ShownPreview } from "../check/preview.ts";
import { createOfParts } from "../stage/stage.ts";
import type { PartWriter } from "../stage/store-parts.ts";

export interface CreatedSet {
  /** Null for a dry run, and when nothing would change. */
  readonly changeSet: ChangeSetRow | null;
  /** For a dry run, the effect of the change set; otherwise null. */
  readonly preview: ShownPreview | null;
}

/** Creates a set of the parts that `insert` adds. A dry run is rolled back; its result has the preview in place of the set. */
export function createSet(
  session: Session,
  { title, dryRun }: { readonly title: string; readonly dryRun: boolean },
  insert: (parts: PartWriter, inner: Session) => Promise<void>,
): Promise<CreatedSet> {
  const run = async (inner: Session): Promise<CreatedSet> => {
    const changeSet = await createOfParts(inner, { title }, (parts) => insert(parts, inner));
    if (!dryRun) return { changeSet, preview: null };
    return { changeSet: null, preview: changeSet && (await previewWithin(inner, changeSet)) };
  };
  return (dryRun ? rolledBack : transaction)(session, run);
}
