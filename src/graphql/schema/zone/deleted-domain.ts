/** Deleted domains in the schema: the list of them, and restoring one. */
import {
  Arg,
  Args,
  ArgsType,
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
import { stageRestoration } from "../../../changeset/bulk/stage-return.ts";
import type { ChangeSetRow } from "../../../changeset/change-set.ts";
import { DeletedDomain } from "../../../zone/change.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import { type DeletedDomainRow, listDeletedDomains } from "../../../zone/history/deleted-domain.ts";
import { restoreDomain } from "../../../zone/history/restore.ts";
import { InputField } from "../../checked-fields.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { DateTimeScalar, IdScalar } from "../../scalars/scalars.ts";
import { AsChangeSetField, DryRunField, NoteField, ZoneContainsField } from "../shared/input-fields.ts";
import { OptionalChangePayload, StagedField } from "../shared/payloads.ts";
import { DomainSelector } from "./domain-inputs.ts";

@InputType({ description: "A deleted domain to bring back." })
class RestoreDomainInput {
  @InputField(() => DomainSelector, { description: "The deleted domain; by name, the one deleted last." })
  by!: DomainSelector;

  @Field(() => IdScalar, { nullable: true, description: "Id of the user who will own it. Default: the last one." })
  userId?: number;

  @DryRunField()
  dryRun!: boolean;

  @AsChangeSetField()
  asChangeSet!: boolean;

  @NoteField()
  note?: string;
}

@InputType({ description: "A filter; every field that is present must match." })
class DeletedDomainFilter {
  @ZoneContainsField()
  zoneContains?: string;

  @Field(() => IdScalar, { nullable: true, description: "Id of the last user who owned the domain." })
  userId?: number;

  @Field(() => DateTimeScalar, { nullable: true, description: "Only what was deleted at this time or later." })
  deletedSince?: Date;
}

@ArgsType()
class DeletedDomainsArgs extends PageArgs {
  @InputField(() => DeletedDomainFilter, { nullable: true, description: "Selects deleted domains; without it, all." })
  filter?: DeletedDomainFilter;
}

@ObjectType({ description: "A domain that came back.", simpleResolvers: true })
class RestoreDomainPayload extends OptionalChangePayload {
  @StagedField()
  changeSet!: ChangeSetRow | null;

  @Field(() => Domain, { nullable: true, description: "The domain; null in a dry run, and when it is staged." })
  domain!: DomainRow | null;

  @Field(() => Int, { description: "Number of records that came back, or would." })
  recordCount!: number;
}

const DeletedDomainConnection = connectionType("DeletedDomain", DeletedDomain);

@Resolver(() => DeletedDomain)
export class DeletedDomainResolver {
  @Query(() => DeletedDomainConnection, {
    description: "The deleted domains of the users that the key may see, most recently deleted first.",
  })
  async deletedDomains(
    @Args(() => DeletedDomainsArgs) { filter, ...page }: DeletedDomainsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<DeletedDomainRow>> {
    return new Connection(await listDeletedDomains(session, { ...filter }, page));
  }

  @FieldResolver(() => IdScalar, { description: "The id that the domain had, and has again when it is restored." })
  domainId(@Root() { id }: DeletedDomainRow): number {
    return id;
  }

  @Mutation(() => RestoreDomainPayload, {
    description:
      "Brings a deleted domain back with its id, its records and their ids, by one change. DUPLICATE_ZONE when the name is in use.",
  })
  async restoreDomain(
    @Arg("input", () => RestoreDomainInput) { by, dryRun, note, ...input }: RestoreDomainInput,
    @Ctx() { session }: Context,
  ): Promise<RestoreDomainPayload> {
    const { userId } = input;
    if (input.asChangeSet && !dryRun) {
      const staged = await stageRestoration(session, { ...by }, { userId, title: note });
      return { ...staged, domain: null, change: null };
    }
    const result = await restoreDomain({ ...session, note }, { ...by }, { userId, dryRun });
    const { domain, change, added, notices } = result;
    return { domain, change, changeSet: null, recordCount: added.length, notices };
  }
}
