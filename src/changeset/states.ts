/**
 * The words of change sets: their states, what they do, what happened to them.
 */
import { registerEnumType } from "type-graphql";

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
    IN_REVIEW: { description: "It waits for approvals; when something is staged, for new ones." },
    APPROVED: { description: "It has the approvals that it needs, and may be applied." },
    SCHEDULED: { description: "It is applied at a time." },
    APPLYING: { description: "Its zones are changed one after the other (EACH_ZONE)." },
    APPLIED: { description: "It was applied; this is final." },
    PARTIAL: {
      description:
        "It was applied except in zones that were refused; restageChangeSet stages these again. This is final.",
    },
    CANCELLED: { description: "It was given up; this is final." },
    EXPIRED: { description: "Nobody touched it for CHANGE_SET_DAYS; this is final." },
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
      description:
        "Each changes or is refused for itself, one after the other, which goes on after a crash. It may have up to 1000000 edits.",
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
  description:
    "What happens to a scheduled change set that is later than SCHEDULE_GRACE, since no service ran at its time.",
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
      description:
        "It needs changes: it is a draft again, and waits until its reviewer approves it or something else is staged.",
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
  description: "What happens to edits of a change set that are in conflict with what others made meanwhile.",
  valuesConfig: {
    MINE: { description: "They are kept, for the records as they are now." },
    THEIRS: { description: "They are left out, with all other edits of the same RRsets." },
  },
});

/** What a change set does to a zone as a whole. */
export enum ChangeSetAction {
  EDIT = "EDIT",
  CREATE = "CREATE",
  DELETE = "DELETE",
  RESTORE = "RESTORE",
}
registerEnumType(ChangeSetAction, {
  name: "ChangeSetAction",
  description: "What a change set does to a zone as a whole.",
  valuesConfig: {
    EDIT: { description: "It edits records." },
    CREATE: { description: "It creates the zone." },
    DELETE: { description: "It deletes the zone with all its records." },
    RESTORE: { description: "It brings the deleted zone back, with all its records." },
  },
});

/** Whether an action makes a zone that there is not. */
export const makesZone = (action: ChangeSetAction) =>
  action === ChangeSetAction.CREATE || action === ChangeSetAction.RESTORE;

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
    STAGED: { description: "Its edits became others." },
    SUBMITTED: { description: "It was submitted to review." },
    WITHDRAWN: { description: "It was taken out of review." },
    APPROVED: { description: "Somebody approved what it would do." },
    CHANGES_REQUESTED: { description: "Somebody asked for changes." },
    COMMENTED: { description: "Somebody wrote a comment." },
    SCHEDULED: { description: "It was scheduled; the text is the time." },
    UNSCHEDULED: { description: "Its schedule was taken away." },
    MISSED: { description: "Its time went by while no service ran, and it was to be skipped then." },
    APPLYING: { description: "Its application began, zone by zone." },
    APPLIED: { description: "It was applied." },
    PARTIAL: { description: "It was applied except in zones that were refused; the text says in how many." },
    FAILED: { description: "It could not be applied as it was approved or scheduled; the text says why." },
    CANCELLED: { description: "It was given up." },
    EXPIRED: { description: "Nobody touched it for CHANGE_SET_DAYS." },
  },
});
