import { Args, ArgsType, Ctx, Field, FieldResolver, InputType, Query, Resolver, Root } from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import { AuditEntry, type AuditEntryRow, type auditOrders, listAuditEntries } from "../../../audit/audit-entry.ts";
import { type Code, codes } from "../../../error-codes.ts";
import { Change, type ChangeRow, ChangeSource } from "../../../zone/change.ts";
import { InputField, PlainTextField } from "../../checked-fields.ts";
import { Connection } from "../../connection.ts";
import { AuditEntryConnection, JournalOrder } from "../../connection-types.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { ErrorCode, IdScalar } from "../../scalars/scalars.ts";
import { CreatedRangeFilter } from "../shared/input-fields.ts";
import { changeOf, userOf } from "../shared/rows.ts";

@InputType({ description: "A filter; every field that is present must match." })
class AuditEntryFilter extends CreatedRangeFilter {
  @Field(() => IdScalar, {
    nullable: true,
    description: "Id of a user: what the user's keys did, and what others did to the user's data.",
  })
  userId?: number;

  @PlainTextField(300, {
    nullable: true,
    description: "The actor, as in `AuditEntry.actor`, or the name of keys alone.",
  })
  actor?: string;

  @Field(() => IdScalar, { nullable: true, description: "Id of the API key." })
  apiKeyId?: number;

  @Field(() => ChangeSource, { nullable: true, description: "The interface that it came through." })
  source?: (typeof ChangeSource)[keyof typeof ChangeSource];

  @PlainTextField(200, { nullable: true, description: "The operation, as `AuditEntry.operation` has it." })
  operation?: string;

  @Field(() => String, { nullable: true, description: "Zone name in any spelling." })
  zone?: string;

  @Field(() => ErrorCode, { nullable: true, description: "Only what was refused with this code." })
  code?: Code;

  @Field(() => Boolean, { nullable: true, description: "Only what was refused; with `false`, only what was done." })
  refused?: boolean;
}

@ArgsType()
class AuditEntriesArgs extends PageArgs {
  @InputField(() => AuditEntryFilter, { nullable: true, description: "Selects entries; without it, all." })
  filter?: AuditEntryFilter;

  @Field(() => JournalOrder, { defaultValue: JournalOrder.CREATED_DESC, description: "Sort order." })
  orderBy!: keyof typeof auditOrders;
}

@Resolver(() => AuditEntry)
export class AuditEntryResolver {
  @Query(() => AuditEntryConnection, {
    description:
      "The audit: every write, done or refused, and every sign-in. A user sees what the user's keys did, and what others did to the user's data. Refused dynamic updates are in `updateRefusals`.",
  })
  async auditEntries(
    @Args(() => AuditEntriesArgs) { filter, orderBy, ...page }: AuditEntriesArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<AuditEntryRow>> {
    return new Connection(await listAuditEntries(session, { ...filter }, { ...page, order: orderBy }));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The client's address; null for the service itself, and where a user may not see it.",
  })
  address(@Root() { address, actorUserId }: AuditEntryRow, @Ctx() { session }: Context): string | null {
    const { role, userId } = session.actor;
    return role === "user" && actorUserId !== userId ? null : address;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "What its code means, as a sentence; null when it was done.",
  })
  meaning(@Root() { code }: AuditEntryRow): string | null {
    return code && codes[code].meaning;
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose data it was about; null without one, or when the user is deleted.",
  })
  user(@Root() { userId }: AuditEntryRow, @Ctx() context: Context): Promise<UserRow | null> {
    return userOf(userId, context);
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The change of a zone that it made; null without one, or when that is no longer kept.",
  })
  change(@Root() { changeId }: AuditEntryRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(changeId, context);
  }
}
