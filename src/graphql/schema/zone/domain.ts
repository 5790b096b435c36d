/**
 * Domains in the schema.
 */
import { Arg, Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { isInState } from "../../../secondary/publication.ts";
import { Domain, type DomainRow, findDomain, listDomains, zoneNamed } from "../../../zone/domain.ts";
import { deleteDomain, transferDomain } from "../../../zone/lifecycle/domain-lifecycle.ts";
import { type RecordRow, readOwner, recordsOfDomains } from "../../../zone/record.ts";
import { Connection } from "../../connection.ts";
import { DomainConnection, RecordConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { DeleteWithChangePayload, DomainPayload } from "../shared/payloads.ts";
import {
  DeleteDomainInput,
  DomainSelector,
  DomainsArgs,
  RecordsOfDomainArgs,
  TransferDomainInput,
} from "./domain-inputs.ts";

@Resolver(() => Domain)
export class DomainResolver {
  @Query(() => Domain, { nullable: true, description: "The domain; NOT_FOUND when there is none." })
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
    const { state, ...selected } = filter ?? {};
    const inState = state ? [isInState(session, state)] : [];
    return new Connection(await listDomains(session, selected, { ...page, order: orderBy }, inState));
  }

  @FieldResolver(() => RecordConnection, { nullable: true, description: "The records of the zone." })
  async records(
    @Root() domain: DomainRow,
    @Args(() => RecordsOfDomainArgs) { orderBy, first, after, last, before, owner, ...filter }: RecordsOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<RecordRow>> {
    const request = { first, after, last, before, order: orderBy };
    const selected = { ...filter, owner: typeof owner === "string" ? readOwner(owner, domain.zone) : undefined };
    const read = (ids: readonly number[]) => recordsOfDomains(context.session, ids, selected, request);
    return new Connection(await context.load("Domain.records", { request, selected }, domain.id, read));
  }

  @Mutation(() => DeleteWithChangePayload, { description: "Deletes a domain with all its records, in one change." })
  async deleteDomain(
    @Arg("input", () => DeleteDomainInput) { by, note }: DeleteDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteWithChangePayload> {
    const change = await deleteDomain({ ...session, note }, await zoneNamed(session, by));
    return { deletedId: change.domainId, change, notices: [] };
  }

  @Mutation(() => DomainPayload, {
    description: "Transfers a domain, and all access to it, to another user. Administrators only.",
  })
  async transferDomain(
    @Arg("input", () => TransferDomainInput) { by, userId }: TransferDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DomainPayload> {
    return { domain: await transferDomain(session, await zoneNamed(session, by), userId) };
  }
}
