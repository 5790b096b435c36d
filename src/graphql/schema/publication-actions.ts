/**
 * Repairs by the operator in the schema: transferring a zone again, raising a serial past that of a secondary,
 * confirming a held catalog.
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
import { DateTimeScalar } from "../../scalars.ts";
import { type CatalogHold, catalogHold, confirmCatalog } from "../../secondary/catalog-guard.ts";
import { removedMembers, republishDomain } from "../../secondary/catalog-zone.ts";
import { resyncDomain } from "../../secondary/resync.ts";
import { Change, type ChangeRow } from "../../zone/change.ts";
import { Domain, type DomainRow, domainByZone } from "../../zone/domain.ts";
import type { Context } from "../context.ts";
import { ZoneInput } from "./input-fields.ts";

@ObjectType("CatalogHold", {
  description: "A removal of many zones from the catalog that is held back, since every secondary would delete them.",
  simpleResolvers: true,
})
class HeldCatalog {
  @Field(() => DateTimeScalar, { description: "Since when the removal is held back." })
  heldSince!: Date;

  @Field(() => Int, { description: "Number of zones in the catalog." })
  memberCount!: number;

  @Field(() => Int, { description: "Number of zones that would be removed." })
  removalCount!: number;
}

@InputType({ description: "The zone to transfer again." })
class RepublishDomainInput extends ZoneInput {}

@InputType({ description: "The zone whose serial to raise." })
class ResyncDomainInput extends ZoneInput {}

@ObjectType({ description: "The republished domain.", simpleResolvers: true })
class RepublishDomainPayload {
  @Field(() => Domain, { description: "The domain, with its records and serial unchanged." })
  domain!: DomainRow;
}

@ObjectType({ description: "The change that raised the serial.", simpleResolvers: true })
class ResyncDomainPayload {
  @Field(() => Change, { nullable: true, description: "The change that raised the serial." })
  change!: ChangeRow | null;
}

@InputType({ description: "The removal from the catalog to confirm." })
class ConfirmCatalogInput {
  @Field(() => Int, {
    description:
      "Number of zones that may be removed: `removalCount` of catalogHold, so that no other removal is confirmed.",
  })
  removalCount!: number;
}

@ObjectType({ description: "The confirmed removal from the catalog.", simpleResolvers: true })
class ConfirmCatalogPayload {
  @Field(() => HeldCatalog, {
    nullable: true,
    description: "The removal that happens now; null when none was held back.",
  })
  confirmed!: HeldCatalog | null;
}

function shown(hold: CatalogHold | undefined): HeldCatalog | null {
  return hold ? { heldSince: hold.heldSince, memberCount: hold.members, removalCount: hold.removals } : null;
}

@Resolver(() => HeldCatalog)
export class OperatorActionsResolver {
  @FieldResolver(() => [String], {
    nullable: true,
    description: "The zones that would be removed, by name; the first 1000.",
  })
  zones(@Root() _hold: HeldCatalog, @Ctx() { session }: Context): Promise<string[]> {
    return removedMembers(session);
  }

  @Query(() => HeldCatalog, {
    nullable: true,
    description: "The removal that is held back until confirmCatalog; null without one. Administrators only.",
  })
  async catalogHold(@Ctx() { session }: Context): Promise<HeldCatalog | null> {
    return shown(await catalogHold(session));
  }

  @Mutation(() => ConfirmCatalogPayload, {
    description: "Confirms the removal that is held back: every secondary deletes the zones. Administrators only.",
  })
  async confirmCatalog(
    @Arg("input", () => ConfirmCatalogInput) { removalCount }: ConfirmCatalogInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmCatalogPayload> {
    return { confirmed: shown(await confirmCatalog(session, removalCount)) };
  }

  @Mutation(() => RepublishDomainPayload, {
    description: "Makes each secondary that follows the catalog transfer the whole zone again (RFC 9432 §5.4).",
  })
  async republishDomain(
    @Arg("input", () => RepublishDomainInput) { zone }: RepublishDomainInput,
    @Ctx() { session }: Context,
  ): Promise<RepublishDomainPayload> {
    await republishDomain(session, zone);
    return { domain: await domainByZone(session, zone) };
  }

  @Mutation(() => ResyncDomainPayload, {
    description:
      "Raises the zone's serial past every observed one, as after a restored backup: a secondary accepts no lower one. Only an administrator raises it past a serial that lies more than 10,000,000 past an ordinary change; a user gets FORBIDDEN if only such serials are ahead. If the serial is about half the circle of serials away, the zone takes ordinary steps: resync it again when the other secondaries have them.",
  })
  async resyncDomain(
    @Arg("input", () => ResyncDomainInput) { zone }: ResyncDomainInput,
    @Ctx() { session }: Context,
  ): Promise<ResyncDomainPayload> {
    const { change } = await resyncDomain(session, zone);
    return { change };
  }
}
