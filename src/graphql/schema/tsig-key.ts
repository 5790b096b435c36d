/**
 * TSIG keys in the schema. Administrators only.
 */
import {
  Arg,
  Args,
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
import { createTsigKey, listTsigKeys, revokeTsigKey, TsigKey, type TsigKeyRow } from "../../account/tsig-key.ts";
import { User, type UserRow, usersByIds } from "../../account/user.ts";
import { DateTimeScalar } from "../../scalars.ts";
import { Connection } from "../connection.ts";
import { TsigKeyConnection } from "../connections.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { PlainText } from "../plain-text.ts";
import { readId, readOptionalId } from "../read-id.ts";
import { withoutNulls } from "../without-nulls.ts";

@InputType({ description: "A new TSIG key." })
class CreateTsigKeyInput {
  @Field(() => String, { description: "The key's name, a domain name such as knot1.example.com; unique." })
  @PlainText(255)
  name!: string;

  @Field(() => String, {
    defaultValue: "hmac-sha256",
    description: "hmac-sha256, hmac-sha384 or hmac-sha512; hmac-sha1 and hmac-md5 where the operator switched them on.",
  })
  @PlainText(30)
  algorithm!: string;

  @Field(() => ID, { nullable: true, description: "The user whose domains it reaches; left out, it is nobody's." })
  userId?: string;

  @Field(() => [String], {
    nullable: true,
    description:
      "Zones it may update (RFC 2136), in which `*` stands for any characters; left out, all of the user's, and none when it is nobody's.",
  })
  zones?: string[];

  @Field(() => [String], {
    nullable: true,
    description:
      "Owners it may write at, relative to the zone, in which `*` stands for any characters, dots too: `_acme-challenge*`; left out, all.",
  })
  owners?: string[];

  @Field(() => [String], { nullable: true, description: "Types it may write, such as TXT; left out, all." })
  types?: string[];

  @Field(() => Boolean, {
    defaultValue: true,
    description: "Whether it may transfer (AXFR, IXFR) the zones that it may update.",
  })
  transfer!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it stops working; left out, never." })
  expiresAt?: Date;
}

@InputType({ description: "Which TSIG key to revoke." })
class RevokeTsigKeyInput {
  @Field(() => ID, { description: "The key to revoke." })
  id!: string;
}

@ObjectType({ description: "The created TSIG key with its secret.", simpleResolvers: true })
class CreateTsigKeyPayload {
  @Field(() => TsigKey, { description: "The key as listed." })
  tsigKey!: TsigKeyRow;

  @Field(() => String, { description: "The secret, base64; shown this once, and in the stanza of a secondary." })
  secret!: string;
}

@ObjectType({ description: "The revoked TSIG key.", simpleResolvers: true })
class RevokeTsigKeyPayload {
  @Field(() => TsigKey, { description: "The key, revoked." })
  tsigKey!: TsigKeyRow;
}

@Resolver(() => TsigKey)
export class TsigKeyResolver {
  @FieldResolver(() => User, { nullable: true, description: "The user it belongs to; null when it is nobody's." })
  async user(@Root() key: TsigKeyRow, @Ctx() context: Context): Promise<UserRow | null> {
    if (key.userId === null) return null;
    return context.loadRow("User", key.userId, (ids) => usersByIds(context.session, ids));
  }

  @Query(() => TsigKeyConnection, { description: "The TSIG keys by name. Administrators only." })
  async tsigKeys(@Args(() => PageArgs) page: PageArgs, @Ctx() { session }: Context) {
    return new Connection<TsigKeyRow>(await listTsigKeys(session, { ...page, order: "NAME" }));
  }

  @Mutation(() => CreateTsigKeyPayload, {
    description: "Creates a TSIG key with a secret of its own. Administrators only.",
  })
  createTsigKey(
    @Arg("input", () => CreateTsigKeyInput) { name, algorithm, userId, ...grant }: CreateTsigKeyInput,
    @Ctx() { session }: Context,
  ): Promise<CreateTsigKeyPayload> {
    return createTsigKey(session, name, algorithm, {
      ...withoutNulls({ ...grant, userId: readOptionalId(userId, "userId") }),
    });
  }

  @Mutation(() => RevokeTsigKeyPayload, {
    description: "Revokes a TSIG key at once: nothing signed with it is accepted any more. Administrators only.",
  })
  async revokeTsigKey(
    @Arg("input", () => RevokeTsigKeyInput) { id }: RevokeTsigKeyInput,
    @Ctx() { session }: Context,
  ): Promise<RevokeTsigKeyPayload> {
    return { tsigKey: await revokeTsigKey(session, readId(id, "id")) };
  }
}
