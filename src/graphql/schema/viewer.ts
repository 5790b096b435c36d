/** The viewer in the schema: the user of the request's key, what the key may do, and the limits. */
import { Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { ApiKey, type ApiKeyRow, apiKeyById } from "../../account/api-key.ts";
import { User, type UserRow, userById } from "../../account/user.ts";
import type { Context } from "../context.ts";
import { maxPageSize } from "../page-args.ts";
import { limits, maxRequestBytes } from "../query-limits.ts";
import { describeEnum } from "../scalars/enum-type.ts";
import { DateTimeScalar } from "../scalars/scalars.ts";
import { maxItems } from "./record/record-inputs.ts";

const Role = { ADMINISTRATOR: "administrator", USER: "user" } as const;
describeEnum(
  Role,
  { name: "Role", description: "Whose key it is." },
  {
    ADMINISTRATOR: "The operator's: it sees and may do everything.",
    USER: "A user's: it sees what belongs to the user.",
  },
);

@ObjectType({ description: "The limits of a key.", simpleResolvers: true })
class ViewerLimits {
  @Field(() => Int, { nullable: true, description: "Requests per minute (TOO_MANY_REQUESTS); null is no limit." })
  requestsPerMinute!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Requests in progress at once (TOO_MANY_REQUESTS); null is no limit.",
  })
  requestsInProgress!: number | null;

  @Field(() => Int, { description: "Rows that an operation may load if every page is full (QUERY_TOO_COMPLEX)." })
  rowsPerOperation!: number;

  @Field(() => Int, { description: "Rows of a page." })
  rowsPerPage!: number;

  @Field(() => Int, { description: "Records that one changeRecords may add, and as many to update and to remove." })
  recordsPerChange!: number;

  @Field(() => Int, { description: "Size of a request, bytes (TOO_LARGE)." })
  requestBytes!: number;

  @Field(() => Int, { description: "Size of a master file that is imported by REST, megabytes (TOO_LARGE)." })
  importMegabytes!: number;

  @Field(() => Int, { description: "Records of a master file besides its SOA (TOO_LARGE)." })
  importRecords!: number;
}

@ObjectType({ description: "The key of the request, and whose it is.", simpleResolvers: true })
class Viewer {
  @Field(() => Role, { description: "Whose key it is." })
  role!: "administrator" | "user";

  @Field(() => Boolean, { description: "Whether the key may only read." })
  readOnly!: boolean;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When the sign-in of the browser ends; null for a request with a key.",
  })
  signedInUntil!: Date | null;

  @Field(() => ViewerLimits, { description: "The limits of the key." })
  limits!: ViewerLimits;
}

const noLimit = (limit: number) => (limit === 0 ? null : limit);

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { description: "The key of the request, and whose it is." })
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
