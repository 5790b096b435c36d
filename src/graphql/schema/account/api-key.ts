import { MinLength } from "class-validator";
import {
  Arg,
  Args,
  ArgsType,
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
import { ApiKey, type ApiKeyRow, createApiKey, listApiKeys, revokeApiKey } from "../../../account/api-key.ts";
import { User, type UserRow } from "../../../account/user.ts";
import { InputField, PlainTextField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { ApiKeyConnection } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { DateTimeScalar, IdScalar } from "../../scalars/scalars.ts";
import { CreatedRangeFilter } from "../shared/input-fields.ts";
import { NoticesPayload, noticesOfZones } from "../shared/payloads.ts";
import { ownerOf } from "../shared/rows.ts";

@InputType({ description: "A filter; every field that is present must match." })
class ApiKeyFilter extends CreatedRangeFilter {
  @Field(() => IdScalar, { nullable: true, description: "Id of the user whose keys they are." })
  userId?: number;
}

@ArgsType()
class ApiKeysArgs extends PageArgs {
  @InputField(() => ApiKeyFilter, { nullable: true, description: "Selects keys; without it, all." })
  filter?: ApiKeyFilter;
}

@InputType({ description: "A new API key." })
class CreateApiKeyInput {
  @MinLength(1, { message: "write what the key is for" })
  @PlainTextField(100, { description: "What the key is for, 1 to 100 characters; the journal shows this name." })
  name!: string;

  @Field(() => IdScalar, {
    nullable: true,
    description: "The user whose key it is. Default: no user for an administrator's key, otherwise the key's own.",
  })
  userId?: number;

  @Field(() => [String], {
    nullable: true,
    description:
      "The zones that a user's key is limited to, at most 100; they need not exist. Default: all of the user.",
  })
  zones?: string[];

  @Field(() => Boolean, { defaultValue: false, description: "Whether the key may only read." })
  readOnly!: boolean;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When the key expires. Default: never, or with the user's key that creates it.",
  })
  expiresAt?: Date;
}

@InputType({ description: "The API key to revoke." })
class RevokeApiKeyInput {
  @Field(() => IdScalar, { description: "Id of the key." })
  apiKeyId!: number;
}

@ObjectType({ description: "The created key.", simpleResolvers: true })
class CreateApiKeyPayload extends NoticesPayload {
  @Field(() => ApiKey, { description: "The key as it is listed." })
  apiKey!: ApiKeyRow;

  @Field(() => String, { description: "The key for the header X-API-Key. It is shown only here." })
  key!: string;
}

@ObjectType({ description: "The revoked key.", simpleResolvers: true })
class RevokeApiKeyPayload {
  @Field(() => ApiKey, { description: "The key." })
  apiKey!: ApiKeyRow;
}

@Resolver(() => ApiKey)
export class ApiKeyResolver {
  @Query(() => ApiKeyConnection, { description: "The API keys: all for an administrator, the user's own for a user." })
  async apiKeys(
    @Args(() => ApiKeysArgs) { filter, ...page }: ApiKeysArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<ApiKeyRow>> {
    return new Connection(await listApiKeys(session, { ...filter }, page));
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose key it is; null for an administrator's key.",
  })
  user(@Root() key: ApiKeyRow, @Ctx() context: Context): Promise<UserRow | null> {
    return ownerOf(key.userId, context);
  }

  @Mutation(() => CreateApiKeyPayload, {
    description:
      "Creates an API key. A user's key creates keys of its user that may do no more than itself (zones, readOnly, expiresAt).",
  })
  async createApiKey(
    @Arg("input", () => CreateApiKeyInput) input: CreateApiKeyInput,
    @Ctx() { session }: Context,
  ): Promise<CreateApiKeyPayload> {
    const created = await createApiKey(session, input);
    return { ...created, ...(await noticesOfZones(session, created.apiKey.zones)) };
  }

  @Mutation(() => RevokeApiKeyPayload, {
    description: "Revokes an API key at once. A user's key revokes keys of its user.",
  })
  async revokeApiKey(
    @Arg("input", () => RevokeApiKeyInput) { apiKeyId }: RevokeApiKeyInput,
    @Ctx() { session }: Context,
  ): Promise<RevokeApiKeyPayload> {
    return { apiKey: await revokeApiKey(session, apiKeyId) };
  }
}
