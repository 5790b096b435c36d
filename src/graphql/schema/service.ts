/**
 * The running service in the schema: its version, the addresses of its name server, problems of its settings, and its
 * instances.
 */
import { Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver } from "type-graphql";
import { Algorithm, algorithmsOf, type TsigKey } from "../../account/tsig-key.ts";
import { type InstanceRow, listInstances } from "../../instance/instance.ts";
import { version } from "../../version.ts";
import { zoneWarnings } from "../../zone/example-names.ts";
import type { Context } from "../context.ts";
import { DateTimeScalar } from "../scalars/scalars.ts";

@ObjectType("Service", { description: "The running service.", simpleResolvers: true })
class RunningService {
  @Field(() => String, { description: "Its version and the commit it was built from." })
  version!: string;

  @Field(() => String, { description: "Address that its name server listens on; 0.0.0.0 and :: are all addresses." })
  dnsAddress!: string;

  @Field(() => Int, { description: "Port of its name server, UDP and TCP." })
  dnsPort!: number;

  @Field(() => String, { description: "Name of its catalog zone." })
  catalogZone!: string;

  @Field(() => [String], { description: "Name servers in the NS records of a new zone." })
  nameServers!: readonly string[];

  @Field(() => String, {
    nullable: true,
    description: "Name of the template of new zones; null when they get the default records.",
  })
  defaultTemplate!: string | null;

  @Field(() => [Algorithm], { description: "Algorithms that a new TSIG key may have, the best first." })
  tsigAlgorithms!: readonly TsigKey["algorithm"][];
}

@ObjectType("Instance", { description: "A process of the service on its database.", simpleResolvers: true })
class RunningInstance {
  @Field(() => String, { description: "Name of the machine that it runs on." })
  host!: string;

  @Field(() => Int, { description: "Its process id." })
  pid!: number;

  @Field(() => String, { description: "Its version and the commit it was built from." })
  version!: string;

  @Field(() => DateTimeScalar, { description: "When it started." })
  startedAt!: Date;

  @Field(() => DateTimeScalar, {
    description: "When it last reported, as it does every 10 seconds. A dead one is listed for an hour.",
  })
  seenAt!: Date;

  @Field(() => Boolean, { description: "Whether it reported in the last 30 seconds." })
  isAlive!: boolean;

  @Field(() => Boolean, { description: "Whether it leads: one of the instances publishes to the secondaries." })
  isLeader!: boolean;
}

@Resolver(() => RunningService)
export class ServiceResolver {
  @Query(() => RunningService, { description: "The running service." })
  service(@Ctx() { session: { policy } }: Context): RunningService {
    const { nameServers, defaultTemplate, catalogZone, primary } = policy;
    return {
      version: version(),
      dnsAddress: primary.address,
      dnsPort: primary.port,
      catalogZone,
      nameServers,
      defaultTemplate: defaultTemplate || null,
      tsigAlgorithms: algorithmsOf(policy),
    };
  }

  @FieldResolver(() => [String], {
    description:
      "What is wrong with its settings, each with the line to set, and with zones that still have the example's names.",
  })
  warnings(@Ctx() { session }: Context): Promise<string[]> {
    return zoneWarnings(session);
  }

  @Query(() => [RunningInstance], {
    description: "The instances of the service, the leading one first. Administrators only.",
  })
  instances(@Ctx() { session }: Context): Promise<InstanceRow[]> {
    return listInstances(session);
  }
}
