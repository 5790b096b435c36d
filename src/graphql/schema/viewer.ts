/**
 * The viewer: whose key a request has, what it may do, which limits it has and how much there is.
 */
import { Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root, registerEnumType } from "type-graphql";
import { ApiKey, type ApiKeyRow, apiKeyById, listApiKeys } from "../../account/api-key.ts";
import { User, type UserRow, userById } from "../../account/user.ts";
import { DateTimeScalar } from "../../scalars.ts";
import { listDomains } from "../../zone/domain.ts";
import { listRecords } from "../../zone/record-list.ts";
import type { Context } from "../context.ts";
import { maxPageSize } from "../page-args.ts";
import { limits, maxRequestBytes } from "../query-limits.ts";
import { maxItems } from "./record-inputs.ts";

const Role = { ADMINISTRATOR: "administrator", USER: "user" } as const;
registerEnumType(Role, {
  name: "Role",
  description: "What a key is.",
  valuesConfig: {
    ADMINISTRATOR: { description: "A key of the operator, which sees and may do everything." },
    USER: { description: "A key of one user, which sees what belongs to the user." },
  },
});

@ObjectType({ description: "The limits of a key.", simpleResolvers: true })
class ViewerLimits {
  @Field(() => Int, { nullable: true, description: "Requests per minute (TOO_MANY_REQUESTS); null is no limit." })
  requestsPerMinute!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Requests in progress at a time (TOO_MANY_REQUESTS); null is no limit.",
  })
  requestsInProgress!: number | null;

  @Field(() => Int, {
    description: "Rows that one operation may load, as if every page were full (QUERY_TOO_COMPLEX).",
  })
  rowsPerOperation!: number;

  @Field(() => Int, { description: "Rows that a page may have." })
  rowsPerPage!: number;

  @Field(() => Int, { description: "Records that one changeRecords may add, update or remove, each." })
  recordsPerChange!: number;

  @Field(() => Int, {
    description: "Size of a request, bytes (TOO_LARGE): 1,000 records to add, to update and to remove fit.",
  })
  requestBytes!: number;

  @Field(() => Int, { description: "Size of a master file that may be imported by REST, megabytes." })
  importMegabytes!: number;

  @Field(() => Int, { description: "Records of a master file that may be imported, other than its SOA (TOO_LARGE)." })
  importRecords!: number;
}

@ObjectType({ description: "How much there is of what a key sees.", simpleResolvers: true })
class Usage {}

@ObjectType({ description: "The key of this request, and whose it is.", simpleResolvers: true })
class Viewer {
  @Field(() => Role, { description: "What the key is." })
  role!: "administrator" | "user";

  @Field(() => Boolean, { description: "Whether the key may only read." })
  readOnly!: boolean;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When the sign-in of this browser ends; null for a request with a key.",
  })
  signedInUntil!: Date | null;

  @Field(() => ViewerLimits, { description: "The limits of the key." })
  limits!: ViewerLimits;

  @Field(() => Usage, { description: "How much there is of what the key sees; each field is counted when selected." })
  usage!: Usage;
}

const noLimit = (limit: number) => (limit === 0 ? null : limit);

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { description: "The key of this request, and whose it is." })
  viewer(@Ctx() { session }: Context): Viewer {
    const { actor, policy } = session;
    const { perMinute, inProgress } = policy.requestLimits;
    return {
      role: actor.role === "user" ? "user" : "administrator",
      readOnly: actor.readOnly,
      signedInUntil: actor.signedInUntil ?? null,
      limits: {
        requestsPerMinute: noLimit(perMinute),
        requestsInProgress: noLimit(inProgress),
        rowsPerOperation: limits.rows,
        rowsPerPage: maxPageSize,
        recordsPerChange: maxItems,
        requestBytes: maxRequestBytes,
        importMegabytes: policy.importMegabytes,
        importRecords: policy.importRecords,
      },
      usage: {},
    };
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose key it is; null for an administrator's key.",
  })
  async user(@Root() _viewer: Viewer, @Ctx() { session }: Context): Promise<UserRow | null> {
    return session.actor.userId === null ? null : userById(session, session.actor.userId);
  }

  @FieldResolver(() => ApiKey, { nullable: true, description: "The key as it is listed." })
  async key(@Root() _viewer: Viewer, @Ctx() { session }: Context): Promise<ApiKeyRow | null> {
    return session.actor.keyId === undefined ? null : apiKeyById(session, session.actor.keyId);
  }
}

const onePage = { first: 1 };

@Resolver(() => Usage)
export class UsageResolver {
  @FieldResolver(() => Int, { nullable: true, description: "Number of domains." })
  domainCount(@Root() _usage: Usage, @Ctx() { session }: Context): Promise<number> {
    return countOf(listDomains(session, {}, { ...onePage, order: "CREATED" }));
  }

  @FieldResolver(() => Int, { nullable: true, description: "Number of records." })
  recordCount(@Root() _usage: Usage, @Ctx() { session }: Context): Promise<number> {
    return countOf(listRecords(session, {}, { ...onePage, order: "CREATED" }));
  }

  @FieldResolver(() => Int, { nullable: true, description: "Number of API keys, with those that were revoked." })
  apiKeyCount(@Root() _usage: Usage, @Ctx() { session }: Context): Promise<number> {
    return countOf(listApiKeys(session, {}, { ...onePage, order: "CREATED" }));
  }
}

async function countOf(list: Promise<{ count(): Promise<number> }>): Promise<number> {
  return (await list).count();
}
