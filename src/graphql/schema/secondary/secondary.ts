/**
 * Secondaries in the schema, for administrators, and the configuration that makes a name server a secondary. What users
 * see of them is in publication.ts.
 */
import { Max, Min, MinLength } from "class-validator";
import {
  Arg,
  Args,
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
import { TsigKey, type TsigKeyRow, tsigKeysByIds } from "../../../account/tsig-key.ts";
import { domainsBehindAt } from "../../../secondary/publication.ts";
import {
  createSecondary,
  deleteSecondary,
  findSecondary,
  listSecondaries,
  SecondaryProgress,
  type SecondaryRow,
  updateSecondary,
  zonesAt,
} from "../../../secondary/registry.ts";
import { Secondary } from "../../../secondary/secondary.ts";
import { secondaryConfig } from "../../../secondary/server-stanzas.ts";
import { type ServerKind, serverKinds } from "../../../secondary/stanza-texts.ts";
import type { Session } from "../../../session/session.ts";
import type { DomainRow } from "../../../zone/domain.ts";
import { InputField, PlainTextField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { DomainConnection, SecondaryConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { describeEnum } from "../../scalars/enum-type.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { NameSelector } from "../shared/input-fields.ts";
import { DeletePayload } from "../shared/payloads.ts";
import { NullIsValue } from "../shared/read-argument.ts";

const portRange = { message: "write a number from 1 to 65535" };

@InputType({ description: "A new secondary." })
class CreateSecondaryInput {
  @MinLength(1, { message: "write a name for it" })
  @PlainTextField(100, { description: "Name, 1 to 100 characters; unique." })
  name!: string;

  @PlainTextField(100, { description: "IPv4 or IPv6 address, without a zone such as %eth0." })
  address!: string;

  @Field(() => Int, { description: "DNS port, 1 to 65535; address and port together are unique." })
  @Min(1, portRange)
  @Max(65535, portRange)
  port!: number;

  @Field(() => IdScalar, {
    nullable: true,
    description: "Id of the TSIG key it signs with; without a key it does not sign.",
  })
  tsigKeyId?: number | null;

  @PlainTextField(255, {
    nullable: true,
    description: "Name of a new TSIG key to create for it, instead of `tsigKeyId`.",
  })
  newTsigKey?: string;

  @Field(() => Boolean, { defaultValue: true, description: "Whether it is sent NOTIFY (RFC 1996)." })
  notify!: boolean;

  @Field(() => Boolean, {
    defaultValue: true,
    description: "Whether a change is LIVE only when this secondary serves it.",
  })
  requiredForLive!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Whether it may transfer zones without TSIG, by its address alone.",
  })
  allowUnsignedTransfer!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description: "Whether it transfers from another name server. It must let this service transfer its zones.",
  })
  indirect!: boolean;
}

@InputType({ description: "New content of a secondary; fields that are left out do not change." })
class UpdateSecondaryInput {
  @InputField(() => NameSelector, { description: "The secondary." })
  by!: NameSelector;

  @MinLength(1, { message: "write a name for it" })
  @PlainTextField(100, { nullable: true, description: "Name, 1 to 100 characters; unique." })
  name?: string;

  @PlainTextField(100, {
    nullable: true,
    description: "IPv4 or IPv6 address. A new address or port resets its observed state.",
  })
  address?: string;

  @Field(() => Int, { nullable: true, description: "DNS port, 1 to 65535." })
  @Min(1, portRange)
  @Max(65535, portRange)
  port?: number;

  @Field(() => IdScalar, { nullable: true, description: "Id of the TSIG key it signs with; null removes the key." })
  @NullIsValue()
  tsigKeyId?: number | null;

  @Field(() => Boolean, { nullable: true, description: "Whether it is sent NOTIFY (RFC 1996)." })
  notify?: boolean;

  @Field(() => Boolean, { nullable: true, description: "Whether a change is LIVE only when this secondary serves it." })
  requiredForLive?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it may transfer zones without TSIG, by its address alone.",
  })
  allowUnsignedTransfer?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it transfers from another name server. It must let this service transfer its zones.",
  })
  indirect?: boolean;
}

@InputType({ description: "The secondary to delete." })
class DeleteSecondaryInput {
  @InputField(() => NameSelector, { description: "The secondary." })
  by!: NameSelector;
}

@ObjectType({ description: "The secondary as stored.", simpleResolvers: true })
class SecondaryPayload {
  @Field(() => Secondary, { description: "The secondary." })
  secondary!: SecondaryRow;
}

const server = { name: "SecondaryServer", description: "Name server software that a stanza can be printed for." };
describeEnum(serverKinds, server, {
  KNOT: "Knot DNS 3.2 and later, which follows the catalog.",
  BIND: "BIND 9.18 and later, which follows the catalog.",
  NSD: "NSD. Its stanza lists the present zones; new zones need a new stanza.",
  POWERDNS: "PowerDNS 4.7 and later, which follows the catalog.",
});

const idOf = async (session: Session, { id, name }: NameSelector) => id ?? (await findSecondary(session, { name })).id;

@Resolver(() => Secondary)
export class SecondaryResolver {
  @Query(() => SecondaryConnection, { description: "The secondaries, sorted by name. Administrators only." })
  async secondaries(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context) {
    return new Connection<SecondaryRow>(await listSecondaries(session, page));
  }

  @Query(() => Secondary, {
    nullable: true,
    description: "The secondary; NOT_FOUND when there is none. Administrators only.",
  })
  secondary(
    @Arg("by", () => NameSelector, { description: "The secondary." }) by: NameSelector,
    @Ctx() { session }: Context,
  ): Promise<SecondaryRow> {
    return findSecondary(session, { ...by });
  }

  @Query(() => String, {
    description:
      "The stanza for the configuration of a secondary, with the secret of its TSIG key. Administrators only.",
  })
  secondaryConfig(
    @Arg("by", () => NameSelector, { description: "The secondary." }) by: NameSelector,
    @Arg("server", () => serverKinds, { description: "The software that it runs." }) server: ServerKind,
    @Arg("primaries", () => [String], {
      nullable: true,
      description:
        "Addresses at which the secondary reaches the instances of this service, with `:port` if it is not the usual one. Default: DNS_LISTEN of each running instance; INVALID_VALUE if one is a wildcard, or only some are loopback.",
    })
    primaries: string[] | null | undefined,
    @Ctx() { session }: Context,
  ): Promise<string> {
    return secondaryConfig(session, { ...by }, server, primaries ?? []);
  }

  @FieldResolver(() => DomainConnection, {
    nullable: true,
    description: "The domains that it does not serve at their committed serials, by zone.",
  })
  async behind(
    @Root() { id }: SecondaryRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<DomainRow>> {
    return new Connection(await domainsBehindAt(session, id, page));
  }

  @FieldResolver(() => SecondaryProgress, { nullable: true, description: "How many of all zones it serves." })
  progress(@Root() { id }: SecondaryRow, @Ctx() context: Context): Promise<SecondaryProgress> {
    return context.load("progress of secondary", null, id, (ids) => zonesAt(context.session, ids));
  }

  @FieldResolver(() => TsigKey, {
    nullable: true,
    description: "The TSIG key it signs with; null when it does not sign.",
  })
  async tsigKey(@Root() { tsigKeyId }: SecondaryRow, @Ctx() context: Context): Promise<TsigKeyRow | null> {
    if (tsigKeyId === null) return null;
    return context.loadRow("TSIG key", tsigKeyId, (ids) => tsigKeysByIds(context.session, ids));
  }

  @Mutation(() => SecondaryPayload, { description: "Registers a name server as a secondary. Administrators only." })
  async createSecondary(
    @Arg("input", () => CreateSecondaryInput) { tsigKeyId = null, newTsigKey, ...input }: CreateSecondaryInput,
    @Ctx() { session }: Context,
  ): Promise<SecondaryPayload> {
    return { secondary: await createSecondary(session, { ...input, tsigKeyId }, newTsigKey) };
  }

  @Mutation(() => SecondaryPayload, { description: "Edits a secondary. Administrators only." })
  async updateSecondary(
    @Arg("input", () => UpdateSecondaryInput) { by, ...input }: UpdateSecondaryInput,
    @Ctx() { session }: Context,
  ): Promise<SecondaryPayload> {
    return { secondary: await updateSecondary(session, await idOf(session, by), input) };
  }

  @Mutation(() => DeletePayload, {
    description: "Deletes a secondary, which may transfer no zone any more. Administrators only.",
  })
  async deleteSecondary(
    @Arg("input", () => DeleteSecondaryInput) { by }: DeleteSecondaryInput,
    @Ctx() { session }: Context,
  ): Promise<DeletePayload> {
    const deletedId = await idOf(session, by);
    await deleteSecondary(session, deletedId);
    return { deletedId };
  }
}
