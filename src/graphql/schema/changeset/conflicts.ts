/**
 * The conflicts of change sets in the schema, and how somebody resolves them.
 */
import { Arg, Ctx, Field, InputType, Mutation, Resolver } from "type-graphql";
import { ChangeSet } from "../../../changeset/change-set.ts";
import { resolveConflicts } from "../../../changeset/stage/resolve-conflicts.ts";
import { Resolution } from "../../../changeset/states.ts";
import { RecordTypeScalar } from "../../../scalars.ts";
import type { Context } from "../../context.ts";
import { ZoneField } from "../shared/input-fields.ts";
import { ChangeSetPayload } from "./change-set.ts";
import { RevisionInput } from "./inputs.ts";

@InputType({ description: "What happens to conflicts of a change set in a zone." })
class ResolveConflictsInput extends RevisionInput {
  @ZoneField()
  zone!: string;

  @Field(() => String, { nullable: true, description: "Only conflicts of records of this owner." })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "Only conflicts of records of this type." })
  type?: string;

  @Field(() => Resolution, { description: "What happens to the edits." })
  resolution!: Resolution;
}

@Resolver(() => ChangeSet)
export class ChangeSetConflictsResolver {
  @Mutation(() => ChangeSetPayload, {
    description:
      "Resolves conflicts of a change set in a zone: keeps its edits, or leaves them out. Approvals are void.",
  })
  async resolveConflicts(
    @Arg("input", () => ResolveConflictsInput) { changeSetId, ...choice }: ResolveConflictsInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    const set = await resolveConflicts(session, changeSetId, {
      ...choice,
      zone: choice.zone,
      resolution: choice.resolution,
    });
    return new ChangeSetPayload(session, set);
  }
}
