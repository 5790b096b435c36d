/**
 * The `extensions` of errors as types of the schema, so that clients generate them. No field has them: GraphQL has no place
 * for the types of its errors.
 */
import { Field, Int, ObjectType } from "type-graphql";
import type { Code } from "../../error-codes.ts";
import { DateTimeScalar, ErrorCode, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars.ts";

@ObjectType("ErrorReason", {
  description: "One reason of an error: something that is wrong, and what to write instead.",
  simpleResolvers: true,
})
class ErrorReason {
  @Field(() => ErrorCode, { description: "What is wrong." })
  code!: Code;

  @Field(() => String, { description: "What is wrong, and what to write instead." })
  message!: string;

  @Field(() => String, {
    nullable: true,
    description:
      "The input field that is wrong, with the row of a list, counted from 0, such as `add.3.rdata`; of the zone as a whole, the " +
      "last edit that writes at the owner.",
  })
  field?: string;

  @Field(() => Int, { nullable: true, description: "The line of the master file, from 1; null without a file." })
  line?: number;

  @Field(() => String, {
    nullable: true,
    description: "The owner at which the zone would be wrong; null where the zone as a whole was not checked.",
  })
  owner?: string;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "The record type that it is about; null where it is about all records of the owner.",
  })
  type?: string;

  @Field(() => [String], {
    nullable: true,
    description:
      "Every edit of changeRecords that takes part, such as `add.3`, `update.0` or `remove.2`; without one of them the reason might " +
      "not hold. Null where the zone as a whole was not checked.",
  })
  edits?: string[];
}

@ObjectType("ExceededQuota", { description: "A quota that something would exceed.", simpleResolvers: true })
class ExceededQuota {
  @Field(() => String, { description: "Its name in `User.quota`, such as `recordsPerDomain`." })
  quota!: string;

  @Field(() => String, { description: "DNS name of the zone whose change would exceed it; of several, the first." })
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
  @Field(() => [ErrorReason], {
    description: "Everything that is wrong in the first step that fails; the first gives code and field.",
  })
  reasons!: ErrorReason[];

  @Field(() => String, {
    nullable: true,
    description:
      "The id under which the service log has the cause; of INTERNAL_ERROR, and of UNAVAILABLE where the database failed.",
  })
  errorId?: string;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The present serial of the zone; of STALE_SERIAL, SERIAL_NOT_INCREASED and SERIAL_LEAP.",
  })
  serial?: number;

  @Field(() => [IdScalar], {
    nullable: true,
    description: "The later changes that are in the way, the newest first, at most 100; of CHANGE_CONFLICT.",
  })
  changeIds?: number[];

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial at which the journal of the zone begins; of a moment that there is not.",
  })
  firstSerial?: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When the journal of the zone begins; of a moment that there is not.",
  })
  firstTime?: string;

  @Field(() => [ExceededQuota], {
    nullable: true,
    description:
      "The quotas of the zone's user that would be exceeded; of QUOTA_EXCEEDED, where one of these is meant.",
  })
  quotas?: ExceededQuota[];

  @Field(() => [Int], { nullable: true, description: "The values that are accepted; of INVALID_TTL over REST." })
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
    description: "Seconds after which to try again, as the header `Retry-After`; null where that would not help.",
  })
  retryAfter?: number;

  @Field(() => ErrorDetails, { description: "The reasons, and what else is known." })
  details!: ErrorDetails;
}
