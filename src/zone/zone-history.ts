/** The interface of zones with a journal: domains and deleted domains. */
import { Field, InterfaceType } from "type-graphql";
import { SerialScalar } from "../graphql/scalars/scalars.ts";

@InterfaceType({
  description: "A zone with its journal: a domain, or a zone that was deleted.",
  resolveType: (row) => ("deletedAt" in row ? "DeletedDomain" : "Domain"),
})
export abstract class ZoneHistory {
  @Field(() => String, { description: "DNS name of the zone: lower case, A-labels (RFC 5890), no trailing dot." })
  zone!: string;

  @Field(() => SerialScalar, { description: "SOA serial of the zone (RFC 1982); for a deleted zone, its last serial." })
  serial!: number;
}
