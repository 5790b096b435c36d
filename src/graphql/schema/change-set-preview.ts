/**
 * Previews of change sets in the schema: what a set would do to each of its zones as they are now, and what is in its way.
 */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { changeSetById } from "../../changeset/change-set.ts";
import { type CheckedZone, isApplicable } from "../../changeset/check-zone.ts";
import type { Conflict } from "../../changeset/conflict.ts";
import { previewChangeSet, type ShownPreview, withRrsets } from "../../changeset/preview.ts";
import { ChangeSetAction } from "../../changeset/states.ts";
import type { Code } from "../../error-codes.ts";
import type { Reason } from "../../errors.ts";
import { DateTimeScalar, ErrorCode, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars.ts";
import { type Order, pageOfAll } from "../../sql/pagination.ts";
import type { Notice as NoticeRow } from "../../zone/edit/notice.ts";
import type { ShownRrset } from "../../zone/history/shown-difference.ts";
import { type Loss, largeLosses } from "../../zone/loss.ts";
import { Connection, connectionType } from "../connection.ts";
import type { Context } from "../context.ts";
import { PageArgs } from "../page-args.ts";
import { NoticesField } from "./payloads.ts";
import { RRsetDiffConnection } from "./zone-diff.ts";
import { ZoneLoss } from "./zone-loss.ts";

/** Items of a list of a zone's preview, as the limit of rows counts them. */
const usualItems = 10;

@ObjectType({
  description: "An RRset, or a whole zone, that cannot be edited as it was staged, since somebody else made a change.",
  simpleResolvers: true,
})
class StagedConflict {
  @Field(() => String, { description: "What is in the way, and what to do." })
  message!: string;

  @Field(() => String, { nullable: true, description: "The owner of the RRset; null when it is about the zone." })
  owner!: string | null;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "The type of the RRset; null when it is about the zone.",
  })
  type!: string | null;

  @Field(() => [String], {
    description:
      "The records of it that the change set edits as they were when they were staged, as lines of a master file.",
  })
  base!: readonly string[];

  @Field(() => [String], {
    description:
      "What the change set makes of it once the conflict is resolved by MINE, without what `theirs` has too.",
  })
  mine!: readonly string[];

  @Field(() => [String], { description: "What it is now, and stays by THEIRS, without what `mine` has too." })
  theirs!: readonly string[];
}

@ObjectType({ description: "A reason for which a change set cannot be applied in a zone.", simpleResolvers: true })
export class StagedRefusal {
  @Field(() => ErrorCode, { description: "The code that the error would have." })
  code!: Code;

  @Field(() => String, { nullable: true, description: "The owner that it is about; null when it is about none." })
  owner?: string;

  @Field(() => RecordTypeScalar, {
    nullable: true,
    description: "The type that it is about; null when it is about none.",
  })
  type?: string;

  @Field(() => String, { description: "What is wrong, and what to do." })
  message!: string;
}

@ObjectType({ description: "What a change set would do to a zone as it is now.", simpleResolvers: true })
class ZonePreview {
  @Field(() => Int, { description: "Number of records that would go; of an edited one too." })
  removedCount!: number;

  @Field(() => Int, { description: "Number of records that would come; of an edited one too." })
  addedCount!: number;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial of the zone now, or the one that the change set gave it; null when there is no zone.",
  })
  serial!: number | null;

  @Field(() => [StagedConflict], { complexity: usualItems, description: "What somebody else changed meanwhile." })
  conflicts!: readonly Conflict[];

  @Field(() => [StagedRefusal], {
    complexity: usualItems,
    description: "What the rules, or the rights of the key, forbid.",
  })
  refusals!: readonly Reason[];

  @NoticesField()
  notices!: readonly NoticeRow[];

  @Field(() => [String], { description: "Edits that are left out, since there is nothing left for them to do." })
  dropped!: readonly string[];
}

const ZonePreviewConnection = connectionType("ZonePreview", ZonePreview);

@ArgsType()
class ZonePreviewsArgs extends PageArgs {
  @Field(() => Boolean, { defaultValue: false, description: "Only zones in which something is in the way." })
  onlyProblems!: boolean;
}

@ObjectType({
  description: "What a change set would do, as things are now. Nothing is locked for it, and nothing stored.",
  simpleResolvers: true,
})
export class ChangeSetPreview {
  @Field(() => String, {
    description:
      "What it would do, as one value, which applyChangeSet takes: each RRset that would become another, before and after. Changes elsewhere in the zones do not matter.",
  })
  fingerprint!: string;

  @Field(() => DateTimeScalar, { description: "When it was looked at." })
  at!: Date;

  @Field(() => Boolean, {
    description:
      "Whether it has edits, is not over, and nothing is in the way; in mode EACH_ZONE, not in all of its zones.",
  })
  applicable!: boolean;
}

const byZone: Order<CheckedZone> = {
  name: "zonePreview.ZONE",
  columns: [],
  kinds: ["string"],
  descending: false,
  key: ({ staged }) => [staged.zone],
};

const byPosition: Order<ShownRrset> = {
  name: "previewedRrset.NAME",
  columns: [],
  kinds: ["string"],
  descending: false,
  key: ({ owner, type }) => [`${owner === "@" ? "" : owner} ${type === "SOA" ? "" : type}`],
};

/** The large losses of all zones that would be changed. */
const lossesOf = ({ zones }: ShownPreview) => largeLosses(zones.filter(isApplicable).flatMap(({ loss }) => loss ?? []));

const sum = (zones: readonly CheckedZone[], of: "removedCount" | "addedCount") =>
  zones.reduce((total, zone) => total + zone[of], 0);

@Resolver(() => ChangeSetPreview)
export class ChangeSetPreviewResolver {
  @Query(() => ChangeSetPreview, {
    nullable: true,
    description:
      "What the change set of this id would do, as things are now, and what it did to zones that it has changed already; NOT_FOUND when there is none.",
  })
  async changeSetPreview(
    @Arg("id", () => IdScalar, { description: "The id of the change set." }) id: number,
    @Ctx() { session }: Context,
  ): Promise<ShownPreview> {
    return previewChangeSet(session, await changeSetById(session, id));
  }

  @FieldResolver(() => Int, { description: "Number of zones that would change." })
  changedZoneCount(@Root() { zones }: ShownPreview): number {
    return zones.filter((zone) => isApplicable(zone) && zone.removedCount + zone.addedCount > 0).length;
  }

  @FieldResolver(() => Int, { description: "Number of records that would go, of all zones." })
  removedCount(@Root() { zones }: ShownPreview): number {
    return sum(zones, "removedCount");
  }

  @FieldResolver(() => Int, { description: "Number of records that would come, of all zones." })
  addedCount(@Root() { zones }: ShownPreview): number {
    return sum(zones, "addedCount");
  }

  @FieldResolver(() => Int, { description: "Number of zones that would be deleted." })
  deletedZoneCount(@Root() preview: ShownPreview): number {
    return lossesOf(preview).deletedZoneCount;
  }

  @FieldResolver(() => Int, {
    description: "Number of zones whose loss would be large, those that would be deleted among them.",
  })
  largeLossCount(@Root() preview: ShownPreview): number {
    return lossesOf(preview).largeLossCount;
  }

  @FieldResolver(() => [ZoneLoss], {
    description:
      "The large losses of all its zones: deletions first, then the zones that lose most; the first 100. A client asks before it applies or schedules the set.",
  })
  largeLosses(@Root() preview: ShownPreview): readonly Loss[] {
    return lossesOf(preview).largeLosses;
  }

  @FieldResolver(() => Int, { description: "Number of conflicts, of all zones." })
  conflictCount(@Root() { zones }: ShownPreview): number {
    return zones.reduce((count, { conflicts }) => count + conflicts.length, 0);
  }

  @FieldResolver(() => Int, {
    description: "How many persons other than its authors must approve it: as many as it wants, or a zone demands.",
  })
  approvalsNeeded(@Root() { needs }: ShownPreview): number {
    return needs.approvals;
  }

  @FieldResolver(() => [String], { description: "The zones that demand approvals, by name; the first 100." })
  demandingZones(@Root() { needs }: ShownPreview): readonly string[] {
    return needs.demandingZones;
  }

  @FieldResolver(() => ZonePreviewConnection, { nullable: true, description: "Its zones, by name." })
  async zones(
    @Root() { zones }: ShownPreview,
    @Args(() => ZonePreviewsArgs) { onlyProblems, ...request }: ZonePreviewsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<CheckedZone>> {
    const shown = onlyProblems ? zones.filter((zone) => !isApplicable(zone)) : zones;
    const page = pageOfAll(shown, { ...request, order: byZone.name }, byZone);
    return new Connection({ ...page, rows: await withRrsets(session, page.rows) });
  }
}

@Resolver(() => ZonePreview)
export class ZonePreviewResolver {
  @FieldResolver(() => String, { description: "DNS name of the zone." })
  zone(@Root() { staged }: CheckedZone): string {
    return staged.zone;
  }

  @FieldResolver(() => ChangeSetAction, { description: "What would be done to the zone as a whole." })
  action(@Root() { staged }: CheckedZone): ChangeSetAction {
    return staged.action;
  }

  @FieldResolver(() => RRsetDiffConnection, {
    nullable: true,
    description:
      "The RRsets that would become others, with the apex first, the serial of the SOA aside; not those in conflict, and none of a zone that would be deleted.",
  })
  rrsets(@Root() { rrsets }: CheckedZone, @Args(() => PageArgs) page: PageArgs): Connection<ShownRrset> {
    return new Connection(pageOfAll(rrsets, { ...page, order: byPosition.name }, byPosition));
  }
}
