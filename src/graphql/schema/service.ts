/**
 * The running service in the schema: which version it is, where its name server listens, and what is wrong with its
 * settings.
 */

import { Ctx, Field, Int, ObjectType, Query, Resolver } from "type-graphql";
import { Algorithm, algorithmsOf, type TsigKey } from "../../account/tsig-key.ts";
import { settingWarnings } from "../../session/operator-policy.ts";
import { version } from "../../version.ts";
import type { Context } from "../context.ts";

@ObjectType("Service", { description: "The running service.", simpleResolvers: true })
class RunningService {
  @Field(() => String, { description: "Its version and the commit it was built from." })
  version!: string;

  @Field(() => String, {
    description: "Address that its name server listens on; 0.0.0.0 or :: is every address of its machine.",
  })
  dnsAddress!: string;

  @Field(() => Int, { description: "Port of its name server, UDP and TCP." })
  dnsPort!: number;

  @Field(() => String, { description: "Name of its catalog zone." })
  catalogZone!: string;

  @Field(() => [String], { description: "Name servers in the NS records of a new zone." })
  nameServers!: readonly string[];

  @Field(() => [Algorithm], { description: "Algorithms that a new TSIG key may have, the best first." })
  tsigAlgorithms!: readonly TsigKey["algorithm"][];

  @Field(() => [String], { description: "What is wrong with its settings, each with the line to set." })
  warnings!: readonly string[];
}

@Resolver()
export class ServiceResolver {
  @Query(() => RunningService, { description: "The running service, for every key." })
  service(@Ctx() { session: { policy } }: Context): RunningService {
    const { nameServers, catalogZone, primary } = policy;
    return {
      version: version(),
      dnsAddress: primary.address,
      dnsPort: primary.port,
      catalogZone,
      nameServers,
      tsigAlgorithms: algorithmsOf(policy),
      warnings: settingWarnings(policy),
    };
  }
}
