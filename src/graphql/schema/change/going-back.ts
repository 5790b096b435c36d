/** Returns in the schema: a zone returns to a moment, or one change is undone, at once or staged in a change set. */
import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { stageReturn, stageUndoing } from "../../../changeset/bulk/stage-return.ts";
import type { ChangeSetRow } from "../../../changeset/change-set.ts";
import { withFindings } from "../../../finding/change-findings.ts";
import type { Session } from "../../../session/session.ts";
import { zoneNamed } from "../../../zone/domain.ts";
import type { ZoneChange } from "../../../zone/edit/change-zone.ts";
import { revertChange, revertDomain } from "../../../zone/history/revert.ts";
import { type ShownRrset, shownDifference } from "../../../zone/history/shown-difference.ts";
import type { Loss } from "../../../zone/loss.ts";
import { InputField } from "../../checked-fields.ts";
import type { Context } from "../../context.ts";
import { IdScalar } from "../../scalars/scalars.ts";
import { AsChangeSetField, DryRunField, ExpectedSerialField, NoteField } from "../shared/input-fields.ts";
import { OptionalChangePayload, StagedField, ZoneLoss } from "../shared/payloads.ts";
import { DomainSelector } from "../zone/domain-inputs.ts";
import { RRsetDiff } from "./zone-diff.ts";
import { MomentInput } from "./zone-moment.ts";

/** The options of a return: at once, staged, or a dry run. */
@InputType()
class GoingBackInput {
  @ExpectedSerialField()
  expectedSerial?: number;

  @DryRunField()
  dryRun!: boolean;

  @AsChangeSetField()
  asChangeSet!: boolean;

  @NoteField()
  note?: string;
}

@InputType({ description: "A zone, and the moment that it goes back to." })
class RevertDomainInput extends GoingBackInput {
  @InputField(() => DomainSelector, { description: "The domain." })
  by!: DomainSelector;

  @InputField(() => MomentInput, { description: "The moment: the zone becomes what it was then." })
  to!: MomentInput;
}

@InputType({ description: "A change to undo." })
class RevertChangeInput extends GoingBackInput {
  @Field(() => IdScalar, { description: "The id of the change." })
  changeId!: number;
}

/** The most RRsets in a payload. */
const maxShownRrsets = 1000;

@ObjectType({ description: "What going back made: a change, or a change set.", simpleResolvers: true })
class RevertPayload extends OptionalChangePayload {
  @StagedField()
  changeSet!: ChangeSetRow | null;

  @Field(() => ZoneLoss, {
    nullable: true,
    description: "The records that the zone loses; null when nothing would be staged.",
  })
  loss!: Loss | null;

  @Field(() => [RRsetDiff], { description: "What changes in the zone, the first 1000 RRsets." })
  diff!: readonly ShownRrset[];
}

/** The payload of a change that was made, or of a dry run. */
const payloadOf = async (session: Session, result: ZoneChange, dryRun: boolean): Promise<RevertPayload> => {
  const { change, loss } = result;
  const notices = dryRun ? await withFindings(session, { ...result, zone: loss.zone }) : result.notices;
  return { change, changeSet: null, notices, loss, diff: shownDifference(result).slice(0, maxShownRrsets) };
};

const payloadOfStaged = ({ changeSet, rrsets, loss }: Awaited<ReturnType<typeof stageReturn>>): RevertPayload => ({
  change: null,
  notices: [],
  changeSet,
  loss,
  diff: rrsets.slice(0, maxShownRrsets),
});

@Resolver()
export class GoingBackResolver {
  @Mutation(() => RevertPayload, {
    description:
      "Makes a zone what it was at a moment, by one change with a new serial. Refused as `ZoneHistory.at` when there is no such moment.",
  })
  async revertDomain(
    @Arg("input", () => RevertDomainInput) input: RevertDomainInput,
    @Ctx() { session }: Context,
  ): Promise<RevertPayload> {
    const { by, to, note, asChangeSet, ...terms } = input;
    const zone = await zoneNamed(session, by);
    if (asChangeSet && !terms.dryRun)
      return payloadOfStaged(await stageReturn(session, zone, to, { ...terms, title: note }));
    return payloadOf(session, await revertDomain({ ...session, note }, zone, to, terms), terms.dryRun);
  }

  @Mutation(() => RevertPayload, {
    description:
      "Undoes one change of a zone: its RRsets become what they were before. CHANGE_CONFLICT when later changes changed them.",
  })
  async revertChange(
    @Arg("input", () => RevertChangeInput) input: RevertChangeInput,
    @Ctx() { session }: Context,
  ): Promise<RevertPayload> {
    const { changeId, note, asChangeSet, ...terms } = input;
    if (asChangeSet && !terms.dryRun)
      return payloadOfStaged(await stageUndoing(session, changeId, { ...terms, title: note }));
    return payloadOf(session, await revertChange({ ...session, note }, changeId, terms), terms.dryRun);
  }
}
