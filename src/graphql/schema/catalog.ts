/**
 * The catalog zone in the schema: its publication, which is that of any zone, and raising its serial.
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
import { SerialScalar } from "../../scalars.ts";
import { type CatalogRow, catalogRow } from "../../secondary/catalog-zone.ts";
import { type PublicationRow, publications } from "../../secondary/publication.ts";
import { resyncCatalog } from "../../secondary/resync.ts";
import type { Context } from "../context.ts";
import { ZoneInput } from "./input-fields.ts";
import { Publication } from "./publication.ts";

@ObjectType({
  description: "The catalog zone, from which secondaries learn which zones there are (RFC 9432).",
  simpleResolvers: true,
})
class Catalog {
  @Field(() => String, { description: "DNS name of the catalog zone." })
  zone!: string;

  @Field(() => SerialScalar, { description: "SOA serial of the catalog as it is committed." })
  serial!: number;
}

@InputType({ description: "The catalog whose serial to raise: `zone` of `catalog`." })
class ResyncCatalogInput extends ZoneInput {}

@ObjectType({ description: "The catalog with its raised serial.", simpleResolvers: true })
class ResyncCatalogPayload {
  @Field(() => Catalog, { description: "The catalog." })
  catalog!: CatalogRow;
}

@Resolver(() => Catalog)
export class CatalogResolver {
  @Query(() => Catalog, {
    nullable: true,
    description: "The catalog zone; null before the first secondary. Administrators only.",
  })
  async catalog(@Ctx() { session }: Context): Promise<CatalogRow | null> {
    return (await catalogRow(session)) ?? null;
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

  @Mutation(() => ResyncCatalogPayload, {
    description:
      "Raises the catalog's serial past every observed one; each secondary transfers it whole. Administrators only.",
  })
  async resyncCatalog(
    @Arg("input", () => ResyncCatalogInput) { zone }: ResyncCatalogInput,
    @Ctx() { session }: Context,
  ): Promise<ResyncCatalogPayload> {
    await resyncCatalog(session, zone);
    return { catalog: (await catalogRow(session)) as CatalogRow };
  }
}
