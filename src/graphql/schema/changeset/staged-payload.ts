/** The fields that mutations have in common which stage many edits as a change set. */
import { Field, ObjectType } from "type-graphql";
import { ChangeSet, type ChangeSetRow } from "../../../changeset/change-set.ts";
import { previewChangeSet, type ShownPreview } from "../../../changeset/check/preview.ts";
import { maxTitleLength } from "../../../changeset/stage/stage.ts";
import type { Session } from "../../../session/session.ts";
import { PlainTextField } from "../../checked-fields.ts";
import { ChangeSetPreview } from "./preview.ts";

/** The field of the title of the change set; `otherwise` is the title without it. */
export const TitleField = (otherwise: string) =>
  PlainTextField(maxTitleLength, {
    nullable: true,
    description: `The title of the change set, at most ${maxTitleLength} characters on one line; without it, ${otherwise}.`,
  });

/** The result of a mutation that stages many edits, or is a dry run. */
@ObjectType({ simpleResolvers: true })
export class StagedPayload {
  @Field(() => ChangeSet, { nullable: true, description: "Null in a dry run, and when nothing would change." })
  changeSet!: ChangeSetRow | null;

  /** A function, so that the preview of a change set is computed only when it is selected. */
  @Field(() => ChangeSetPreview, {
    nullable: true,
    description: "What the change set would do now; null when nothing would change.",
  })
  preview!: () => Promise<ShownPreview> | ShownPreview | null;
}

/** The change set of a mutation, or the preview of its dry run, as a payload. */
export const stagedPayload = (
  session: Session,
  { changeSet, preview }: { readonly changeSet: ChangeSetRow | null; readonly preview: ShownPreview | null },
): StagedPayload => ({ changeSet, preview: () => (changeSet ? previewChangeSet(session, changeSet) : preview) });
