/**
 * What a change takes away from a zone, in the schema.
 */
import { Field, Int, ObjectType } from "type-graphql";

@ObjectType({
  description: "The records that a zone loses by a change. A client asks before a large loss whether it is meant.",
  simpleResolvers: true,
})
export class ZoneLoss {
  @Field(() => String, { description: "DNS name of the zone." })
  zone!: string;

  @Field(() => Boolean, { description: "Whether the zone is deleted with all its records." })
  isDeletion!: boolean;

  @Field(() => Int, { description: "Number of records that go; one that is edited stays." })
  lostCount!: number;

  @Field(() => Int, { description: "Number of records that the zone has before the change, SOA and NS among them." })
  recordCount!: number;

  @Field(() => Boolean, {
    description: "Whether the loss is large: a deletion, or more than ten records and a tenth of the zone.",
  })
  isLarge!: boolean;
}

/** The field of a payload that says what the change takes away from its zone. */
export const LossField = () =>
  Field(() => ZoneLoss, { description: "What the change takes away from the zone, or would in a dry run." });
