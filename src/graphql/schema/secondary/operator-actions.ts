/**
 * Repairs by operators in the schema: raising a serial past that of a secondary, confirming a removal from the catalog,
 * and confirming publication after a backup was restored.
 */
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { type CatalogHold, catalogHold, confirmCatalog, removedMembers } from "../../../secondary/catalog-zone.ts";
import { confirmRestore, type RestoreHold, restoreHold } from "../../../secondary/restore.ts";
import { resyncDomain } from "../../../secondary/resync.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { zoneNamed } from "../../../zone/domain.ts";
import type { Context } from "../../context.ts";
import { DateTimeScalar } from "../../scalars/scalars.ts";
import { DomainInput } from "../zone/domain-inputs.ts";

@ObjectType("PendingCatalogRemoval", {
  description:
    "A removal of many zones from the catalog that waits for confirmation: every secondary would delete them.",
  simpleResolvers: true,
})
class CatalogRemoval {
  @Field(() => DateTimeScalar, { description: "Since when it waits." })
  pendingSince!: Date;

  @Field(() => Int, { description: "Number of zones in the catalog." })
  memberCount!: number;

  @Field(() => Int, { description: "Number of zones that would be removed." })
  removalCount!: number;
}

@InputType({ description: "The zone to resync." })
class ResyncDomainInput extends DomainInput {}

@ObjectType({ description: "The change that raised the serial.", simpleResolvers: true })
class ResyncDomainPayload {
  @Field(() => Change, { nullable: true, description: "The change that raised the serial." })
  change!: ChangeRow | null;
}

@InputType({ description: "The removal from the catalog to confirm." })
class ConfirmCatalogRemovalInput {
  @Field(() => Int, { description: "`removalCount` of pendingCatalogRemoval; INVALID_VALUE when it has changed." })
  removalCount!: number;
}

@ObjectType({ description: "The confirmed removal from the catalog.", simpleResolvers: true })
class ConfirmCatalogRemovalPayload {
  @Field(() => CatalogRemoval, { nullable: true, description: "The confirmed removal; null when none was pending." })
  confirmed!: CatalogRemoval | null;
}

function shownRemoval(hold: CatalogHold | undefined): CatalogRemoval | null {
  return hold ? { pendingSince: hold.heldSince, memberCount: hold.members, removalCount: hold.removals } : null;
}

@Resolver(() => CatalogRemoval)
export class OperatorActionsResolver {
  @FieldResolver(() => [String], {
    nullable: true,
    description: "Names of the zones that would be removed, sorted; the first 1000.",
  })
  zones(@Root() _removal: CatalogRemoval, @Ctx() { session }: Context): Promise<string[]> {
    return removedMembers(session);
  }

  @Query(() => CatalogRemoval, {
    nullable: true,
    description: "The removal that waits for confirmCatalogRemoval; null when none waits. Administrators only.",
  })
  async pendingCatalogRemoval(@Ctx() { session }: Context): Promise<CatalogRemoval | null> {
    return shownRemoval(await catalogHold(session));
  }

  @Mutation(() => ConfirmCatalogRemovalPayload, {
    description: "Confirms the pending removal: every secondary deletes the zones. Administrators only.",
  })
  async confirmCatalogRemoval(
    @Arg("input", () => ConfirmCatalogRemovalInput) { removalCount }: ConfirmCatalogRemovalInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmCatalogRemovalPayload> {
    return { confirmed: shownRemoval(await confirmCatalog(session, removalCount)) };
  }

  @Mutation(() => ResyncDomainPayload, {
    description:
      "Makes every secondary transfer the whole zone again, as after a restored backup: raises the serial past every observed one. A user's key may raise it by 10,000,000 at most. A serial half the circle away is reached in steps: repeat the mutation once the other secondaries have followed. A secondary that takes the raised serial for an earlier one gets the zone as a new member of the catalog (RFC 9432 §5.4). An administrator may resync the catalog by its name.",
  })
  async resyncDomain(
    @Arg("input", () => ResyncDomainInput) { by }: ResyncDomainInput,
    @Ctx() { session }: Context,
  ): Promise<ResyncDomainPayload> {
    const { change } = await resyncDomain(session, await zoneNamed(session, by));
    return { change };
  }

  @Query(() => PendingRestore, {
    nullable: true,
    description:
      "The publication that waits for confirmRestore (RESTORE_POLICY); null when none waits. Administrators only.",
  })
  async pendingRestore(@Ctx() { session }: Context): Promise<PendingRestore | null> {
    return shownRestore(await restoreHold(session));
  }

  @Mutation(() => ConfirmRestorePayload, {
    description: "Publishes the zones that wait; what only the secondaries have is lost. Administrators only.",
  })
  async confirmRestore(
    @Arg("input", () => ConfirmRestoreInput) { pendingSince }: ConfirmRestoreInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmRestorePayload> {
    return { confirmed: shownRestore(await confirmRestore(session, pendingSince)) };
  }
}

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

function shownRestore(hold: RestoreHold | undefined): PendingRestore | null {
  return hold ? { pendingSince: hold.heldSince, zoneCount: hold.zones, secondaryNames: hold.secondaries } : null;
}
