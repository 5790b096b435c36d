/**
 * The `extensions` of errors as types, so that clients can generate code for them. No field returns them: a GraphQL
 * schema has no place for the types of errors.
 */
import { Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from "type-graphql";
import { ReviewPolicy } from "../../../account/review-policy.ts";
import { ChangeSetState } from "../../../changeset/states.ts";
import type { Code } from "../../../error-codes.ts";
import type { Reason } from "../../../errors.ts";
import { withoutPlace } from "../../error-format.ts";
import { DateTimeScalar, ErrorCode, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";

/** The usual number of reasons of a refusal, as the row limit counts them. */
export const usualReasons = 5;

@ObjectType("ErrorReason", { description: "A reason why something is or would be refused.", simpleResolvers: true })
export class ErrorReason {
  @Field(() => ErrorCode, { description: "What is wrong." })
  code!: Code;

  /** ErrorReasonResolver declares the field. */
  message!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "The input field that is wrong, such as `add.3.rdata` with rows from 0, below the argument `input`, `filter` or `by`; null if none.",
  })
  field?: string;

  @Field(() => String, {
    nullable: true,
    description: "The field of the record data that is wrong, as in `recordTypes`, such as `preference`; null if none.",
  })
  part?: string;

  @Field(() => Int, { nullable: true, description: "The line of the master file, from 1; null without a file." })
  line?: number;

  @Field(() => String, { nullable: true, description: "The owner that it is about; null if none." })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "The record type that it is about; null if none." })
  type?: string;

  @Field(() => [String], {
    nullable: true,
    description:
      "Every edit of changeRecords that takes part, such as `add.3`; null for a value, and where no edits were sent.",
  })
  edits?: string[];
}

@Resolver(() => ErrorReason)
export class ErrorReasonResolver {
  @FieldResolver(() => String, { description: "What is wrong, and what to write instead." })
  message(@Root() reason: Reason): string {
    return withoutPlace(reason).message;
  }
}

@ObjectType("ExceededQuota", { description: "A quota that something would exceed.", simpleResolvers: true })
class ExceededQuota {
  @Field(() => String, { description: "Its name in `User.quota`, such as `recordsPerDomain`." })
  quota!: string;

  @Field(() => String, { description: "DNS name of the zone whose change would exceed it." })
  zone!: string;

  @Field(() => Int, { description: "The limit." })
  limit!: number;

  @Field(() => Int, { description: "What is used of it." })
  usage!: number;

  @Field(() => Int, { description: "What would be used of it." })
  wanted!: number;
}

@ObjectType("ErrorDetails", { description: "What an error says besides its code.", simpleResolvers: true })
class ErrorDetails {
  @Field(() => [ErrorReason], { description: "Everything that is wrong; the first gives code and field." })
  reasons!: ErrorReason[];

  @Field(() => String, {
    nullable: true,
    description: "INTERNAL_ERROR, and UNAVAILABLE when the database failed: the id of the cause in the log.",
  })
  errorId?: string;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "STALE_SERIAL, SERIAL_NOT_INCREASED, SERIAL_LEAP: the present serial.",
  })
  serial?: number;

  @Field(() => [IdScalar], {
    nullable: true,
    description: "CHANGE_CONFLICT: the later changes that are in the way, newest first, at most 100.",
  })
  changeIds?: number[];

  @Field(() => SerialScalar, {
    nullable: true,
    description: "A moment that does not exist: the serial at which the journal begins.",
  })
  firstSerial?: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "A moment that does not exist: when the journal begins.",
  })
  firstTime?: string;

  @Field(() => [ExceededQuota], {
    nullable: true,
    description: "QUOTA_EXCEEDED: the quotas of the user that would be exceeded.",
  })
  quotas?: ExceededQuota[];

  @Field(() => String, { nullable: true, description: "STALE_CHANGE_SET: the fingerprint of the present preview." })
  fingerprint?: string;

  @Field(() => Int, { nullable: true, description: "STALE_CHANGE_SET: the present revision." })
  revision?: number;

  @Field(() => ChangeSetState, { nullable: true, description: "WRONG_STATE: the present state of the change set." })
  state?: ChangeSetState;

  @Field(() => [ChangeSetState], { nullable: true, description: "WRONG_STATE: the states in which it is possible." })
  neededStates?: ChangeSetState[];

  @Field(() => String, { nullable: true, description: "REVIEW_REQUIRED: DNS name of the zone." })
  zone?: string;

  @Field(() => ReviewPolicy, { nullable: true, description: "REVIEW_REQUIRED: the review policy of the zone." })
  review?: ReviewPolicy;

  @Field(() => Float, { nullable: true, description: "QUERY_TOO_COMPLEX: the limit." })
  limit?: number;

  @Field(() => Float, { nullable: true, description: "QUERY_TOO_COMPLEX: what the operation has of it." })
  value?: number;

  @Field(() => [Int], { nullable: true, description: "INVALID_TTL over REST: the accepted values." })
  choices?: number[];
}

@ObjectType("ErrorExtensions", {
  description:
    "The `extensions` of an error. No field has this type: it is for clients that generate types from the schema. GraphQL Code Generator " +
    "makes it with the plugin `typescript`; the preset `client` has only types of operations. What is null here is absent there.",
  simpleResolvers: true,
})
export class ErrorExtensions {
  @Field(() => ErrorCode, { description: "What is wrong: that of the first reason." })
  code!: Code;

  @Field(() => String, { nullable: true, description: "The input field that is wrong: that of the first reason." })
  field?: string;

  @Field(() => Int, {
    nullable: true,
    description: "Seconds after which to try again; null where that would not help.",
  })
  retryAfter?: number;

  @Field(() => ErrorDetails, {
    description: "The reasons, and what else is known; each field but `reasons` names its codes.",
  })
  details!: ErrorDetails;
}
