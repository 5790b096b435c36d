/**
 * Secondaries in the schema, and the stanza that makes a name server one. Administrators only; what users see of them
 * is in publication.ts.
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
  registerEnumType,
} from "type-graphql";
import { TsigKey, type TsigKeyRow, tsigKeysByIds } from "../../account/tsig-key.ts";
import { Refusal } from "../../errors.ts";
import { IdScalar } from "../../scalars.ts";
import { SecondaryZones, zonesAt } from "../../secondary/joining.ts";
import { domainsBehindAt } from "../../secondary/publication.ts";
import {
  createSecondary,
  deleteSecondary,
  findSecondary,
  listSecondaries,
  type SecondaryRow,
  updateSecondary,
} from "../../secondary/registry.ts";
import { Secondary } from "../../secondary/secondary.ts";
import { saysWhatItHas } from "../../secondary/secondary-state.ts";
import { secondaryConfig } from "../../secondary/server-stanzas.ts";
import { type ServerKind, serverKinds } from "../../secondary/stanza-texts.ts";
import type { DomainRow } from "../../zone/domain.ts";
import { Connection } from "../connection.ts";
import { DomainConnection, SecondaryConnection } from "../connection-types.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { PlainText } from "../plain-text.ts";
import { IdInput, OneOf } from "./input-fields.ts";
import { DeletePayload } from "./payloads.ts";
import { NullIsValue } from "./read-argument.ts";

const portRange = { message: "write a number from 1 to 65535" };

@OneOf()
@InputType({ description: "What identifies a secondary: one of the fields." })
class SecondarySelector {
  @Field(() => IdScalar, { nullable: true, description: "The secondary's id." })
  id?: number;

  @Field(() => String, { nullable: true, description: "The secondary's name." })
  @PlainText(100)
  name?: string;
}

@InputType({ description: "A new secondary." })
class CreateSecondaryInput {
  @Field(() => String, { description: "Name of the secondary, 1 to 100 characters; unique." })
  @MinLength(1, { message: "write a name for it" })
  @PlainText(100)
  name!: string;

  @Field(() => String, { description: "IPv4 or IPv6 address, without a zone such as %eth0." })
  @PlainText(100)
  address!: string;

  @Field(() => Int, { description: "DNS port, 1 to 65535; address and port together are unique." })
  @Min(1, portRange)
  @Max(65535, portRange)
  port!: number;

  @Field(() => IdScalar, {
    nullable: true,
    description: "Id of the TSIG key it signs with; without one it does not sign.",
  })
  tsigKeyId?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Name of a new TSIG key that it signs with, created together with it; instead of `tsigKeyId`.",
  })
  @PlainText(255)
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
    description: "Whether it may transfer member zones without TSIG, identified by its address alone.",
  })
  allowUnsignedTransfer!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "Whether it transfers from another name server than this service; it must let this service transfer its zones.",
  })
  indirect!: boolean;
}

@InputType({ description: "New content of a secondary; fields that are left out do not change." })
class UpdateSecondaryInput {
  @Field(() => IdScalar, { description: "The id of the secondary." })
  id!: number;

  @Field(() => String, { nullable: true, description: "Name of the secondary, 1 to 100 characters; unique." })
  @MinLength(1, { message: "write a name for it" })
  @PlainText(100)
  name?: string;

  @Field(() => String, {
    nullable: true,
    description: "IPv4 or IPv6 address. A new address or port deletes what was observed of the secondary.",
  })
  @PlainText(100)
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

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether a change is LIVE only when this secondary serves it.",
  })
  requiredForLive?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it may transfer member zones without TSIG, identified by its address alone.",
  })
  allowUnsignedTransfer?: boolean;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether it transfers from another name server than this service; it must let this service transfer its zones.",
  })
  indirect?: boolean;
}

@InputType({ description: "The secondary to delete; what was observed of it is deleted too." })
class DeleteSecondaryInput extends IdInput {}

@ObjectType({ simpleResolvers: true })
class SecondaryPayload {
  @Field(() => Secondary, { description: "The secondary as stored." })
  secondary!: SecondaryRow;
}

@ObjectType("CreateSecondaryPayload", { description: "The created secondary.", simpleResolvers: true })
class CreateSecondaryPayload extends SecondaryPayload {}

@ObjectType("UpdateSecondaryPayload", { description: "The edited secondary.", simpleResolvers: true })
class UpdateSecondaryPayload extends SecondaryPayload {}

@ObjectType({ description: "The id of the deleted secondary.", simpleResolvers: true })
class DeleteSecondaryPayload extends DeletePayload {}

registerEnumType(serverKinds, {
  name: "SecondaryServer",
  description: "Name server software that a stanza can be printed for.",
  valuesConfig: {
    KNOT: { description: "Knot DNS 3.2 and later, which follows the catalog." },
    BIND: { description: "BIND 9.18 and later, which follows the catalog." },
    NSD: { description: "NSD; the stanza lists the present zones, and new zones need a new stanza." },
    POWERDNS: { description: "PowerDNS 4.7 and later, which follows the catalog." },
  },
});

@Resolver(() => Secondary)
export class SecondaryResolver {
  @Query(() => SecondaryConnection, { description: "The secondaries, sorted by name. Administrators only." })
  async secondaries(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context) {
    return new Connection<SecondaryRow>(await listSecondaries(session, { ...page, order: "NAME" }));
  }

  @Query(() => Secondary, {
    nullable: true,
    description: "The secondary; NOT_FOUND when there is none. Administrators only.",
  })
  secondary(
    @Arg("by", () => SecondarySelector, { description: "The secondary." }) by: SecondarySelector,
    @Ctx() { session }: Context,
  ): Promise<SecondaryRow> {
    return findSecondary(session, { ...by });
  }

  @Query(() => String, {
    description:
      "The stanza for the configuration of a secondary, with the secret of its TSIG key. Administrators only.",
  })
  secondaryConfig(
    @Arg("secondaryId", () => IdScalar, { description: "The secondary's id." }) secondaryId: number,
    @Arg("server", () => serverKinds, { description: "The software that it runs." }) server: ServerKind,
    @Arg("primary", () => String, {
      nullable: true,
      deprecationReason: "Use `primaries`; removed after 2027-06-30.",
      description: "The only one of `primaries`, and not beside them.",
    })
    primary: string | null | undefined,
    @Arg("primaries", () => [String], {
      nullable: true,
      description:
        "Addresses at which the secondary reaches the instances of this service; with `:port` if it is not the usual one (of DNS over TLS if the server transfers over TLS). Without addresses, DNS_LISTEN of each running instance; refused if one of them is a wildcard, or if some are loopback and others are not.",
    })
    primaries: string[] | null | undefined,
    @Ctx() { session }: Context,
  ): Promise<string> {
    const isOne = typeof primary === "string";
    if (isOne && primaries)
      throw new Refusal("INVALID_VALUE", "primary: send it or primaries, not both.", { field: "primary" });
    return secondaryConfig(session, secondaryId, server, {
      field: isOne ? "primary" : "primaries",
      addresses: isOne ? [primary] : (primaries ?? []),
    });
  }

  @FieldResolver(() => DomainConnection, {
    nullable: true,
    description: "The domains whose zones it was not observed to serve at their committed serials, sorted by zone.",
  })
  async behind(
    @Root() { id }: SecondaryRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<DomainRow>> {
    return new Connection(await domainsBehindAt(session, id, { ...page, order: "ZONE" }));
  }

  @FieldResolver(() => SecondaryZones, { nullable: true, description: "How many zones it serves." })
  zones(@Root() { id }: SecondaryRow, @Ctx() context: Context): Promise<SecondaryZones> {
    return context.load("zones of secondary", null, id, (ids) => zonesAt(context.session, ids));
  }

  @FieldResolver(() => Boolean, {
    nullable: true,
    description:
      "Whether `queryAnswer` says what it has: a serial, or that it does not have the zone, which `zones` counts. False when something is wrong; null before the first query.",
  })
  answers(@Root() { queryAnswer }: SecondaryRow): boolean | null {
    return queryAnswer === null ? null : saysWhatItHas(queryAnswer);
  }

  @FieldResolver(() => TsigKey, {
    nullable: true,
    description: "The TSIG key it signs with; null when it does not sign.",
  })
  async tsigKey(@Root() { tsigKeyId }: SecondaryRow, @Ctx() context: Context): Promise<TsigKeyRow | null> {
    if (tsigKeyId === null) return null;
    return context.loadRow("TSIG key", tsigKeyId, (ids) => tsigKeysByIds(context.session, ids));
  }

  @Mutation(() => CreateSecondaryPayload, {
    description: "Registers a name server as a secondary. Administrators only.",
  })
  async createSecondary(
    @Arg("input", () => CreateSecondaryInput) { tsigKeyId = null, newTsigKey, ...input }: CreateSecondaryInput,
    @Ctx() { session }: Context,
  ): Promise<CreateSecondaryPayload> {
    return { secondary: await createSecondary(session, { ...input, tsigKeyId }, newTsigKey) };
  }

  @Mutation(() => UpdateSecondaryPayload, { description: "Edits a secondary. Administrators only." })
  async updateSecondary(
    @Arg("input", () => UpdateSecondaryInput) { id, ...input }: UpdateSecondaryInput,
    @Ctx() { session }: Context,
  ): Promise<UpdateSecondaryPayload> {
    return { secondary: await updateSecondary(session, id, input) };
  }

  @Mutation(() => DeleteSecondaryPayload, {
    description: "Deletes a secondary: it gets no NOTIFY and may transfer no zone from now on. Administrators only.",
  })
  async deleteSecondary(
    @Arg("input", () => DeleteSecondaryInput) { id }: DeleteSecondaryInput,
    @Ctx() { session }: Context,
  ): Promise<DeleteSecondaryPayload> {
    await deleteSecondary(session, id);
    return { deletedId: id };
  }
}
