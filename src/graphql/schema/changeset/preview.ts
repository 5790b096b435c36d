/** Previews of change sets in the schema: what a set would do to each zone now, and what prevents it. */
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Int, ObjectType, Query, Resolver, Root } from "type-graphql";
import { changeSetById } from "../../../changeset/change-set.ts";
import { type CheckedZone, isApplicable } from "../../../changeset/check/check-zone.ts";
import { type Conflict, changeBehind } from "../../../changeset/check/conflict.ts";
import { previewChangeSet, type ShownPreview, withRrsets } from "../../../changeset/check/preview.ts";
import type { Reason } from "../../../errors.ts";
import { findingNotices, type PlannedChange } from "../../../finding/change-findings.ts";
import { type Order, pageOfAll } from "../../../lists/pagination.ts";
import { Change, ChangeKind, type ChangeRow } from "../../../zone/change.ts";
import type { Notice as NoticeRow } from "../../../zone/edit/notice.ts";
import type { ShownRrset } from "../../../zone/history/shown-difference.ts";
import { type Loss, largeLosses } from "../../../zone/loss.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { DateTimeScalar, IdScalar, RecordTypeScalar, SerialScalar } from "../../scalars/scalars.ts";
import { RRsetDiffConnection } from "../change/zone-diff.ts";
import { ErrorReason } from "../shared/error-extensions.ts";
import { NoticesField, usualItems, ZoneLoss } from "../shared/payloads.ts";

@ObjectType({
  description: "An RRset, or a whole zone, that somebody else changed after it was staged.",
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

  @Field(() => [String], { description: "The edited records when they were staged, as lines of a master file." })
  base!: readonly string[];

  @Field(() => [String], { description: "What it becomes by MINE, without what `theirs` has too." })
  mine!: readonly string[];

  @Field(() => [String], { description: "What it is now, and stays by THEIRS, without what `mine` has." })
  theirs!: readonly string[];
}

@ObjectType({ description: "What a change set would do to a zone as it is now.", simpleResolvers: true })
class ZonePreview {
  @Field(() => Int, { description: "Number of records that would go; of an edited one too." })
  removedCount!: number;

  @Field(() => Int, { description: "Number of records that would come; of an edited one too." })
  addedCount!: number;

  @Field(() => SerialScalar, {
    nullable: true,
    description: "The serial of the zone, now or after the application; null when there is no zone.",
  })
  serial!: number | null;

  @Field(() => [StagedConflict], { complexity: usualItems, description: "What somebody else changed meanwhile." })
  conflicts!: readonly Conflict[];

  @Field(() => [ErrorReason], {
    complexity: usualItems,
    description: "What the rules, or the rights of the key, forbid.",
  })
  refusals!: readonly Reason[];

  @NoticesField()
  notices!: readonly NoticeRow[];

  @Field(() => [String], { description: "Edits that are left out, since they would change nothing." })
  dropped!: readonly string[];
}

const ZonePreviewConnection = connectionType("ZonePreview", ZonePreview);

@ArgsType()
class ZonePreviewsArgs extends PageArgs {
  @Field(() => Boolean, { defaultValue: false, description: "Only zones in which something is in the way." })
  onlyProblems!: boolean;
}

@ObjectType({ description: "What a change set would do now. It is neither stored nor locked.", simpleResolvers: true })
export class ChangeSetPreview {
  @Field(() => String, {
    description:
      "Identifies what it would do, for applyChangeSet: each RRset that would change, before and after. Other changes of the zones do not matter.",
  })
  fingerprint!: string;

  @Field(() => DateTimeScalar, { description: "When it was looked at." })
  at!: Date;

  @Field(() => Boolean, { description: "Whether it can be applied; in mode EACH_ZONE, in at least one zone." })
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

/** The large losses of the zones that would change. */
const lossesOf = ({ zones }: ShownPreview) => largeLosses(zones.filter(isApplicable).flatMap(({ loss }) => loss ?? []));

const sum = (zones: readonly CheckedZone[], of: "removedCount" | "addedCount") =>
  zones.reduce((total, zone) => total + zone[of], 0);

function plannedChange({ staged, rrsets, notices }: CheckedZone): PlannedChange[] {
  const lines = rrsets.flatMap(({ owner, type, lines: own }) => own.map((line) => ({ ...line, owner, type })));
  const [removed, added] = [lines.filter((line) => line.removed), lines.filter((line) => !line.removed)];
  const isDeletion = staged.action === ChangeKind.DELETE;
  return staged.outcome === null ? [{ zone: staged.zone, removed, added, notices, isDeletion }] : [];
}

@Resolver(() => ChangeSetPreview)
export class ChangeSetPreviewResolver {
  @Query(() => ChangeSetPreview, {
    nullable: true,
    description: "What a change set would do now, and did to zones that it has changed; NOT_FOUND when there is none.",
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

  @FieldResolver(() => Int, { description: "Number of zones that would lose much, or be deleted." })
  largeLossCount(@Root() preview: ShownPreview): number {
    return lossesOf(preview).largeLossCount;
  }

  @FieldResolver(() => [ZoneLoss], {
    description: "The large losses, deletions first; at most 100. Ask for confirmation before applying or scheduling.",
  })
  largeLosses(@Root() preview: ShownPreview): readonly Loss[] {
    return lossesOf(preview).largeLosses;
  }

  @FieldResolver(() => Int, { description: "Number of conflicts, of all zones." })
  conflictCount(@Root() { zones }: ShownPreview): number {
    return zones.reduce((count, { conflicts }) => count + conflicts.length, 0);
  }

  @FieldResolver(() => Int, { description: "How many persons other than its authors must approve it." })
  requiredApprovals(@Root() { needs }: ShownPreview): number {
    return needs.approvals;
  }

  @FieldResolver(() => [String], { description: "The zones that require approvals, by name; at most 100." })
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
    const page = pageOfAll(shown, request, byZone);
    const checked = await withRrsets(session, page.rows);
    const findings = await findingNotices(session, checked.flatMap(plannedChange));
    const rows = checked.map(
      (zone): CheckedZone => ({
        ...zone,
        notices: [...zone.notices, ...(findings.get(zone.staged.zone) ?? [])],
      }),
    );
    return new Connection({ ...page, rows });
  }
}

@Resolver(() => StagedConflict)
export class StagedConflictResolver {
  @FieldResolver(() => Change, {
    nullable: true,
    description:
      "The change that last touched the RRset: who did it, when, and with which records. Null when it is about the zone, and for a key that may not see the change.",
  })
  change(@Root() conflict: Conflict, @Ctx() { session }: Context): Promise<ChangeRow | null> {
    return changeBehind(session, conflict);
  }
}

@Resolver(() => ZonePreview)
export class ZonePreviewResolver {
  @FieldResolver(() => String, { description: "DNS name of the zone." })
  zone(@Root() { staged }: CheckedZone): string {
    return staged.zone;
  }

  @FieldResolver(() => ChangeKind, { description: "What would be done to the zone as a whole." })
  action(@Root() { staged }: CheckedZone): ChangeKind {
    return staged.action;
  }

  @FieldResolver(() => RRsetDiffConnection, {
    nullable: true,
    description:
      "The RRsets that would change, the apex first, without the SOA serial and those in conflict; none for a deletion.",
  })
  rrsets(@Root() { rrsets }: CheckedZone, @Args(() => PageArgs) page: PageArgs): Connection<ShownRrset> {
    return new Connection(pageOfAll(rrsets, page, byPosition));
  }
}
