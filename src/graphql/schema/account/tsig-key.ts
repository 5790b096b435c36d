/** TSIG keys in the schema: their scope, and the configuration of update clients with a new key. */
import {
  Arg,
  Args,
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
import { createTsigKey } from "../../../account/create-tsig-key.ts";
import { Algorithm, listTsigKeys, revokeTsigKey, TsigKey, type TsigKeyRow } from "../../../account/tsig-key.ts";
import { clientConfig, scopeFor, type UpdateClient, updateClients } from "../../../account/update-clients.ts";
import { User, type UserRow } from "../../../account/user.ts";
import { Refusal } from "../../../errors.ts";
import { readZone } from "../../../zone/domain.ts";
import { PlainTextField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { TsigKeyConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { enumType } from "../../scalars/enum-type.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { NoticesPayload, noticesOfZones } from "../shared/payloads.ts";
import { ownerOf } from "../shared/rows.ts";

@InputType({ description: "A new TSIG key." })
class CreateTsigKeyInput {
  @PlainTextField(255, { description: "The key's name, a domain name such as knot1.example.com; unique." })
  name!: string;

  @Field(() => Algorithm, { defaultValue: Algorithm.HMAC_SHA256, description: "The algorithm of its signatures." })
  algorithm!: TsigKey["algorithm"];

  @Field(() => IdScalar, {
    nullable: true,
    description:
      "The user whose domains it may reach. Default: no user for an administrator's key, otherwise the key's own.",
  })
  userId?: number;

  @Field(() => [String], {
    nullable: true,
    description:
      "Zones it may update (RFC 2136); `*` matches any characters. Default: all of its user; without a user, none.",
  })
  zones?: string[];

  @Field(() => [String], {
    nullable: true,
    description: "Owners it may update, relative to the zone; `*` matches any characters, also dots. Default: all.",
  })
  owners?: string[];

  @Field(() => [RecordTypeScalar], {
    nullable: true,
    description: "Record types it may update, such as TXT. Default: all.",
  })
  types?: string[];

  @Field(() => Boolean, {
    defaultValue: true,
    description: "Whether it may transfer (AXFR, IXFR) the zones of `zones`; the key of a secondary may transfer all.",
  })
  transfer!: boolean;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      "Whether it updates zones that require review without one, as an ACME client must. Administrators only.",
  })
  exemptFromReview!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: "When the key expires, in the future. Default: never." })
  expiresAt?: Date;
}

@InputType({ description: "The TSIG key to revoke." })
class RevokeTsigKeyInput {
  @Field(() => IdScalar, { description: "Id of the key." })
  tsigKeyId!: number;
}

@ObjectType({ description: "The created TSIG key with its secret.", simpleResolvers: true })
export class CreateTsigKeyPayload extends NoticesPayload {
  @Field(() => TsigKey, { description: "The key as it is listed." })
  tsigKey!: TsigKeyRow;

  @Field(() => String, { description: "The secret in base64. It is shown only here and in the stanza of a secondary." })
  secret!: string;
}

@ObjectType({ description: "The revoked TSIG key.", simpleResolvers: true })
class RevokeTsigKeyPayload {
  @Field(() => TsigKey, { description: "The key." })
  tsigKey!: TsigKeyRow;
}

@Resolver(() => TsigKey)
export class TsigKeyResolver {
  @FieldResolver(() => User, { nullable: true, description: "The user whose key it is; null without one." })
  user(@Root() key: TsigKeyRow, @Ctx() context: Context): Promise<UserRow | null> {
    return ownerOf(key.userId, context);
  }

  @Query(() => TsigKeyConnection, {
    description: "The TSIG keys, sorted by name: all for an administrator, the user's own for a user.",
  })
  async tsigKeys(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context) {
    return new Connection<TsigKeyRow>(await listTsigKeys(session, page));
  }

  @Mutation(() => CreateTsigKeyPayload, {
    description:
      "Creates a TSIG key with a random secret. A user's key creates keys of its user, for the zones that it reaches.",
  })
  async createTsigKey(
    @Arg("input", () => CreateTsigKeyInput) { name, algorithm, ...grant }: CreateTsigKeyInput,
    @Ctx() { session }: Context,
  ): Promise<CreateTsigKeyPayload> {
    const created = await createTsigKey(session, name, algorithm, grant);
    return { ...created, ...(await noticesOfZones(session, created.tsigKey.zones)) };
  }

  @Mutation(() => RevokeTsigKeyPayload, {
    description:
      "Revokes a TSIG key at once: messages signed with it are refused. A user's key revokes keys of its user.",
  })
  async revokeTsigKey(
    @Arg("input", () => RevokeTsigKeyInput) { tsigKeyId }: RevokeTsigKeyInput,
    @Ctx() { session }: Context,
  ): Promise<RevokeTsigKeyPayload> {
    return { tsigKey: await revokeTsigKey(session, tsigKeyId) };
  }
}

const Client = enumType<UpdateClient>("UpdateClient", "A client of dynamic updates (RFC 2136).", {
  LEGO: "Lego, an ACME client.",
  CERTBOT: "Certbot with certbot-dns-rfc2136, an ACME client.",
  NSUPDATE: "The commands nsupdate and knsupdate.",
  EXTERNAL_DNS: "ExternalDNS of Kubernetes.",
  CERT_MANAGER: "The cert-manager of Kubernetes, an ACME client.",
  TERRAFORM: "Terraform's provider `dns`.",
  OCTODNS: "The provider octodns-bind of octoDNS.",
  DNSCONTROL: "The provider AXFRDDNS of DNSControl.",
});

@ObjectType({ description: "What the TSIG key of a client of dynamic updates must reach.", simpleResolvers: true })
class UpdateClientScope {
  @Field(() => Client, { description: "The client." })
  client!: UpdateClient;

  @Field(() => [String], {
    nullable: true,
    description: "The `owners` of its key, for an ACME client those of RFC 8555 §8.4; null is all.",
  })
  owners?: readonly string[] | null | undefined;

  @Field(() => [RecordTypeScalar], { nullable: true, description: "The `types` of its key; null is all." })
  types?: readonly string[] | null | undefined;

  @Field(() => Boolean, { description: "Whether it transfers zones." })
  transfer!: boolean;
}

@Resolver(() => CreateTsigKeyPayload)
export class UpdateClientResolver {
  @Query(() => [UpdateClientScope], {
    description: "The clients of dynamic updates that `createTsigKey` returns a configuration for.",
  })
  updateClients(): UpdateClientScope[] {
    return updateClients.map((client) => ({ client, ...scopeFor(client) }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "Configuration of a client that signs with the key, to paste. It contains the secret.",
  })
  config(
    @Root() { tsigKey, secret }: CreateTsigKeyPayload,
    @Arg("client", () => Client, { description: "The client." }) client: UpdateClient,
    @Arg("server", () => String, {
      description: "Where it reaches the name server, such as `192.0.2.1:53` or `[2001:db8::1]:53`.",
    })
    server: string,
    @Arg("zone", () => String, {
      nullable: true,
      description: "The zone in it, if it names one. Default: the first zone of the key.",
    })
    zone: string | null | undefined,
  ): string {
    const [first] = tsigKey.zones ?? [];
    const named = zone ?? tsigKey.zones?.find((each) => !each.includes("*")) ?? first;
    if (named === undefined)
      throw new Refusal("MISSING_FIELD", "zone is missing; the key has none.", { field: "zone" });
    const { name, algorithm } = tsigKey;
    return clientConfig(
      client,
      { name, algorithm, secret },
      { server, zone: named.includes("*") ? named : readZone(named) },
    );
  }
}
