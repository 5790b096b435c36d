/** The enumerations of change sets: states, modes, edits, outcomes, actions and events. */
import { registerEnumType } from "type-graphql";
import { ChangeKind } from "../zone/change.ts";

export enum ChangeSetState {
  DRAFT = "DRAFT",
  IN_REVIEW = "IN_REVIEW",
  APPROVED = "APPROVED",
  SCHEDULED = "SCHEDULED",
  APPLYING = "APPLYING",
  APPLIED = "APPLIED",
  PARTIAL = "PARTIAL",
  CANCELLED = "CANCELLED",
  EXPIRED = "EXPIRED",
}
registerEnumType(ChangeSetState, {
  name: "ChangeSetState",
  description: "The state of a change set, from its creation to its end.",
  valuesConfig: {
    DRAFT: { description: "Its author edits it." },
    IN_REVIEW: { description: "It waits for approvals." },
    APPROVED: { description: "It has the required approvals, and may be applied." },
    SCHEDULED: { description: "It is applied at its `applyAt`." },
    APPLYING: { description: "Its zones are changed one after the other (EACH_ZONE)." },
    APPLIED: { description: "It was applied; this is final." },
    PARTIAL: {
      description: "It was applied, except in refused zones (see restageChangeSet); this is final.",
    },
    CANCELLED: { description: "It was cancelled; this is final." },
    EXPIRED: { description: "Nobody worked on it for CHANGE_SET_DAYS; this is final." },
  },
});

/** The states in which a client may still edit, schedule, apply or cancel a set. */
export const openStates: readonly ChangeSetState[] = [
  ChangeSetState.DRAFT,
  ChangeSetState.IN_REVIEW,
  ChangeSetState.APPROVED,
  ChangeSetState.SCHEDULED,
];

export const unendedStates: readonly ChangeSetState[] = [...openStates, ChangeSetState.APPLYING];

/** The final states. */
export const endedStates: readonly ChangeSetState[] = [
  ChangeSetState.APPLIED,
  ChangeSetState.PARTIAL,
  ChangeSetState.CANCELLED,
  ChangeSetState.EXPIRED,
];

/** The states in which a set expires when nobody changes it for a long time. */
export const expiringStates: readonly ChangeSetState[] = openStates.filter(
  (state) => state !== ChangeSetState.SCHEDULED,
);

export enum ChangeSetMode {
  ALL = "ALL",
  EACH_ZONE = "EACH_ZONE",
}
registerEnumType(ChangeSetMode, {
  name: "ChangeSetMode",
  description: "Whether the zones of a change set change in one step or one after the other.",
  valuesConfig: {
    ALL: { description: "All zones change in one step, or no zone changes." },
    EACH_ZONE: {
      description:
        "The zones change one after the other, each as a whole; a crash does not end this. Up to 1000000 edits.",
    },
  },
});

export enum OnMissed {
  APPLY = "APPLY",
  SKIP = "SKIP",
}
registerEnumType(OnMissed, {
  name: "OnMissed",
  description: "What happens to a scheduled change set when no service ran at its time and SCHEDULE_GRACE is over.",
  valuesConfig: {
    APPLY: { description: "It is applied late." },
    SKIP: { description: "It is not applied, and returns to the state before its schedule." },
  },
});

export enum Verdict {
  APPROVE = "APPROVE",
  REQUEST_CHANGES = "REQUEST_CHANGES",
}
registerEnumType(Verdict, {
  name: "Verdict",
  description: "The verdict of a reviewer on a change set.",
  valuesConfig: {
    APPROVE: { description: "The effect of the change set is approved." },
    REQUEST_CHANGES: {
      description: "The change set needs changes, and becomes a draft again.",
    },
  },
});

export enum Resolution {
  MINE = "MINE",
  THEIRS = "THEIRS",
}
registerEnumType(Resolution, {
  name: "Resolution",
  description: "What happens to edits of a change set that are in conflict.",
  valuesConfig: {
    MINE: { description: "The edits are kept, and apply to the present records." },
    THEIRS: { description: "The edits are left out, with all other edits of the same RRsets." },
  },
});

/** Whether an action creates or restores the zone. */
export const makesZone = (action: ChangeKind) => action === ChangeKind.CREATE || action === ChangeKind.RESTORE;

export enum ZoneOutcome {
  APPLIED = "APPLIED",
  UNCHANGED = "UNCHANGED",
  REFUSED = "REFUSED",
}
registerEnumType(ZoneOutcome, {
  name: "ZoneOutcome",
  description: "The result of the application of a change set in one of its zones.",
  valuesConfig: {
    APPLIED: { description: "The zone was changed." },
    UNCHANGED: { description: "There was nothing left to change." },
    REFUSED: { description: "The zone was not changed; `reasons` say why." },
  },
});

export enum StagedOp {
  ADD = "ADD",
  UPDATE = "UPDATE",
  REMOVE = "REMOVE",
}
registerEnumType(StagedOp, {
  name: "StagedOp",
  description: "What a staged edit does.",
  valuesConfig: {
    ADD: { description: "It adds a record." },
    UPDATE: { description: "It gives a record new content." },
    REMOVE: { description: "It removes a record." },
  },
});

export enum ChangeSetAction {
  STAGE = "STAGE",
  SUBMIT = "SUBMIT",
  WITHDRAW = "WITHDRAW",
  APPROVE = "APPROVE",
  REQUEST_CHANGES = "REQUEST_CHANGES",
  COMMENT = "COMMENT",
  APPLY = "APPLY",
  SCHEDULE = "SCHEDULE",
  UNSCHEDULE = "UNSCHEDULE",
  CANCEL = "CANCEL",
}
registerEnumType(ChangeSetAction, {
  name: "ChangeSetAction",
  description: "A step of a change set, named after its mutation.",
  valuesConfig: {
    STAGE: { description: "stageChanges, resolveConflicts, and updateChangeSet of a draft." },
    SUBMIT: { description: "submitChangeSet." },
    WITHDRAW: { description: "withdrawChangeSet." },
    APPROVE: { description: "reviewChangeSet with APPROVE." },
    REQUEST_CHANGES: { description: "reviewChangeSet with REQUEST_CHANGES." },
    COMMENT: { description: "commentChangeSet." },
    APPLY: { description: "applyChangeSet." },
    SCHEDULE: { description: "scheduleChangeSet." },
    UNSCHEDULE: { description: "unscheduleChangeSet." },
    CANCEL: { description: "cancelChangeSet." },
  },
});

export enum ChangeSetEventKind {
  CREATED = "CREATED",
  STAGED = "STAGED",
  SUBMITTED = "SUBMITTED",
  WITHDRAWN = "WITHDRAWN",
  APPROVED = "APPROVED",
  CHANGES_REQUESTED = "CHANGES_REQUESTED",
  COMMENTED = "COMMENTED",
  SCHEDULED = "SCHEDULED",
  UNSCHEDULED = "UNSCHEDULED",
  MISSED = "MISSED",
  APPLYING = "APPLYING",
  APPLIED = "APPLIED",
  PARTIAL = "PARTIAL",
  FAILED = "FAILED",
  CANCELLED = "CANCELLED",
  EXPIRED = "EXPIRED",
}
registerEnumType(ChangeSetEventKind, {
  name: "ChangeSetEventKind",
  description: "What happened to a change set.",
  valuesConfig: {
    CREATED: { description: "It was created." },
    STAGED: { description: "Its edits changed." },
    SUBMITTED: { description: "It was submitted for review." },
    WITHDRAWN: { description: "It was taken out of review." },
    APPROVED: { description: "Somebody approved its effect." },
    CHANGES_REQUESTED: { description: "Somebody asked for changes." },
    COMMENTED: { description: "Somebody wrote a comment." },
    SCHEDULED: { description: "It was scheduled; the text is the time." },
    UNSCHEDULED: { description: "Its schedule was removed." },
    MISSED: { description: "No service ran at its time, and it was skipped." },
    APPLYING: { description: "Its application began, zone by zone." },
    APPLIED: { description: "It was applied." },
    PARTIAL: { description: "It was applied, except in refused zones; the text counts them." },
    FAILED: { description: "Its approved or scheduled application failed; the text says why." },
    CANCELLED: { description: "It was cancelled." },
    EXPIRED: { description: "Nobody worked on it for CHANGE_SET_DAYS." },
  },
});
