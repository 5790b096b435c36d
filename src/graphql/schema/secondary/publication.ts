/** Publication in the schema: the state of a zone, the catalog or a change, and waiting until a change is live. */
import { Max, Min } from "class-validator";
import { Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { type CatalogRow, catalogRows } from "../../../secondary/catalog-zone.ts";
import {
  type PublicationRow,
  PublicationState,
  publications,
  type ServedRow,
  servedOf,
} from "../../../secondary/publication.ts";
import { waitForChange } from "../../../secondary/publication-wait.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import type { Context } from "../../context.ts";
import { DateTimeScalar, IdScalar, SerialScalar } from "../../scalars/scalars.ts";

@ObjectType({ description: "What one secondary was observed to serve.", simpleResolvers: true })
class SecondaryPublication {
  @Field(() => String, { description: "Name of the secondary." })
  name!: string;

  @Field(() => IdScalar, { nullable: true, description: "Id of the secondary; null for a user's key." })
  secondaryId!: number | null;

  @Field(() => PublicationState, { description: "The state at this secondary." })
  state!: PublicationState;

  @Field(() => Boolean, { description: "Whether it has not had all zones yet; it does not count while others have." })
  isJoining!: boolean;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial that it serves; null when it does not serve the zone, and for a user's key.",
  })
  serial!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it last answered an SOA query; null before the first answer, and for a user's key.",
  })
  seenAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "The error of the last query; null when it succeeded, and for a user's key.",
  })
  lastError!: string | null;
}

@ObjectType({ description: "Whether the secondaries serve a zone or a change.", simpleResolvers: true })
export class Publication {
  @Field(() => PublicationState, { description: "The state at all required secondaries together." })
  state!: PublicationState;

  @Field(() => SerialScalar, { description: "The serial that the secondaries should serve." })
  serial!: number;

  @Field(() => DateTimeScalar, {
    description:
      "Since when it has this state: the commit of the serial, or when the last required secondary served it.",
  })
  since!: Date;
}

const waitRange = { message: "write a number from 0 to 60000" };

@ArgsType()
class WaitArgs {
  @Field(() => Int, {
    defaultValue: 0,
    description: "How long to wait for LIVE, 0 to 60000 ms; no wait without a secondary.",
  })
  @Min(0, waitRange)
  @Max(60_000, waitRange)
  waitMs!: number;
}

@Resolver(() => Publication)
export class PublicationResolver {
  @FieldResolver(() => [SecondaryPublication], {
    nullable: true,
    complexity: 10,
    description: "What each secondary serves, by name; for a deletion, those that follow the catalog.",
  })
  secondaries(@Root() { of, id }: PublicationRow, @Ctx() context: Context): Promise<SecondaryPublication[]> {
    return context.load<ServedRow[]>("Publication.secondaries", of, id, (ids) => servedOf(context.session, of, ids));
  }
}

@Resolver(() => Domain)
export class DomainPublicationResolver {
  @FieldResolver(() => Publication, { nullable: true, description: "Publication of the zone at its committed serial." })
  publication(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<PublicationRow> {
    return context.loadRow("Domain.publication", id, (ids) => publications(context.session, "domain", ids));
  }
}

@Resolver(() => Change)
export class ChangePublicationResolver {
  @FieldResolver(() => Publication, {
    nullable: true,
    description: "LIVE when every required secondary serves its serial or a later one.",
  })
  async publication(
    @Root() { id }: ChangeRow,
    @Args(() => WaitArgs) { waitMs }: WaitArgs,
    @Ctx() context: Context,
  ): Promise<PublicationRow> {
    if (waitMs > 0) {
      const waited = await waitForChange(context.session, id, waitMs, context.caller.gone);
      if (waited) return waited;
    }
    return context.loadRow("Change.publication", id, (ids) => publications(context.session, "change", ids));
  }
}

@ObjectType({
  description: "A catalog zone, which lists zones for the secondaries (RFC 9432).",
  simpleResolvers: true,
})
class Catalog {
  @Field(() => String, { description: "DNS name of the catalog zone." })
  zone!: string;

  @Field(() => SerialScalar, { description: "Committed SOA serial of the catalog." })
  serial!: number;
}

@Resolver(() => Catalog)
export class CatalogResolver {
  @Query(() => Catalog, {
    nullable: true,
    description: "The first catalog zone; null before the first secondary. Administrators only.",
  })
  async catalog(@Ctx() { session }: Context): Promise<CatalogRow | null> {
    return (await catalogRows(session))[0] ?? null;
  }

  @Query(() => [Catalog], {
    nullable: true,
    description: "All catalog zones; several with CATALOG_MEMBERS_MAX. Administrators only.",
  })
  catalogs(@Ctx() { session }: Context): Promise<CatalogRow[]> {
    return catalogRows(session);
  }

  @FieldResolver(() => Int, { description: "Number of zones that it lists." })
  memberCount(@Root() { members }: CatalogRow): number {
    return members;
  }

  @FieldResolver(() => Publication, {
    nullable: true,
    description: "Publication of the catalog: LIVE when every secondary that follows it serves its serial.",
  })
  publication(@Root() { id }: CatalogRow, @Ctx() context: Context): Promise<PublicationRow> {
    return context.loadRow("Domain.publication", id, (ids) => publications(context.session, "domain", ids));
  }
}
