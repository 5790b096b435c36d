/**
 * Deleted domains in the schema: one, the list of them, their journal, and how one comes back.
 */
import { ValidateNested } from "class-validator";
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
import { User, type UserRow, usersByIds } from "../../account/user.ts";
import type { ChangeSetRow } from "../../changeset/change-set.ts";
import { stageRestoration } from "../../changeset/stage-return.ts";
import { unicodeName } from "../../dns/name.ts";
import { DateTimeScalar, IdScalar } from "../../scalars.ts";
import { type ChangeRow, DeletedDomain } from "../../zone/change.ts";
import { changesOfDomains } from "../../zone/change-list.ts";
import { Domain, type DomainRow } from "../../zone/domain.ts";
import { type DeletedDomainRow, deletedDomain, listDeletedDomains } from "../../zone/history/deleted-domain.ts";
import { restoreDomain } from "../../zone/history/restore.ts";
import { readOwner } from "../../zone/record.ts";
import { Connection, connectionType } from "../connection.ts";
import { ChangeConnection } from "../connection-types.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { ChangesOfZoneArgs } from "./domain-inputs.ts";
import { AsChangeSetField, DryRunField, NoteField, OneOf, ZoneContainsField } from "./input-fields.ts";
import { OptionalChangePayload, StagedField } from "./payloads.ts";

@OneOf()
@InputType({ description: "What identifies a deleted domain: one of the fields." })
class DeletedDomainSelector {
  @Field(() => IdScalar, { nullable: true, description: "The id that the domain had." })
  id?: number;

  @Field(() => String, {
    nullable: true,
    description: "Zone name in any spelling; of several, the one that was deleted last.",
  })
  zone?: string;
}

@InputType({ description: "A deleted domain to bring back." })
class RestoreDomainInput {
  @Field(() => DeletedDomainSelector, { description: "The deleted domain." })
  @ValidateNested()
  by!: DeletedDomainSelector;

  @Field(() => IdScalar, {
    nullable: true,
    description:
      "Id of the user who will own it; without it, the last one. NOT_FOUND when there is no such user any more.",
  })
  userId?: number;

  @DryRunField()
  dryRun!: boolean;

  @AsChangeSetField()
  changeSet!: boolean;

  @NoteField()
  note?: string;
}

@InputType({ description: "A filter of deleted domains; every field that is present must match." })
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
  @Field(() => DeletedDomainFilter, { nullable: true, description: "Selects deleted domains; without it, all." })
  @ValidateNested()
  filter?: DeletedDomainFilter;
}

@ObjectType({ description: "A domain that came back.", simpleResolvers: true })
class RestoreDomainPayload extends OptionalChangePayload {
  @StagedField()
  changeSet!: ChangeSetRow | null;

  @Field(() => Domain, {
    nullable: true,
    description: "The domain, with the id that it had; null in a dry run, and while it is only staged.",
  })
  domain!: DomainRow | null;

  @Field(() => Int, { description: "Number of records that came back, or would." })
  recordCount!: number;
}

const DeletedDomainConnection = connectionType("DeletedDomain", DeletedDomain);

@Resolver(() => DeletedDomain)
export class DeletedDomainResolver {
  @Query(() => DeletedDomain, {
    nullable: true,
    description: "The deleted domain; NOT_FOUND when there is none, or when it is back.",
  })
  deletedDomain(
    @Arg("by", () => DeletedDomainSelector, { description: "The deleted domain." }) by: DeletedDomainSelector,
    @Ctx() { session }: Context,
  ): Promise<DeletedDomainRow> {
    return deletedDomain(session, { ...by });
  }

  @Query(() => DeletedDomainConnection, {
    description: "The deleted domains of the users that the key may see, those deleted last first.",
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

  @FieldResolver(() => String, {
    description: "The zone name in Unicode (RFC 5890), for display; arguments accept it too.",
  })
  zoneUnicode(@Root() { zone }: DeletedDomainRow): string {
    return unicodeName(zone);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The last user who owned it, who gets it back; null when there is no such user any more.",
  })
  async user(@Root() { userId }: DeletedDomainRow, @Ctx() context: Context): Promise<UserRow | null> {
    return (await context.findRow("User", userId as number, (ids) => usersByIds(context.session, ids))) ?? null;
  }

  @FieldResolver(() => ChangeConnection, {
    nullable: true,
    description: "The zone's journal: its deletion, and all that was changed before, under this id.",
  })
  async changes(
    @Root() { id, zone }: DeletedDomainRow,
    @Args(() => ChangesOfZoneArgs) { first, after, last, before, orderBy, owner, ...filter }: ChangesOfZoneArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<ChangeRow>> {
    const request = { first, after, last, before, order: orderBy };
    const selected = {
      ...filter,
      owner: typeof owner === "string" ? readOwner(owner, zone) : undefined,
    };
    const [page] = await changesOfDomains(session, [id], selected, request);
    return new Connection(page as NonNullable<typeof page>);
  }

  @Mutation(() => RestoreDomainPayload, {
    description:
      "Brings a deleted domain back, by one change: with its id, its records and theirs. The serial comes after the last one of the name. DUPLICATE_ZONE, with what to do about it, when there is a zone of the name; ZONE_CONFLICT as for createDomain.",
  })
  async restoreDomain(
    @Arg("input", () => RestoreDomainInput) { by, dryRun, note, ...input }: RestoreDomainInput,
    @Ctx() { session }: Context,
  ): Promise<RestoreDomainPayload> {
    const { userId } = input;
    if (input.changeSet && !dryRun) {
      const staged = await stageRestoration(session, { ...by }, { userId, title: note });
      return { ...staged, domain: null, change: null };
    }
    const result = await restoreDomain({ ...session, note }, { ...by }, { userId, dryRun });
    const { domain, change, added, warnings, notices } = result;
    return { domain, change, changeSet: null, recordCount: added.length, warnings, notices };
  }
}
