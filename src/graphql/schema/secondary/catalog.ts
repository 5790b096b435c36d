/**
 * The catalog zone in the schema: its publication, which is that of any zone.
 */
import { Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { SerialScalar } from "../../../scalars.ts";
import { type CatalogRow, catalogRow } from "../../../secondary/catalog-zone.ts";
import { type PublicationRow, publications } from "../../../secondary/publication.ts";
import type { Context } from "../../context.ts";
import { Publication } from "./publication.ts";

@ObjectType({
  description: "The catalog zone, which lists the zones for the secondaries (RFC 9432).",
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
}
