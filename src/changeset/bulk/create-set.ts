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
  /** The effect of the change set, of a dry run or when it was asked for; otherwise null. */
  readonly preview: ShownPreview | null;
}

interface SetToCreate {
  readonly title: string;
  readonly dryRun?: boolean;
  readonly withPreview?: boolean;
}

/** Creates a set of the parts that `insert` adds. A dry run is rolled back; its result has the preview in place of the set. */
export function createSet(
  session: Session,
  { title, dryRun = false, withPreview = dryRun }: SetToCreate,
  insert: (parts: PartWriter, inner: Session) => Promise<void>,
): Promise<CreatedSet> {
  const run = async (inner: Session): Promise<CreatedSet> => {
    const changeSet = await createOfParts(inner, { title }, (parts) => insert(parts, inner));
    const preview = changeSet && withPreview ? await previewWithin(inner, changeSet) : null;
    return { changeSet: dryRun ? null : changeSet, preview };
  };
  return (dryRun ? rolledBack : transaction)(session, run);
}
