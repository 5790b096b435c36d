import { Arg, Args, Ctx, Field, FieldResolver, Int, Mutation, ObjectType, Query, Resolver, Root } from "type-graphql";
import { requiredApprovals } from "../../../account/review-policy.ts";
import { domainsInOrder, isInState } from "../../../secondary/publication.ts";
import { newZoneOf } from "../../../template/new-zone.ts";
import { Domain, type DomainRow, findDomain, listDomains, zoneNamed } from "../../../zone/domain.ts";
import { labelsOfDomains } from "../../../zone/domain-annotations.ts";
import { type Label, readLabels } from "../../../zone/label.ts";
import { createDomain, deleteDomain, transferDomain } from "../../../zone/lifecycle/domain-lifecycle.ts";
import { updateDomain } from "../../../zone/lifecycle/update-domain.ts";
import { type RecordRow, readOwner, recordsOfDomains } from "../../../zone/record.ts";
import { commonTtls, RecordCount, recordCounts } from "../../../zone/record-counts.ts";
import { Connection } from "../../connection.ts";
import { DomainConnection, RecordConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { ChangePayload, DeleteWithChangePayload, DomainPayload, NamedValue } from "../shared/payloads.ts";
import { ownerOf } from "../shared/rows.ts";
import {
  CreateDomainInput,
  DeleteDomainInput,
  DomainSelector,
  DomainsArgs,
  RecordsOfDomainArgs,
  TransferDomainInput,
  UpdateDomainInput,
} from "./domain-inputs.ts";

@ObjectType({ description: "The created domain.", simpleResolvers: true })
class CreateDomainPayload extends ChangePayload {
  @Field(() => Domain, { description: "The domain, with its default records." })
  domain!: DomainRow;
}

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
    return new Connection(await listDomains(session, selected, page, domainsInOrder(session, orderBy), inState));
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

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      "How many other persons must approve a change set of the zone, 0 to 2; null when it may be changed without a change set.",
  })
  async requiredApprovals(@Root() { review, userId }: DomainRow, @Ctx() context: Context): Promise<number | null> {
    if (review) return requiredApprovals(review);
    // The catalog has no owner.
    const owner = await ownerOf(userId, context);
    return owner && requiredApprovals(owner.review);
  }

  @Mutation(() => DomainPayload, {
    description: "Replaces the labels of a domain, or sets its review policy. The zone does not change.",
  })
  async updateDomain(
    @Arg("input", () => UpdateDomainInput) { by, ...edits }: UpdateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<DomainPayload> {
    return { domain: await updateDomain(session, await zoneNamed(session, by), edits) };
  }

  @FieldResolver(() => [NamedValue], { nullable: true, description: "The domain's labels, by name." })
  async labels(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<readonly Label[]> {
    return (await context.find("Domain.labels", id, (ids) => labelsOfDomains(context.session, ids))) ?? [];
  }

  @FieldResolver(() => Int, {
    nullable: true,
    complexity: 10,
    description:
      "The TTL that most of its records have, seconds; the shortest of several such. Null for a zone without records.",
  })
  async defaultTtl(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<number | null> {
    return (await context.find("Domain.defaultTtl", id, (ids) => commonTtls(context.session, ids))) ?? null;
  }

  @FieldResolver(() => [RecordCount], {
    nullable: true,
    complexity: 10,
    description: "How many records of each type it has, commonest first; empty for a zone without records.",
  })
  async recordCounts(@Root() { id }: DomainRow, @Ctx() context: Context): Promise<readonly RecordCount[]> {
    return (await context.find("Domain.recordCounts", id, (ids) => recordCounts(context.session, ids))) ?? [];
  }

  @Mutation(() => CreateDomainPayload, {
    description: "Creates a domain with default records, SOA, NS and www, or with those of a template.",
  })
  async createDomain(
    @Arg("input", () => CreateDomainInput) { zone, userId, labels, templateId, variables, note }: CreateDomainInput,
    @Ctx() { session }: Context,
  ): Promise<CreateDomainPayload> {
    const fromTemplate = await newZoneOf(session, zone, { template: templateId, variables: variables ?? [] });
    return createDomain({ ...session, note }, userId, zone, { ...fromTemplate, labels: readLabels(labels ?? []) });
  }
}
