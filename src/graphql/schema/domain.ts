/**
 * Domains in the schema.
 */
import { ValidateNested } from "class-validator";
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from "type-graphql";
import { User, type UserRow, usersByIds } from "../../account/user.ts";
import { unicodeName } from "../../dns/name.ts";
import { RecordTypeScalar } from "../../scalars.ts";
import { isInState, PublicationState } from "../../secondary/publication.ts";
import { Change, type ChangeRow, type changeOrders, changesOfDomains } from "../../zone/change.ts";
import { Domain, type DomainRow, type domainOrders, findDomain, listDomains } from "../../zone/domain.ts";
import { createDomain, deleteDomain, transferDomain } from "../../zone/edit/lifecycle.ts";
import { type RecordRow, readOwner, type recordOrders, recordsOfDomains } from "../../zone/record.ts";
import { Connection } from "../connection.ts";
import {
  ChangeConnection,
  ChangeOrder,
  DomainConnection,
  DomainOrder,
  RecordConnection,
  RecordOrder,
} from "../connections.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { PlainText } from "../plain-text.ts";
import { readId, readOptionalId } from "../read-id.ts";
import { withoutNulls } from "../without-nulls.ts";

@InputType({ description: "What selects domains; every field that is given must match." })
class DomainFilter {
  @Field(() => ID, { nullable: true, description: "The domain's id." })
  id?: string;

  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;

  @Field(() => String, { nullable: true, description: "Part of the zone name, without regard to case." })
  @PlainText(255)
  zoneContains?: string;

  @Field(() => ID, { nullable: true, description: "Id of the owning user." })
  userId?: string;

  @Field(() => PublicationState, { nullable: true, description: "How far the zone has come out to the secondaries." })
  state?: PublicationState;
}

@ArgsType()
class DomainsArgs extends PageArgs {
  @Field(() => DomainFilter, { nullable: true, description: "Which domains." })
  @ValidateNested()
  filter?: DomainFilter;

  @Field(() => DomainOrder, { defaultValue: DomainOrder.ZONE, description: "How the list is sorted." })
  orderBy!: keyof typeof domainOrders;
}

@ArgsType()
class DomainArgs {
  @Field(() => ID, { nullable: true, description: "The domain's id." })
  id?: string;

  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;
}

@ArgsType()
class RecordsOfDomainArgs extends PageArgs {
  @Field(() => String, { nullable: true, description: "Only this owner: relative, absolute, or `@`." })
  owner?: string;

  @Field(() => RecordTypeScalar, { nullable: true, description: "Only this type." })
  type?: string;

  @Field(() => String, {
    nullable: true,
    description: "Only records whose data contains this text, without regard to case.",
  })
  @PlainText(1000)
  rdataContains?: string;

  @Field(() => RecordOrder, { defaultValue: RecordOrder.NAME, description: "How the list is sorted." })
  orderBy!: keyof typeof recordOrders;
}

@ArgsType()
class ChangesOfDomainArgs extends PageArgs {
  @Field(() => ChangeOrder, { defaultValue: ChangeOrder.NEWEST, description: "How the list is sorted." })
  orderBy!: keyof typeof changeOrders;
}

@InputType({ description: "A new domain." })
class CreateDomainInput {
  @Field(() => String, {
    description: "Zone name; Unicode is stored as A-labels (RFC 5890). DUPLICATE_ZONE when it exists.",
  })
  zone!: string;

  @Field(() => ID, { description: "The user who owns it." })
  userId!: string;
}

@InputType({ description: "Which domain to delete." })
class DeleteDomainInput {
  @Field(() => String, { description: "Zone name in any spelling." })
  zone!: string;
}

@InputType({ description: "Which domain goes to whom." })
class TransferDomainInput {
  @Field(() => String, { description: "Zone name in any spelling." })
  zone!: string;

  @Field(() => ID, { description: "The new owner." })
  userId!: string;
}

@ObjectType({ description: "The created domain.", simpleResolvers: true })
class CreateDomainPayload {
  @Field(() => Domain, { description: "The domain with its default records." })
  domain!: DomainRow;

  @Field(() => Change, { description: "The change that created it." })
  change!: ChangeRow;

  @Field(() => [String], { description: "What was accepted and still looks wrong." })
  warnings!: readonly string[];
}

@ObjectType({ description: "The deleted domain's id and last change.", simpleResolvers: true })
class DeleteDomainPayload {
  @Field(() => ID, { description: "The id that the domain had." })
  deletedId!: number;

  @Field(() => Change, { description: "The change that deleted it; it keeps the removed records." })
  change!: ChangeRow;
}

@ObjectType({ description: "The transferred domain.", simpleResolvers: true })
class TransferDomainPayload {
  @Field(() => Domain, { description: "The domain with its new owner." })
  domain!: DomainRow;
}

@Resolver(() => Domain)
export class DomainResolver {
  @Query(() => Domain, {
    nullable: true,
    description: "The one domain that every selector given identifies; NOT_FOUND when there is none.",
  })
  domain(@Args(() => DomainArgs) { id, zone }: DomainArgs, @Ctx() { session }: Context): Promise<DomainRow> {
    return findDomain(session, withoutNulls({ id: readOptionalId(id, "id"), zone }));
  }

  @Query(() => DomainConnection, { description: "The domains that the key sees." })
  async domains(
    @Args(() => DomainsArgs) { filter, orderBy, ...page }: DomainsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<DomainRow>> {
    const { id, userId, state, ...rest } = filter ?? {};
    const selected = withoutNulls({
      ...rest,
      id: readOptionalId(id, "id"),
      userId: readOptionalId(userId, "userId"),
    });
    const inState = state ? [isInState(session, state)] : [];
    return new Connection(await listDomains(session, selected, { ...page, order: orderBy }, inState));
  }

  @FieldResolver(() => String, {
    description: "The zone name in Unicode (RFC 5890), for people; sent back, it is the same zone.",
  })
  unicode(@Root() { zone }: DomainRow): string {
    return unicodeName(zone);
  }

  /** Only the system sees a domain without a user, the catalog. */
  @FieldResolver(() => User, { description: "The user who owns the domain." })
  user(@Root() domain: DomainRow, @Ctx() context: Context): Promise<UserRow> {
    return context.loadRow("User", domain.userId as number, (ids) => usersByIds(context.session, ids));
  }

  @FieldResolver(() => RecordConnection, { description: "The records of the zone." })
  async records(
    @Root() domain: DomainRow,
    @Args(() => RecordsOfDomainArgs) { orderBy, first, after, owner, ...filter }: RecordsOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<RecordRow>> {
    const request = { first, after, order: orderBy };
    const selected = withoutNulls({
      ...filter,
      owner: typeof owner === "string" ? readOwner(owner, domain.zone) : undefined,
    });
    const read = (ids: readonly number[]) => recordsOfDomains(context.session, ids, selected, request);
    return new Connection(await context.load("Domain.records", { request, selected }, domain.id, read));
  }

  @FieldResolver(() => ChangeConnection, { description: "The zone's journal: its committed changes." })
  async changes(
    @Root() domain: DomainRow,
    @Args(() => ChangesOfDomainArgs) { orderBy, ...page }: ChangesOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeRow>> {
    const request = { ...page, order: orderBy };
    return new Connection(
      await context.load("Domain.changes", request, domain.id, (ids) =>
        changesOfDomains(context.session, ids, request),
      ),
    );
  }

  @Mutation(() => CreateDomainPayload, { description: "Creates a domain with its default records: SOA, NS and www." })
  createDomain(
    @Arg("input", () => CreateDomainInput) { zone, userId }: CreateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<CreateDomainPayload> {
    return createDomain(session, readId(userId, "userId"), zone);
  }

  @Mutation(() => DeleteDomainPayload, { description: "Deletes a domain with all its records, whole or not at all." })
  async deleteDomain(
    @Arg("input", () => DeleteDomainInput) { zone }: DeleteDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteDomainPayload> {
    const change = await deleteDomain(session, zone);
    return { deletedId: change.domainId, change };
  }

  @Mutation(() => TransferDomainPayload, {
    description: "Moves a domain, and all access to it, to another user at once. Administrators only.",
  })
  async transferDomain(
    @Arg("input", () => TransferDomainInput) { zone, userId }: TransferDomainInput,
    @Ctx() { session }: Context,
  ): Promise<TransferDomainPayload> {
    return { domain: await transferDomain(session, zone, readId(userId, "userId")) };
  }
}
