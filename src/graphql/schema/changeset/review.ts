/**
 * Reviews of change sets in the schema: verdicts, comments, resolved conflicts, and the actions that the key may take.
 */
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Mutation, ObjectType, Resolver, Root } from "type-graphql";
import { userIdsOfKeys } from "../../../account/api-key.ts";
import { User, type UserRow } from "../../../account/user.ts";
import { ChangeSet, ChangeSetEvent, type ChangeSetRow } from "../../../changeset/change-set.ts";
import type { ChangeSetEventRow } from "../../../changeset/contents.ts";
import { needsOf } from "../../../changeset/needed-approvals.ts";
import {
  availableActions,
  commentChangeSet,
  reviewChangeSet,
  reviewOf,
  type ShownReview,
  submitChangeSet,
  withdrawChangeSet,
} from "../../../changeset/review/review.ts";
import { resolveConflicts } from "../../../changeset/stage/resolve-conflicts.ts";
import { ChangeSetAction, Resolution, Verdict } from "../../../changeset/states.ts";
import type { Context } from "../../context.ts";
import { DateTimeScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { ZoneField } from "../shared/input-fields.ts";
import { usualItems } from "../shared/payloads.ts";
import { userOf } from "../shared/rows.ts";
import { ChangeSetPayload } from "./change-set.ts";
import { ChangeSetStepInput, CommentChangeSetInput, ReviewChangeSetInput, RevisionInput } from "./inputs.ts";

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

@ObjectType({ description: "What a reviewer said of a change set.", simpleResolvers: true })
class ChangeSetReview {
  @Field(() => String, { description: "The name of the reviewer's key." })
  actor!: string;

  @Field(() => Verdict, { description: "What was said of it." })
  verdict!: Verdict;

  @Field(() => String, { description: "What the reviewer wrote; it may be empty." })
  text!: string;

  @Field(() => DateTimeScalar, { description: "When it was said." })
  at!: Date;

  @Field(() => Int, { description: "The revision of the change set that was reviewed." })
  revision!: number;

  @Field(() => String, { description: "The fingerprint of the preview that was reviewed." })
  fingerprint!: string;

  @Field(() => Boolean, {
    description:
      "Whether it is the reviewer's last, of the present revision; it counts while the preview has its fingerprint.",
  })
  valid!: boolean;
}

const userField = {
  nullable: true,
  description:
    "The user whose key it was; null for an administrator's key, a deleted user, and one that this key may not see.",
} as const;

/** The user of a key; null for a key of no user, or of the service itself. */
async function userOfKey(keyId: number | null, context: Context): Promise<UserRow | null> {
  if (keyId === null) return null;
  const read = (ids: readonly number[]) => userIdsOfKeys(context.session, ids);
  return userOf(await context.load("ApiKey.userId", null, keyId, read), context);
}

@Resolver(() => ChangeSetReview)
export class ReviewerResolver {
  @FieldResolver(() => User, userField)
  user(@Root() { keyId }: ShownReview, @Ctx() context: Context): Promise<UserRow | null> {
    return userOfKey(keyId, context);
  }
}

@Resolver(() => ChangeSetEvent)
export class ChangeSetEventResolver {
  @FieldResolver(() => User, userField)
  user(@Root() { keyId }: ChangeSetEventRow, @Ctx() context: Context): Promise<UserRow | null> {
    return userOfKey(keyId, context);
  }
}

@Resolver(() => ChangeSet)
export class ChangeSetReviewResolver {
  @FieldResolver(() => [ChangeSetReview], {
    nullable: true,
    complexity: usualItems,
    description: "What reviewers said of it, from its beginning.",
  })
  async reviews(@Root() set: ChangeSetRow, @Ctx() { session }: Context): Promise<ShownReview[]> {
    return (await reviewOf(session, set)).shown();
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "How many persons other than its authors approve its present revision. A person is a key with the keys that it created.",
  })
  async approvalCount(@Root() set: ChangeSetRow, @Ctx() { session }: Context): Promise<number> {
    return (await reviewOf(session, set)).approvalOf().given;
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description: "How many persons must approve it: the maximum of `requestedApprovals` and what its zones require.",
  })
  async requiredApprovals(@Root() set: ChangeSetRow, @Ctx() { session }: Context): Promise<number> {
    return (await needsOf(session, set)).approvals;
  }

  @FieldResolver(() => [ChangeSetAction], {
    nullable: true,
    description: "What the key may do with the change set now.",
  })
  availableActions(@Root() set: ChangeSetRow, @Ctx() { session }: Context): Promise<ChangeSetAction[]> {
    return availableActions(session, set);
  }

  @Mutation(() => ChangeSetPayload, {
    description: "Submits a draft to review; it is approved at once when it requires no approval.",
  })
  async submitChangeSet(
    @Arg("input", () => ChangeSetStepInput) { changeSetId, ...step }: ChangeSetStepInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await submitChangeSet(session, changeSetId, step));
  }

  @Mutation(() => ChangeSetPayload, { description: "Takes a change set out of review: it is a draft again." })
  async withdrawChangeSet(
    @Arg("input", () => ChangeSetStepInput) { changeSetId, ...step }: ChangeSetStepInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await withdrawChangeSet(session, changeSetId, step));
  }

  @Mutation(() => ChangeSetPayload, {
    description:
      "Approves what a change set would do, or asks for changes. FORBIDDEN to its authors. An approval is void once the change set would do something else.",
  })
  async reviewChangeSet(
    @Arg("input", () => ReviewChangeSetInput) { changeSetId, ...review }: ReviewChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await reviewChangeSet(session, changeSetId, review));
  }

  @Mutation(() => ChangeSetPayload, { description: "Writes a comment on a change set, in any state." })
  async commentChangeSet(
    @Arg("input", () => CommentChangeSetInput) { changeSetId, text }: CommentChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await commentChangeSet(session, changeSetId, text));
  }

  @Mutation(() => ChangeSetPayload, {
    description:
      "Resolves conflicts of a change set in a zone: keeps its edits, or leaves them out. Approvals are void.",
  })
  async resolveConflicts(
    @Arg("input", () => ResolveConflictsInput) { changeSetId, ...choice }: ResolveConflictsInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await resolveConflicts(session, changeSetId, choice));
  }
}
