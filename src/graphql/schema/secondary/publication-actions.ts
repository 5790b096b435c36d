/**
 * Repairs by the operator in the schema: raising a serial past that of a secondary, confirming a removal from the catalog.
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
import { DateTimeScalar } from "../../../scalars.ts";
import { type CatalogHold, catalogHold, confirmCatalog } from "../../../secondary/catalog-guard.ts";
import { removedMembers } from "../../../secondary/catalog-zone.ts";
import { resyncDomain } from "../../../secondary/resync.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { zoneNamed } from "../../../zone/domain.ts";
import type { Context } from "../../context.ts";
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

function shown(hold: CatalogHold | undefined): CatalogRemoval | null {
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
    description: "The removal that waits for confirmCatalogRemoval. Administrators only.",
  })
  async pendingCatalogRemoval(@Ctx() { session }: Context): Promise<CatalogRemoval | null> {
    return shown(await catalogHold(session));
  }

  @Mutation(() => ConfirmCatalogRemovalPayload, {
    description: "Confirms the pending removal: every secondary deletes the zones. Administrators only.",
  })
  async confirmCatalogRemoval(
    @Arg("input", () => ConfirmCatalogRemovalInput) { removalCount }: ConfirmCatalogRemovalInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmCatalogRemovalPayload> {
    return { confirmed: shown(await confirmCatalog(session, removalCount)) };
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
}
