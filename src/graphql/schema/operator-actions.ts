/**
 * The operator's cures in the schema: a zone sent out afresh, a serial raised past a secondary that is ahead, a held catalog let go.
 */
import { Arg, Ctx, Field, InputType, Int, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { DateTimeScalar } from "../../scalars.ts";
import { type CatalogHold, catalogHold, confirmCatalog, republishDomain } from "../../secondary/catalog.ts";
import { resyncDomain } from "../../secondary/resync.ts";
import { Change, type ChangeRow } from "../../zone/change.ts";
import { Domain, type DomainRow, domainByZone } from "../../zone/domain.ts";
import type { Context } from "../context.ts";

@ObjectType("CatalogHold", {
  description: "A sudden shrink of the catalog that is held back: it would remove zones at every secondary.",
  simpleResolvers: true,
})
class HeldCatalog {
  @Field(() => DateTimeScalar, { description: "Since when it is held back." })
  heldSince!: Date;

  @Field(() => Int, { description: "How many zones the catalog names." })
  members!: number;

  @Field(() => Int, { description: "How many of them would go." })
  removals!: number;
}

@InputType({ description: "Which zone to send out afresh." })
class RepublishDomainInput {
  @Field(() => String, { description: "Zone name in any spelling." })
  zone!: string;
}

@InputType({ description: "Which zone to bring past what a secondary serves." })
class ResyncDomainInput {
  @Field(() => String, { description: "Zone name in any spelling." })
  zone!: string;
}

@ObjectType({ description: "The domain that is sent out afresh.", simpleResolvers: true })
class RepublishDomainPayload {
  @Field(() => Domain, { description: "The domain; its records and its serial are as they were." })
  domain!: DomainRow;
}

@ObjectType({ description: "The change that raised the serial.", simpleResolvers: true })
class ResyncDomainPayload {
  @Field(() => Change, { nullable: true, description: "The change; its serial lies past every one that was seen." })
  change!: ChangeRow | null;
}

@InputType({ description: "Which shrink of the catalog may happen." })
class ConfirmCatalogInput {
  @Field(() => Int, {
    description: "How many zones may go: the `removals` of catalogHold, so that no other shrink is meant.",
  })
  removals!: number;
}

@ObjectType({ description: "What was held back of the catalog.", simpleResolvers: true })
class ConfirmCatalogPayload {
  @Field(() => HeldCatalog, { nullable: true, description: "The shrink that may happen now; null when none was held." })
  confirmed!: CatalogHold | null;
}

@Resolver()
export class OperatorActionsResolver {
  @Query(() => HeldCatalog, {
    nullable: true,
    description: "The shrink of the catalog that is held back until confirmCatalog; null is none. Administrators only.",
  })
  async catalogHold(@Ctx() { session }: Context): Promise<CatalogHold | null> {
    return (await catalogHold(session)) ?? null;
  }

  @Mutation(() => ConfirmCatalogPayload, {
    description:
      "Lets the shrink of the catalog that is held back happen: zones go at every secondary. Administrators only.",
  })
  async confirmCatalog(
    @Arg("input", () => ConfirmCatalogInput) { removals }: ConfirmCatalogInput,
    @Ctx() { session }: Context,
  ): Promise<ConfirmCatalogPayload> {
    return { confirmed: (await confirmCatalog(session, removals)) ?? null };
  }

  @Mutation(() => RepublishDomainPayload, {
    description:
      "Has every secondary that follows the catalog fetch the zone afresh, without an outage (RFC 9432 §5.4).",
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
      "Raises the zone's serial past every secondary that is ahead of it, as after a restored backup; they take nothing older.",
  })
  async resyncDomain(
    @Arg("input", () => ResyncDomainInput) { zone }: ResyncDomainInput,
    @Ctx() { session }: Context,
  ): Promise<ResyncDomainPayload> {
    const { change } = await resyncDomain(session, zone);
    return { change };
  }
}
