/** Creates the change set that a rule makes, or previews it. */
import type { Session } from "../../session/session.ts";
import { rolledBack, transaction } from "../../session/transaction.ts";
import { type ChangeSetRow, changeSetById } from "../change-set.ts";
import { previewWithin, type ShownPreview } from "../check/preview.ts";
import { deleteSet } from "../prune.ts";
import { expectSize, insertSet, setUser } from "../stage/stage.ts";
import { PartWriter } from "../stage/store-parts.ts";
import { ChangeSetMode } from "../states.ts";
import { updateSet } from "../steps.ts";

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

/**
 * Creates a set of the parts that `insert` adds; none when it adds no part. A set that is too large for mode ALL gets mode EACH_ZONE. A dry
 * run is rolled back; its result has the preview in place of the set.
 */
export function createSet(
  session: Session,
  { title, dryRun = false, withPreview = dryRun }: SetToCreate,
  insert: (parts: PartWriter, inner: Session) => Promise<void>,
): Promise<CreatedSet> {
  const run = async (inner: Session): Promise<CreatedSet> => {
    const id = await insertSet(inner, { title });
    const parts = new PartWriter(inner, id);
    await insert(parts, inner);
    await parts.end();
    if (parts.zoneCount === 0) {
      await deleteSet(inner, id);
      return { changeSet: null, preview: null };
    }
    const { zones, records } = inner.policy.changeSetLimits;
    if (parts.zoneCount > zones || parts.editCount > records)
      await updateSet(inner, { id }, { mode: ChangeSetMode.EACH_ZONE });
    await expectSize(inner, id);
    await setUser(inner, id);
    const changeSet = await changeSetById(inner, id);
    const preview = withPreview ? await previewWithin(inner, changeSet) : null;
    return { changeSet: dryRun ? null : changeSet, preview };
  };
  return (dryRun ? rolledBack : transaction)(session, run);
}
