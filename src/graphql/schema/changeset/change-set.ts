/** Change sets in the schema: lists, staged edits, steps, and the subscription to one set. */
import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
  Subscription,
} from "type-graphql";
import { User, type UserRow } from "../../../account/user.ts";
import { applyChangeSet } from "../../../changeset/apply/apply.ts";
import {
  ChangeSet,
  ChangeSetEdit,
  ChangeSetEvent,
  type ChangeSetRow,
  ChangeSetZone,
  changeSetById,
  changeSetsByIds,
} from "../../../changeset/change-set.ts";
import { changeSetsOfDomains, listChangeSets } from "../../../changeset/change-set-list.ts";
import { previewChangeSet, type ShownPreview } from "../../../changeset/check/preview.ts";
import {
  type ChangeSetEventRow,
  type ChangeSetZoneRow,
  editsOfZone,
  eventsOfSet,
  type StagedEditRow,
  stagedEdits,
  zonesOfSet,
} from "../../../changeset/contents.ts";
import { cancelChangeSet, createChangeSet, stageChanges, updateChangeSet } from "../../../changeset/stage/stage.ts";
import { ChangeSetState, StagedOp } from "../../../changeset/states.ts";
import { watchChangeSet } from "../../../changeset/watch.ts";
import type { Session } from "../../../session/session.ts";
import { Change, type ChangeRow } from "../../../zone/change.ts";
import { ChangeRecord, type ShownRecord } from "../../../zone/change-record.ts";
import { Domain, type DomainRow } from "../../../zone/domain.ts";
import type { Notice as NoticeRow } from "../../../zone/edit/notice.ts";
import { Connection, connectionType } from "../../connection.ts";
import type { Context } from "../../context.ts";
import { PageArgs } from "../../page-args.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { NoticesField } from "../shared/payloads.ts";
import { changeOf, domainOf, userOf } from "../shared/rows.ts";
import {
  ApplyChangeSetInput,
  ChangeSetStepInput,
  ChangeSetsArgs,
  CreateChangeSetInput,
  StageChangesInput,
  UpdateChangeSetInput,
  ZonesOfSetArgs,
} from "./inputs.ts";
import { ChangeSetPreview } from "./preview.ts";
import { readParts } from "./staged-zone-input.ts";

@ArgsType()
class ChangeSetsOfDomainArgs extends PageArgs {
  @Field(() => [ChangeSetState], { nullable: true, description: "States; the change set is in one of them." })
  states?: ChangeSetState[];
}

@Resolver(() => Domain)
export class ChangeSetListResolver {
  @FieldResolver(() => ChangeSetConnection, {
    nullable: true,
    description: "The change sets with this zone that the key may see, newest first.",
  })
  async changeSets(
    @Root() { id }: DomainRow,
    @Args(() => ChangeSetsOfDomainArgs) { states, ...page }: ChangeSetsOfDomainArgs,
    @Ctx() context: Context,
  ): Promise<Connection<ChangeSetRow>> {
    const read = (ids: readonly number[]) => changeSetsOfDomains(context.session, ids, states ?? undefined, page);
    return new Connection(await context.load("Domain.changeSets", { states, page }, id, read));
  }

  @Subscription(() => ChangeSet, {
    description: "A change set, now and after each event. Ends with an error when the key may not see it any more.",
    subscribe: ({ args, context }) => watch((args as { id: number }).id, context as Context),
  })
  changeSetChanged(
    @Arg("id", () => IdScalar, { description: "The id of the change set." }) _id: number,
    @Root() set: ChangeSetRow,
  ): ChangeSetRow {
    return set;
  }
}

/** Yields the set whenever it changes. The loaders are cleared each time, so that its fields are read again. */
async function watch(id: number, context: Context): Promise<AsyncIterable<ChangeSetRow>> {
  const sets = watchChangeSet(context.session, id, context.caller);
  return (async function* shown() {
    for await (const set of sets) {
      context.forget();
      yield set;
    }
  })();
}

export const ChangeSetConnection = connectionType("ChangeSet", ChangeSet);
const ChangeSetZoneConnection = connectionType("ChangeSetZone", ChangeSetZone);
const StagedEditConnection = connectionType("StagedEdit", ChangeSetEdit);
const ChangeSetEventConnection = connectionType("ChangeSetEvent", ChangeSetEvent);

@ObjectType({ description: "A change set after a mutation.", simpleResolvers: true })
export class ChangeSetPayload {
  readonly #session: Session;

  constructor(session: Session, changeSet: ChangeSetRow & { readonly notices?: readonly NoticeRow[] }) {
    this.#session = session;
    this.changeSet = changeSet;
    this.notices = changeSet.notices ?? [];
  }

  @Field(() => ChangeSet, { description: "The change set." })
  changeSet: ChangeSetRow;

  @Field(() => ChangeSetPreview, { nullable: true, description: "What the change set would do now." })
  get preview(): Promise<ShownPreview> {
    return previewChangeSet(this.#session, this.changeSet);
  }

  @NoticesField()
  notices: readonly NoticeRow[];
}

@Resolver(() => ChangeSet)
export class ChangeSetResolver {
  @Query(() => ChangeSet, { nullable: true, description: "The change set of this id; NOT_FOUND when there is none." })
  changeSet(
    @Arg("id", () => IdScalar, { description: "The id of the change set." }) id: number,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetRow> {
    return changeSetById(session, id);
  }

  @Query(() => ChangeSetConnection, { description: "The change sets that the key may see, newest first." })
  async changeSets(
    @Args(() => ChangeSetsArgs) { filter, ...page }: ChangeSetsArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<ChangeSetRow>> {
    return new Connection(await listChangeSets(session, filter ?? {}, page));
  }

  @FieldResolver(() => User, {
    nullable: true,
    description: "The user whose zones are in it; null for zones of several users, or none.",
  })
  user(@Root() { userId }: ChangeSetRow, @Ctx() context: Context): Promise<UserRow | null> {
    return userOf(userId, context);
  }

  @FieldResolver(() => ChangeSetZoneConnection, { nullable: true, description: "Its zones, by name." })
  async zones(
    @Root() { id }: ChangeSetRow,
    @Args(() => ZonesOfSetArgs) { outcome, ...page }: ZonesOfSetArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<ChangeSetZoneRow>> {
    return new Connection(await zonesOfSet(session, id, outcome ?? undefined, page));
  }

  @FieldResolver(() => ChangeSetEventConnection, {
    nullable: true,
    description: "What happened to it, from its beginning.",
  })
  async timeline(
    @Root() { id }: ChangeSetRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<ChangeSetEventRow>> {
    return new Connection(await eventsOfSet(session, id, page));
  }

  @Mutation(() => ChangeSetPayload, {
    description: "Creates a change set in state DRAFT. Its edits are checked as by changeRecords.",
  })
  async createChangeSet(
    @Arg("input", () => CreateChangeSetInput) { zones, ...input }: CreateChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    const set = await createChangeSet(session, { ...input, zones: readParts(zones) });
    return new ChangeSetPayload(session, set);
  }

  @Mutation(() => ChangeSetPayload, {
    description: "Updates the title, description, mode or requested approvals of a draft.",
  })
  async updateChangeSet(
    @Arg("input", () => UpdateChangeSetInput) { changeSetId, ...input }: UpdateChangeSetInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    const set = await updateChangeSet(session, changeSetId, input);
    return new ChangeSetPayload(session, set);
  }

  @Mutation(() => ChangeSetPayload, {
    description:
      "Stages edits of zones in a change set, and takes zones out. A zone is in it once. Approvals are void.",
  })
  async stageChanges(
    @Arg("input", () => StageChangesInput) { changeSetId, zones, ...input }: StageChangesInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    const set = await stageChanges(session, changeSetId, { ...input, zones: readParts(zones) });
    return new ChangeSetPayload(session, set);
  }

  @Mutation(() => ChangeSetPayload, { description: "Cancels a change set; this is final." })
  async cancelChangeSet(
    @Arg("input", () => ChangeSetStepInput) { changeSetId, ...input }: ChangeSetStepInput,
    @Ctx() { session }: Context,
  ): Promise<ChangeSetPayload> {
    return new ChangeSetPayload(session, await cancelChangeSet(session, changeSetId, input));
  }

  @Mutation(() => ChangeSetPayload, {
    description:
      "Applies a change set: all zones in one transaction or none, or in mode EACH_ZONE one after the other, where some may be refused. WRONG_STATE when it is applied already, or not approved.",
  })
  async applyChangeSet(
    @Arg("input", () => ApplyChangeSetInput) { changeSetId, expectedFingerprint, waitMs }: ApplyChangeSetInput,
    @Ctx() { session, caller }: Context,
  ): Promise<ChangeSetPayload> {
    const patience = { waitMs, gone: caller.gone };
    const set = await applyChangeSet(session, changeSetId, expectedFingerprint, patience);
    return new ChangeSetPayload(session, set);
  }
}

@Resolver(() => ChangeSetZone)
export class ChangeSetZoneResolver {
  @FieldResolver(() => Domain, {
    nullable: true,
    description: "The domain; null when it is created by the change set, or does not exist any more.",
  })
  domain(@Root() { domainId }: ChangeSetZoneRow, @Ctx() context: Context): Promise<DomainRow | null> {
    return domainOf(domainId, context);
  }

  @FieldResolver(() => Change, {
    nullable: true,
    description: "The change that was made; null before, and when nothing was left to change.",
  })
  change(@Root() { changeId }: ChangeSetZoneRow, @Ctx() context: Context): Promise<ChangeRow | null> {
    return changeOf(changeId, context);
  }

  @FieldResolver(() => StagedEditConnection, { nullable: true, description: "Its edits, in the order of staging." })
  async edits(
    @Root() zone: ChangeSetZoneRow,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() { session }: Context,
  ): Promise<Connection<StagedEditRow>> {
    return new Connection(await editsOfZone(session, zone, page));
  }
}

@Resolver(() => ChangeSetEdit)
export class StagedEditResolver {
  @FieldResolver(() => ChangeRecord, {
    nullable: true,
    description: "The record when the edit was staged; null for a new one.",
  })
  async was(@Root() edit: StagedEditRow, @Ctx() context: Context): Promise<ShownRecord | null> {
    const { changeSetId, zone, ordinal, op, recordId } = edit;
    if (op === StagedOp.ADD) return null;
    const read = async (ordinals: readonly number[]) => {
      const edits = new Map(
        (await stagedEdits(context.session, changeSetId, zone)).map((each) => [each.ordinal, each]),
      );
      return ordinals.map((each) => edits.get(each)?.base ?? null);
    };
    const base = await context.load("StagedEdit.was", { changeSetId, zone }, ordinal, read);
    return base && { recordId, owner: base.owner, type: base.type, ttl: base.ttl, rdata: base.rdata };
  }
}

@Resolver(() => Change)
export class ChangeSetOfChangeResolver {
  @FieldResolver(() => ChangeSet, {
    nullable: true,
    description:
      "The change set that it is part of; null without one, when the key may not see it, or when it is no longer kept (ENDED_CHANGE_SET_DAYS).",
  })
  async changeSet(@Root() { changeSetId }: ChangeRow, @Ctx() context: Context): Promise<ChangeSetRow | null> {
    if (changeSetId === null) return null;
    return (await context.findRow("ChangeSet", changeSetId, (ids) => changeSetsByIds(context.session, ids))) ?? null;
  }
}
