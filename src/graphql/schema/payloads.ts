/**
 * Fields that the results of several mutations share.
 */
import { Field, ID, ObjectType } from "type-graphql";
import { Change, type ChangeRow } from "../../zone/change.ts";

/** The field of a mutation's warnings. */
export const WarningsField = (description = "Warnings: accepted, but probably mistakes.") =>
  Field(() => [String], { description });

/** The result of a mutation that always changes a zone. */
@ObjectType({ simpleResolvers: true })
export class ChangePayload {
  @Field(() => Change, { description: "The committed change." })
  change!: ChangeRow;

  @WarningsField()
  warnings!: readonly string[];
}

/** The result of a mutation that may find nothing to change, or only checks. */
@ObjectType({ simpleResolvers: true })
export class OptionalChangePayload {
  @Field(() => Change, {
    nullable: true,
    description: "The committed change; null in a dry run, and when nothing changed.",
  })
  change!: ChangeRow | null;

  @WarningsField()
  warnings!: readonly string[];
}

/** The result of a mutation that deletes an object. */
@ObjectType({ simpleResolvers: true })
export class DeletePayload {
  @Field(() => ID, { description: "The id of the deleted object." })
  deletedId!: number;
}
