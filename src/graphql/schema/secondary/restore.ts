/**
 * Publication after a restored backup in the schema: what waits where RESTORE_POLICY is `confirm`, and its confirmation.
 */
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { DateTimeScalar } from "../../../scalars.ts";
import { confirmRestore, type RestoreHold, restoreHold } from "../../../secondary/restore.ts";
import type { Context } from "../../context.ts";

@ObjectType({
  description:
    "Publication that waits for confirmation: secondaries serve newer zones than this service has, as after a restored backup.",
  simpleResolvers: true,
})
class PendingRestore {
  @Field(() => DateTimeScalar, { description: "Since when publication waits." })
  pendingSince!: Date;

  @Field(() => Int, { description: "Number of zones that wait, with the catalog." })
  zoneCount!: number;

  @Field(() => [String], { description: "Names of these secondaries." })
  secondaryNames!: readonly string[];
}

@InputType({ description: "The restore to confirm." })
class ConfirmRestoreInput {
  @Field(() => DateTimeScalar, { description: "`pendingSince` of pendingRestore; INVALID_VALUE when it has changed." })
  pendingSince!: Date;
}

@ObjectType({ description: "The confirmed restore.", simpleResolvers: true })
class ConfirmRestorePayload {
  @Field(() => PendingRestore, { nullable: true, description: "What is published now; null when nothing was pending." })
  confirmed!: PendingRestore | null;
}

function shown(hold: RestoreHold | undefined): PendingRestore | null {
  return hold ? { pendingSince: hold.heldSince, zoneCount: hold.zones, secondaryNames: hold.secondaries } : null;
}

@Resolver()
export class RestoreResolver {
  @Query(() => PendingRestore, {
    nullable: true,
    description: "The publication that waits for confirmRestore (RESTORE_POLICY). Administrators only.",
  })
  async pendingRestore(@Ctx() { session }: Context): Promise<PendingRestore | null> {
    return shown(await restoreHold(session));
  }

  @Mutation(() => ConfirmRestorePayload, {
    description: "Publishes the zones that wait; what only the secondaries have is lost. Administrators only.",
  })
  async confirmRestore(
    @Arg("input", () => ConfirmRestoreInput) { pendingSince }: ConfirmRestoreInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmRestorePayload> {
    return { confirmed: shown(await confirmRestore(session, pendingSince)) };
  }
}
