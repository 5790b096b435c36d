/**
 * Fields that several inputs share: the same name has the same type and description everywhere.
 */
import { Field, ID, InputType } from "type-graphql";
import { SerialScalar } from "../../scalars.ts";

/** A zone by its name. */
export const ZoneField = () => Field(() => String, { description: "Zone name in any spelling." });

/** The serial that a zone must be at for a change to be made. */
export const ExpectedSerialField = () =>
  Field(() => SerialScalar, {
    nullable: true,
    description: "The serial the zone must be at, or the change is refused with STALE_SERIAL.",
  });

/** Whether a change is only checked. */
export const DryRunField = () =>
  Field(() => Boolean, {
    defaultValue: false,
    description: "Check everything and return what would change, but change nothing.",
  });

/** The input of a mutation that needs an id alone. */
@InputType()
export class IdInput {
  @Field(() => ID, { description: "The id of the object." })
  id!: string;
}

/** The input of a mutation that needs a zone alone. */
@InputType()
export class ZoneInput {
  @ZoneField()
  zone!: string;
}
