/** The enumerations of change sets: states, modes, edits, outcomes, actions and events. */
import { enumType } from "../graphql/scalars/enum-type.ts";
import { ChangeKind } from "../zone/change.ts";

export const ChangeSetState = enumType("ChangeSetState", "The state of a change set, from its creation to its end.", {
  DRAFT: "Its author edits it.",
  IN_REVIEW: "It waits for approvals.",
  APPROVED: "It has the required approvals, and may be applied.",
  SCHEDULED: "It is applied at its `applyAt`.",
  APPLYING: "Its zones are changed one after the other (EACH_ZONE).",
  APPLIED: "It was applied; this is final.",
  PARTIAL: "It was applied, except in refused zones (see restageChangeSet); this is final.",
  CANCELLED: "It was cancelled; this is final.",
  EXPIRED: "Nobody worked on it for CHANGE_SET_DAYS; this is final.",
});
export type ChangeSetState = keyof typeof ChangeSetState;

/** The states in which a client may still edit, schedule, apply or cancel a set. */
export const openStates: readonly ChangeSetState[] = ["DRAFT", "IN_REVIEW", "APPROVED", "SCHEDULED"];

export const unendedStates: readonly ChangeSetState[] = [...openStates, ChangeSetState.APPLYING];

export const endedStates: readonly ChangeSetState[] = ["APPLIED", "PARTIAL", "CANCELLED", "EXPIRED"];

/** The states in which a set expires when nobody changes it for a long time. */
export const expiringStates: readonly ChangeSetState[] = ["DRAFT", "IN_REVIEW", "APPROVED"];

export const ChangeSetMode = enumType(
  "ChangeSetMode",
  "Whether the zones of a change set change in one step or one after the other.",
  {
    ALL: "All zones change in one step, or no zone changes.",
    EACH_ZONE: "The zones change one after the other, each as a whole; a crash does not end this. Up to 1000000 edits.",
  },
);
export type ChangeSetMode = keyof typeof ChangeSetMode;

export const OnMissed = enumType(
  "OnMissed",
  "What happens to a scheduled change set when no service ran at its time and SCHEDULE_GRACE is over.",
  {
    APPLY: "It is applied late.",
    SKIP: "It is not applied, and is APPROVED again.",
  },
);
export type OnMissed = keyof typeof OnMissed;

export const Verdict = enumType("Verdict", "The verdict of a reviewer on a change set.", {
  APPROVE: "The effect of the change set is approved.",
  REQUEST_CHANGES: "The change set needs changes, and becomes a draft again.",
});
export type Verdict = keyof typeof Verdict;

export const Resolution = enumType("Resolution", "What happens to edits of a change set that are in conflict.", {
  MINE: "The edits are kept, and apply to the present records.",
  THEIRS: "The edits are left out, with all other edits of the same RRsets.",
});
export type Resolution = keyof typeof Resolution;

export const TemplateMode = enumType("TemplateMode", "How a template is applied to an existing zone.", {
  ADD: "The records that the zone does not have are added.",
  REPLACE_RRSETS: "The RRsets of the template replace those of the zone; other RRsets stay.",
});
export type TemplateMode = keyof typeof TemplateMode;

export const makesZone = (action: ChangeKind) => action === ChangeKind.CREATE || action === ChangeKind.RESTORE;

export const ZoneOutcome = enumType(
  "ZoneOutcome",
  "The result of the application of a change set in one of its zones.",
  {
    APPLIED: "The zone was changed.",
    UNCHANGED: "There was nothing left to change.",
    REFUSED: "The zone was not changed; `reasons` say why.",
  },
);
export type ZoneOutcome = keyof typeof ZoneOutcome;

export const StagedOp = enumType("StagedOp", "What a staged edit does.", {
  ADD: "It adds a record.",
  UPDATE: "It gives a record new content.",
  REMOVE: "It removes a record.",
});
export type StagedOp = keyof typeof StagedOp;

export const ChangeSetAction = enumType("ChangeSetAction", "A step of a change set, named after its mutation.", {
  STAGE: "stageChanges, resolveConflicts, and updateChangeSet of a draft.",
  SUBMIT: "submitChangeSet.",
  WITHDRAW: "withdrawChangeSet.",
  APPROVE: "reviewChangeSet with APPROVE.",
  REQUEST_CHANGES: "reviewChangeSet with REQUEST_CHANGES.",
  COMMENT: "commentChangeSet.",
  APPLY: "applyChangeSet.",
  SCHEDULE: "scheduleChangeSet.",
  UNSCHEDULE: "unscheduleChangeSet.",
  CANCEL: "cancelChangeSet.",
});
export type ChangeSetAction = keyof typeof ChangeSetAction;

export const ChangeSetEventKind = enumType("ChangeSetEventKind", "What happened to a change set.", {
  CREATED: "It was created.",
  STAGED: "Edits were staged; the text names the zones.",
  UNSTAGED: "Zones were taken out of it; the text names them.",
  SUBMITTED: "It was submitted for review.",
  WITHDRAWN: "It was taken out of review.",
  APPROVED: "Somebody approved its effect.",
  CHANGES_REQUESTED: "Somebody asked for changes.",
  COMMENTED: "Somebody wrote a comment.",
  SCHEDULED: "It was scheduled; the text is the time.",
  UNSCHEDULED: "Its schedule was removed.",
  CONFLICTED: "Others changed what it was scheduled to change; it will not be applied as it is. The text says why.",
  MISSED: "No service ran at its time, and it was skipped.",
  APPLYING: "Its application began, zone by zone.",
  APPLIED: "It was applied.",
  PARTIAL: "It was applied, except in refused zones; the text counts them.",
  FAILED: "Its approved or scheduled application failed; the text says why.",
  CANCELLED: "It was cancelled.",
  EXPIRED: "Nobody worked on it for CHANGE_SET_DAYS.",
});
export type ChangeSetEventKind = keyof typeof ChangeSetEventKind;

/** The events of those who wrote a set, and so may not approve it. */
export const writingEvents: readonly ChangeSetEventKind[] = ["CREATED", "STAGED", "UNSTAGED"];
