/**
 * Publication after a restored backup in the schema: what is held where RESTORE_POLICY is `confirm`, and its confirmation.
 */
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { DateTimeScalar } from "../../scalars.ts";
import { confirmRestore, type RestoreHold, restoreHold } from "../../secondary/restore.ts";
import type { Context } from "../context.ts";

@ObjectType("RestoreHold", {
  description:
    "Publication that is held: secondaries serve what was not transferred to them from here, as after a restored backup.",
  simpleResolvers: true,
})
class HeldRestore {
  @Field(() => DateTimeScalar, { description: "Since when publication is held." })
  heldSince!: Date;

  @Field(() => Int, { description: "Number of zones that are not published to some secondary, with the catalog." })
  zoneCount!: number;

  @Field(() => [String], { description: "Names of these secondaries." })
  secondaryNames!: readonly string[];
}

@InputType({ description: "The hold to confirm." })
class ConfirmRestoreInput {
  @Field(() => DateTimeScalar, { description: "`heldSince` of restoreHold, so that no other hold is confirmed." })
  heldSince!: Date;
}

@ObjectType({ description: "The confirmed hold.", simpleResolvers: true })
class ConfirmRestorePayload {
  @Field(() => HeldRestore, {
    nullable: true,
    description: "What is published now; null when nothing was held.",
  })
  confirmed!: HeldRestore | null;
}

function shown(hold: RestoreHold | undefined): HeldRestore | null {
  return hold ? { heldSince: hold.heldSince, zoneCount: hold.zones, secondaryNames: hold.secondaries } : null;
}

@Resolver()
export class RestoreResolver {
  @Query(() => HeldRestore, {
    nullable: true,
    description:
      "What is held until confirmRestore where RESTORE_POLICY is confirm; null when nothing is. Administrators only.",
  })
  async restoreHold(@Ctx() { session }: Context): Promise<HeldRestore | null> {
    return shown(await restoreHold(session));
  }

  @Mutation(() => ConfirmRestorePayload, {
    description:
      "Publishes the zones that are held: what the secondaries have and this service does not is lost. Administrators only.",
  })
  async confirmRestore(
    @Arg("input", () => ConfirmRestoreInput) { heldSince }: ConfirmRestoreInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmRestorePayload> {
    return { confirmed: shown(await confirmRestore(session, heldSince)) };
  }
}
