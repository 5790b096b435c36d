/** What happened, in the schema. */
import { Max, Min } from "class-validator";
import { Args, ArgsType, Ctx, Field, InputType, Int, ObjectType, Query, Resolver } from "type-graphql";
import { type Activity, ActivityKind, type ActivityPage, listActivity } from "../../activity/activity.ts";
import { ChangeSource } from "../../zone/change.ts";
import { InputField, PlainTextField } from "../checked-fields.ts";
import type { Context } from "../context.ts";
import { maxCursorLength } from "../page-args.ts";
import { Node } from "../scalars/node-interface.ts";
import { DateTimeScalar } from "../scalars/scalars.ts";

@ObjectType("Activity", {
  description: "Something that happened, or the same several times within an hour.",
  simpleResolvers: true,
})
class ActivityType {
  @Field(() => ActivityKind, { description: "What kind of thing happened." })
  kind!: keyof typeof ActivityKind;

  @Field(() => Node, {
    description:
      "The newest of what is folded: a Change, a ChangeSet, an UpdateRefusal or an AuditEntry. Changes of a change set are one entry with the set; with its newest change when the key may not see it, or when it is no longer kept.",
  })
  node!: Activity["node"];

  @Field(() => Int, {
    description:
      "How many are folded: changes of one kind and key in one zone, or the same refusal or operation again.",
  })
  count!: number;

  @Field(() => DateTimeScalar, { description: "When it happened last." })
  at!: Date;

  @Field(() => DateTimeScalar, { description: "When the first one of what is folded happened." })
  since!: Date;
}

@ObjectType("ActivityPage", { description: "A page of what happened.", simpleResolvers: true })
class ActivityPageType {
  @Field(() => [ActivityType], {
    description: "What happened, newest first. What is folded in one page may go on in the next; a page may be short.",
  })
  entries!: readonly Activity[];

  @Field(() => String, { nullable: true, description: "The cursor for `after`; null when nothing is older." })
  endCursor!: string | null;
}

@InputType({ description: "A filter; every field that is present must match." })
class ActivityFilter {
  @Field(() => ActivityKind, { nullable: true, description: "Only this kind." })
  kind?: keyof typeof ActivityKind;

  @Field(() => String, { nullable: true, description: "Name of the zone, in any spelling; it may be deleted." })
  zone?: string;

  @PlainTextField(300, {
    nullable: true,
    description: "Who did it: an actor, as in `Change.actor`, or the name of keys alone. Of a change set, its author.",
  })
  who?: string;

  @Field(() => ChangeSource, {
    nullable: true,
    description: "The interface that it came through; change sets that are not applied have none.",
  })
  source?: (typeof ChangeSource)[keyof typeof ChangeSource];

  @Field(() => DateTimeScalar, { nullable: true, description: "Only what happened at this time or later." })
  since?: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Only what happened before this time." })
  until?: Date;
}

const mostEntries = 100;
const sizeRange = { message: `write a number from 1 to ${mostEntries}` };

@ArgsType()
class ActivityArgs {
  @InputField(() => ActivityFilter, { nullable: true, description: "Selects what happened; without it, all." })
  filter?: ActivityFilter;

  @Field(() => Int, { nullable: true, description: `Entries of the page, 1 to ${mostEntries}; 50 by default.` })
  @Min(1, sizeRange)
  @Max(mostEntries, sizeRange)
  first?: number;

  @PlainTextField(maxCursorLength, { nullable: true, description: "The page starts after this cursor." })
  after?: string;
}

@Resolver()
export class ActivityResolver {
  @Query(() => ActivityPageType, {
    description:
      "What happened, newest first: changes, change sets that are not applied, refusals and the rest of the audit, each as far as the key sees it in its own list.",
  })
  activity(
    @Args(() => ActivityArgs) { filter, ...page }: ActivityArgs,
    @Ctx() { session }: Context,
  ): Promise<ActivityPage> {
    return listActivity(session, { ...filter }, page);
  }
}
