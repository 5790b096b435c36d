/**
 * The words of change sets: their states, what they do, what happened to them.
 */
import { registerEnumType } from "type-graphql";
import { ChangeKind } from "../zone/change.ts";

/** Where a change set is between its beginning and its end. */
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
  description: "Where a change set is between its beginning and its end.",
  valuesConfig: {
    DRAFT: { description: "It is being written." },
    IN_REVIEW: { description: "It waits for approvals." },
    APPROVED: { description: "It has the required approvals, and may be applied." },
    SCHEDULED: { description: "It is applied at a time." },
    APPLYING: { description: "Its zones are changed one after the other (EACH_ZONE)." },
    APPLIED: { description: "It was applied; this is final." },
    PARTIAL: {
      description: "It was applied, except in refused zones (see restageChangeSet); this is final.",
    },
    CANCELLED: { description: "It was cancelled; this is final." },
    EXPIRED: { description: "Nobody worked on it for CHANGE_SET_DAYS; this is final." },
  },
});

/** The states of a set that may still become another. */
export const openStates: readonly ChangeSetState[] = [
  ChangeSetState.DRAFT,
  ChangeSetState.IN_REVIEW,
  ChangeSetState.APPROVED,
  ChangeSetState.SCHEDULED,
];

/** The states of a set that is not over. */
export const unendedStates: readonly ChangeSetState[] = [...openStates, ChangeSetState.APPLYING];

/** The states of a set that is over; each is final. */
export const endedStates: readonly ChangeSetState[] = [
  ChangeSetState.APPLIED,
  ChangeSetState.PARTIAL,
  ChangeSetState.CANCELLED,
  ChangeSetState.EXPIRED,
];

/** The states in which a set ends that nobody touches. */
export const expiringStates: readonly ChangeSetState[] = openStates.filter(
  (state) => state !== ChangeSetState.SCHEDULED,
);

/** How the zones of a set belong together. */
export enum ChangeSetMode {
  ALL = "ALL",
  EACH_ZONE = "EACH_ZONE",
}
registerEnumType(ChangeSetMode, {
  name: "ChangeSetMode",
  description: "How the zones of a change set belong together when it is applied.",
  valuesConfig: {
    ALL: { description: "All of them change in one step, or none." },
    EACH_ZONE: {
      description: "Each zone by itself, one after the other, also after a crash; up to 1000000 edits.",
    },
  },
});

/** What happens to a scheduled set when no service runs at its time. */
export enum OnMissed {
  APPLY = "APPLY",
  SKIP = "SKIP",
}
registerEnumType(OnMissed, {
  name: "OnMissed",
  description: "What happens to a change set when no service ran at its time and SCHEDULE_GRACE is over.",
  valuesConfig: {
    APPLY: { description: "It is applied late." },
    SKIP: { description: "It is not applied, and waits as it did before it was scheduled." },
  },
});

/** What a reviewer says. */
export enum Verdict {
  APPROVE = "APPROVE",
  REQUEST_CHANGES = "REQUEST_CHANGES",
}
registerEnumType(Verdict, {
  name: "Verdict",
  description: "What a reviewer says of a change set.",
  valuesConfig: {
    APPROVE: { description: "What it would do is right." },
    REQUEST_CHANGES: {
      description: "It needs changes, and is a draft again.",
    },
  },
});

/** What happens to edits that are in conflict. */
export enum Resolution {
  MINE = "MINE",
  THEIRS = "THEIRS",
}
registerEnumType(Resolution, {
  name: "Resolution",
  description: "What happens to edits of a change set that are in conflict.",
  valuesConfig: {
    MINE: { description: "They are kept, for the records as they are now." },
    THEIRS: { description: "They are left out, with all edits of the same RRsets." },
  },
});

/** Whether an action makes a zone that there is not. */
export const makesZone = (action: ChangeKind) => action === ChangeKind.CREATE || action === ChangeKind.RESTORE;

/** The result of an application in a zone. */
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

/** What a staged edit does. */
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

/** What is done with a change set. */
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
  description: "What is done with a change set.",
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

/** What happened to a change set. */
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
    SUBMITTED: { description: "It was submitted to review." },
    WITHDRAWN: { description: "It was taken out of review." },
    APPROVED: { description: "Somebody approved what it would do." },
    CHANGES_REQUESTED: { description: "Somebody asked for changes." },
    COMMENTED: { description: "Somebody wrote a comment." },
    SCHEDULED: { description: "It was scheduled; the text is the time." },
    UNSCHEDULED: { description: "Its schedule was taken away." },
    MISSED: { description: "No service ran at its time, and it was skipped." },
    APPLYING: { description: "Its application began, zone by zone." },
    APPLIED: { description: "It was applied." },
    PARTIAL: { description: "It was applied, except in refused zones; the text counts them." },
    FAILED: { description: "It was not applied as approved or scheduled; the text says why." },
    CANCELLED: { description: "It was cancelled." },
    EXPIRED: { description: "Nobody worked on it for CHANGE_SET_DAYS." },
  },
});
