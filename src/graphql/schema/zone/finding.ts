/** What is wrong with zones, in the schema. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { askServersOf } from "../../../finding/ask-servers.ts";
import { type FindingPage, listFindings } from "../../../finding/find.ts";
import { type Finding, FindingCode, Severity } from "../../../finding/finding-code.ts";
import { Domain, type DomainRow, findDomain } from "../../../zone/domain.ts";
import { InputField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { ForwardPageArgs } from "../../page-args.ts";
import { DateTimeScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { DomainPayload } from "../shared/payloads.ts";
import { DomainInput } from "./domain-inputs.ts";

@ObjectType("Finding", { description: "Something that is wrong with a zone, or seldom meant.", simpleResolvers: true })
class FindingType {
  @Field(() => FindingCode, { description: "What it is; a label `ignore/CODE` of the domain switches it off." })
  code!: FindingCode;

  @Field(() => Severity, { description: "How bad it is." })
  severity!: Severity;

  @Field(() => String, { description: "The RFC that it is from." })
  source!: string;

  @Field(() => String, { description: "The zone." })
  zone!: string;

  @Field(() => String, { description: "The name, relative to the zone; `@` is its apex." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "The type of the record or RRset." })
  type!: string;

  @Field(() => String, { description: "What happens, and what to do." })
  message!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When the servers were asked; null for a finding about the records as they are now.",
  })
  at?: Date;
}

@ObjectType("FindingPage", { description: "A page of findings.", simpleResolvers: true })
class FindingPageType {
  @Field(() => [FindingType], { description: "The findings, by zone. A page may be short, also empty." })
  nodes!: readonly Finding[];

  @Field(() => String, { nullable: true, description: "The cursor for `after`; null when nothing follows." })
  endCursor!: string | null;
}

@InputType({ description: "The domain whose parent and name servers are asked." })
class CheckServersInput extends DomainInput {}

@InputType({ description: "A filter; every field that is present must match." })
class FindingFilter {
  @Field(() => String, { nullable: true, description: "Name of the zone, in any spelling." })
  zone?: string;

  @Field(() => [FindingCode], { nullable: true, description: "Only these codes." })
  codes?: FindingCode[];

  @Field(() => [Severity], { nullable: true, description: "Only these severities." })
  severities?: Severity[];
}

@ArgsType()
class FindingsArgs extends ForwardPageArgs {
  @InputField(() => FindingFilter, { nullable: true, description: "Selects findings; without it, all." })
  filter?: FindingFilter;
}

@Resolver()
export class FindingsResolver {
  @Query(() => FindingPageType, {
    complexity: 100,
    description:
      "What is wrong with the zones that the key sees. Zones are checked as they are now, one page after the other.",
  })
  findings(
    @Args(() => FindingsArgs) { filter, ...page }: FindingsArgs,
    @Ctx() { session }: Context,
  ): Promise<FindingPage> {
    return listFindings(session, { ...filter }, page);
  }

  @Mutation(() => DomainPayload, {
    description: "Asks the parent and the name servers of a zone now; its findings have what they answer.",
  })
  async checkServers(
    @Arg("input", () => CheckServersInput) { by }: CheckServersInput,
    @Ctx() { session }: Context,
  ): Promise<DomainPayload> {
    const domain = await findDomain(session, { ...by });
    await askServersOf(session, domain.id);
    return { domain };
  }
}

@Resolver(() => Domain)
export class DomainFindingsResolver {
  @FieldResolver(() => [FindingType], {
    nullable: true,
    complexity: 100,
    description:
      "What is wrong with the zone, or seldom meant, also where it depends on other zones of the service; the first 100.",
  })
  async findings(@Root() { zone }: DomainRow, @Ctx() { session }: Context): Promise<readonly Finding[]> {
    return (await listFindings(session, { zone }, { first: 100 })).nodes;
  }
}
