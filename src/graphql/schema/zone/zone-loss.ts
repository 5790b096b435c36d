/**
 * What a change takes away from a zone, in the schema.
 */
import { Field, Int, ObjectType } from "type-graphql";

@ObjectType({
  description: "The records that a zone loses by a change. Ask for confirmation before a large loss.",
  simpleResolvers: true,
})
export class ZoneLoss {
  @Field(() => String, { description: "DNS name of the zone." })
  zone!: string;

  @Field(() => Boolean, { description: "Whether the zone is deleted with all its records." })
  isDeletion!: boolean;

  @Field(() => Int, { description: "Number of records that go; one that is edited stays." })
  lostCount!: number;

  @Field(() => Int, { description: "Number of records of the zone before the change, with SOA and NS." })
  recordCount!: number;

  @Field(() => Boolean, {
    description: "Whether the loss is large: a deletion, or more than ten records and a tenth of the zone.",
  })
  isLarge!: boolean;
}

/** The field of a payload that says what the change takes away from its zone. */
export const LossField = () =>
  Field(() => ZoneLoss, { description: "The records that the zone loses, also in a dry run." });
