/**
 * Domains in the schema.
 */
import { Arg, Args, Ctx, Field, FieldResolver, Mutation, ObjectType, Query, Resolver, Root } from "type-graphql";
import { User, type UserRow, usersByIds } from "../../account/user.ts";
import { unicodeName } from "../../dns/name.ts";
import { isInState } from "../../secondary/publication.ts";
import { Change, type ChangeRow } from "../../zone/change.ts";
import { changesAtSerial, changesOfDomains, noSuchSerial } from "../../zone/change-list.ts";
import { Domain, type DomainRow, findDomain, listDomains } from "../../zone/domain.ts";
import { deleteDomain, transferDomain } from "../../zone/edit/lifecycle.ts";
import { type RecordRow, readOwner, recordsOfDomains } from "../../zone/record.ts";
import { Connection } from "../connection.ts";
import { ChangeConnection, DomainConnection, RecordConnection } from "../connection-types.ts";
import type { Context } from "../context.ts";
import {
  ChangesOfDomainArgs,
  DeleteDomainInput,
  DomainSelector,
  DomainsArgs,
  RecordsOfDomainArgs,
  TransferDomainInput,
} from "./domain-inputs.ts";
import { DeletePayload } from "./payloads.ts";

@ObjectType({ description: "The deleted domain's id and last change.", simpleResolvers: true })
class DeleteDomainPayload extends DeletePayload {
  @Field(() => Change, { description: "The change that deleted it, with the removed records." })
  change!: ChangeRow;
}

@ObjectType({ description: "The transferred domain.", simpleResolvers: true })
class TransferDomainPayload {
  @Field(() => Domain, { description: "The domain, with its new user." })
  domain!: DomainRow;
}

@Resolver(() => Domain)
export class DomainResolver {
  @Query(() => Domain, {
    nullable: true,
    description: "The domain; NOT_FOUND when there is none.",
  })
  domain(
    @Arg("by", () => DomainSelector, { description: "The domain." }) by: DomainSelector,
    @Ctx() { session }: Context,
  ): Promise<DomainRow> {
    return findDomain(session, { ...by });
  }

  @Query(() => DomainConnection, { description: "The domains that the key may see." })
  async domains(
    @Args(() => DomainsArgs) { filter, orderBy, ...page }: DomainsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<DomainRow>> {
    const { id, userId, state, ...rest } = filter ?? {};
    const selected = {
      ...rest,
      id,
      userId,
    };
    const inState = state ? [isInState(session, state)] : [];
    return new Connection(await listDomains(session, selected, { ...page, order: orderBy }, inState));
  }

  @FieldResolver(() => String, {
    description: "The zone name in Unicode (RFC 5890), for display; arguments accept it too.",
  })
  zoneUnicode(@Root() { zone }: DomainRow): string {
    return unicodeName(zone);
  }

  /** Only the system sees a domain without a user, the catalog. */
  @FieldResolver(() => User, { nullable: true, description: "The user who owns the domain." })
  user(@Root() domain: DomainRow, @Ctx() context: Context): Promise<UserRow> {
    return context.loadRow("User", domain.userId as number, (ids) => usersByIds(context.session, ids));
  }

  @FieldResolver(() => RecordConnection, { nullable: true, description: "The records of the zone." })
  async records(
    @Root() domain: DomainRow,
    @Args(() => RecordsOfDomainArgs) { orderBy, first, after, last, before, owner, ...filter }: RecordsOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<RecordRow>> {
    const request = { first, after, last, before, order: orderBy };
    const selected = {
      ...filter,
      owner: typeof owner === "string" ? readOwner(owner, domain.zone) : undefined,
    };
    const read = (ids: readonly number[]) => recordsOfDomains(context.session, ids, selected, request);
    return new Connection(await context.load("Domain.records", { request, selected }, domain.id, read));
  }

  @FieldResolver(() => ChangeConnection, { nullable: true, description: "The zone's journal." })
  async changes(
    @Root() domain: DomainRow,
    @Args(() => ChangesOfDomainArgs) { first, after, last, before, orderBy, ...args }: ChangesOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeRow>> {
    const request = { first, after, last, before, order: orderBy };
    const { sinceSerial, owner, ...filter } = args;
    const selected = {
      ...filter,
      owner: typeof owner === "string" ? readOwner(owner, domain.zone) : undefined,
      afterId: typeof sinceSerial === "number" ? await idAtSerial(domain, sinceSerial, context) : undefined,
    };
    const read = (ids: readonly number[]) => changesOfDomains(context.session, ids, selected, request);
    return new Connection(await context.load("Domain.changes", { request, selected }, domain.id, read));
  }

  @Mutation(() => DeleteDomainPayload, { description: "Deletes a domain with all its records, in one change." })
  async deleteDomain(
    @Arg("input", () => DeleteDomainInput) { zone, note }: DeleteDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteDomainPayload> {
    const change = await deleteDomain({ ...session, note }, zone);
    return { deletedId: change.domainId, change };
  }

  @Mutation(() => TransferDomainPayload, {
    description: "Transfers a domain, and all access to it, to another user. Administrators only.",
  })
  async transferDomain(
    @Arg("input", () => TransferDomainInput) { zone, userId }: TransferDomainInput,
    @Ctx() { session }: Context,
  ): Promise<TransferDomainPayload> {
    return { domain: await transferDomain(session, zone, userId) };
  }
}

/** The id of the change that left a domain at a serial; NOT_FOUND when the journal has none. */
async function idAtSerial({ id, zone }: DomainRow, serial: number, context: Context): Promise<number> {
  const read = (ids: readonly number[]) => changesAtSerial(context.session, ids, serial);
  const changeId = await context.load("Domain.changeAtSerial", serial, id, read);
  if (changeId === undefined) throw noSuchSerial(zone, serial, "sinceSerial");
  return changeId;
}
