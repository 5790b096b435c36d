/** Differences in the schema: between two moments of a zone, or before and after a change. */
import { Args, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from "type-graphql";
import { Refusal } from "../../../errors.ts";
import type { Session } from "../../../session/session.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import {
  countDifference,
  type DifferenceCount,
  differingRrsets,
  type RrsetDifference,
} from "../../../zone/history/difference.ts";
import type { Moment, Moments } from "../../../zone/history/moment.ts";
import { maxTextLines, shortDifferenceText } from "../../../zone/history/past-text.ts";
import type { ShownLine } from "../../../zone/history/shown-difference.ts";
import { instantsOf } from "../../../zone/history/versions.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { enumType } from "../../scalars/enum-type.ts";
import { IdScalar, RecordTypeScalar } from "../../scalars/scalars.ts";
import { changeOf } from "../shared/rows.ts";
import { ZoneMoment } from "./zone-moment.ts";

/** Differing records of an RRset, as the row limit counts them. */
const linesOfRrset = 10;

const DiffOp = enumType("DiffOp", "On which side of a difference a record is.", {
  REMOVED: "On the first alone: it is gone.",
  ADDED: "On the second alone: it has come.",
});

@ObjectType({ description: "A record that is on one side of a difference alone." })
export class DiffLine {
  @Field(() => IdScalar, {
    nullable: true,
    description: "The id of the record; null for one that a dry run would add.",
  })
  recordId!: number | null;

  @Field(() => Int, { description: "Time to live, seconds, 0…2147483647." })
  ttl!: number;

  @Field(() => String, { description: "Record data in canonical presentation form; names are absolute." })
  rdata!: string;
}

@ObjectType({ description: "An RRset that differs.", simpleResolvers: true })
export class RRsetDiff {
  @Field(() => String, { description: "The owner, relative to the zone; `@` is the apex." })
  owner!: string;

  @Field(() => RecordTypeScalar, { description: "Type mnemonic, upper case." })
  type!: string;

  @Field(() => [DiffLine], {
    complexity: linesOfRrset,
    description: "The records that differ, the removed first; a changed TTL removes and adds a record.",
  })
  lines!: readonly ShownLine[];
}

export const RRsetDiffConnection = connectionType("RRsetDiff", RRsetDiff);

@ObjectType({
  description: "What differs between two moments of a zone, apart from the SOA serial.",
  simpleResolvers: true,
})
export class ZoneDiff implements Moments {
  @Field(() => ZoneMoment, { nullable: true, description: "The first moment; null when the zone did not exist yet." })
  readonly from: Moment | null;

  @Field(() => ZoneMoment, { description: "The second moment." })
  readonly to: Moment;

  #count: Promise<DifferenceCount> | undefined;

  constructor({ from, to }: Moments) {
    this.from = from;
    this.to = to;
  }

  /** The counts of the difference, read when the first of them is selected. */
  count(session: Session): Promise<DifferenceCount> {
    this.#count ??= countDifference(session, instantsOf(this));
    return this.#count;
  }
}

@Resolver(() => DiffLine)
export class DiffLineResolver {
  @FieldResolver(() => DiffOp, { description: "On which side the record is." })
  op(@Root() { removed }: ShownLine): keyof typeof DiffOp {
    return removed ? DiffOp.REMOVED : DiffOp.ADDED;
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description:
      "The change that removed or added it, or for a difference back in time the reverse. Null in a dry run, and when older than the journal.",
  })
  change(@Root() { changeId }: ShownLine, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(changeId, context);
  }
}

@Resolver(() => ZoneDiff)
export class ZoneDiffResolver {
  @FieldResolver(() => Int, { nullable: true, description: "Number of records that are gone." })
  async removedCount(@Root() diff: ZoneDiff, @Ctx() { session }: Context): Promise<number> {
    return (await diff.count(session)).removed;
  }

  @FieldResolver(() => Int, { nullable: true, description: "Number of records that have come." })
  async addedCount(@Root() diff: ZoneDiff, @Ctx() { session }: Context): Promise<number> {
    return (await diff.count(session)).added;
  }

  @FieldResolver(() => RRsetDiffConnection, {
    nullable: true,
    description: "The RRsets that differ, by owner and type, with the apex first.",
  })
  async rrsets(
    @Root() diff: ZoneDiff,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<RrsetDifference>> {
    const count = async () => (await diff.count(session)).rrsets;
    return new Connection(await differingRrsets(session, instantsOf(diff), page, count));
  }

  @FieldResolver(() => String, {
    nullable: true,
    complexity: maxTextLines,
    description:
      "The difference as text like `diff -u`, at most 1000 lines; a larger one is at GET /api/domain/diff/:zone (TOO_LARGE).",
  })
  async text(@Root() diff: ZoneDiff, @Ctx() { session }: Context): Promise<string> {
    const text = await shortDifferenceText(session, diff);
    if (text !== undefined) return text;
    const { from, to } = diff;
    const start = from ? from.change.id : new Date(0).toISOString();
    const path = `/api/domain/diff/${to.zone}?from=${start}&to=${to.change.id}`;
    throw new Refusal("TOO_LARGE", `The difference has more than ${maxTextLines} lines; read GET ${path} instead.`);
  }
}
