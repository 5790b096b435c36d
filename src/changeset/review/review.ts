/**
 * Review: an author submits a change set, and other persons approve its effect or request changes. An approval holds for one revision and
 * one effect. A person is identified by a key: all keys that were created with it, directly or indirectly, count as the same person.
 */

import { personsOf } from "../../account/api-key.ts";
import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { type RowOf, table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeSetEvent, type ChangeSetRow, changeSetById, lockChangeSet } from "../change-set.ts";
import { expectApplicable } from "../check/check-zone.ts";
import { previewUnshown } from "../check/preview.ts";
import { needsOf, reviewingKeys } from "../needed-approvals.ts";
import { ChangeSetAction, ChangeSetEventKind, ChangeSetState, openStates, Verdict, writingEvents } from "../states.ts";
import {
  addEvent,
  appliableStates,
  emptySet,
  expectRevision,
  expectState,
  isEditable,
  mayEdit,
  staleEffect,
  takeStep,
  updateSet,
} from "../steps.ts";

const v = table(ChangeSetEvent, "v");
const columns = v.columns("kind", "keyId", "actor", "revision", "fingerprint", "text", "createdAt");
type EventRow = RowOf<typeof columns>;

export interface Step {
  readonly expectedRevision?: number | null | undefined;
  readonly text?: string;
}

/** Submits a draft for review. A set that needs no approval is APPROVED at once. */
export async function submitChangeSet(session: Session, id: number, step: Step = {}): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  const previewed = await changeSetById(session, id);
  mayEdit(session.actor, previewed);
  expectState(previewed, [ChangeSetState.DRAFT]);
  expectRevision(previewed, step.expectedRevision);
  const { zones, fingerprint } = await previewUnshown(session, previewed);
  if (zones.length === 0) throw emptySet(id);
  expectApplicable(zones, previewed.mode);
  return transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, id);
    expectState(set, [ChangeSetState.DRAFT]);
    expectRevision(set, previewed.revision);
    await addEvent(inner, set, ChangeSetEventKind.SUBMITTED, step);
    const { isEnough } = (await reviewOf(inner, set)).approvalOf(fingerprint);
    const state = isEnough ? ChangeSetState.APPROVED : ChangeSetState.IN_REVIEW;
    await updateSet(inner, set, { state, failure: null });
    return changeSetById(inner, id);
  });
}

export function withdrawChangeSet(session: Session, id: number, step: Step = {}): Promise<ChangeSetRow> {
  return takeStep(session, id, { ...step, allowed: [ChangeSetState.IN_REVIEW] }, async (inner, set) => {
    await addEvent(inner, set, ChangeSetEventKind.WITHDRAWN, step);
    await updateSet(inner, set, { state: ChangeSetState.DRAFT });
  });
}

export async function commentChangeSet(session: Session, id: number, text: string): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  if (text.trim() === "") throw new Refusal("INVALID_VALUE", "text is empty; write a comment.", { field: "text" });
  return transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, id);
    await addEvent(inner, set, ChangeSetEventKind.COMMENTED, { text });
    await updateSet(inner, set, {});
    return changeSetById(inner, id);
  });
}

export interface Review {
  readonly verdict: Verdict;
  readonly expectedFingerprint: string;
  readonly text?: string;
}

/**
 * Approves the effect of a set, or requests changes. A request for changes makes the set a draft again. Throws STALE_CHANGE_SET when the
 * effect has another fingerprint, and FORBIDDEN when the person edited the set.
 */
export async function reviewChangeSet(session: Session, id: number, review: Review): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  const previewed = await changeSetById(session, id);
  expectState(previewed, [ChangeSetState.IN_REVIEW]);
  const { fingerprint } = await previewUnshown(session, previewed);
  if (fingerprint !== review.expectedFingerprint) throw staleEffect(previewed, fingerprint, "expectedFingerprint");
  return transaction(session, async (inner) => {
    const set = await lockChangeSet(inner, id);
    expectState(set, [ChangeSetState.IN_REVIEW]);
    expectRevision(set, previewed.revision);
    const before = await reviewOf(inner, set);
    if (before.isEditor(await personOf(inner)))
      throw new Refusal(
        "FORBIDDEN",
        "You created this change set or staged edits in it, so you cannot review it; ask another person.",
      );
    const isApproval = review.verdict === Verdict.APPROVE;
    const kind = isApproval ? ChangeSetEventKind.APPROVED : ChangeSetEventKind.CHANGES_REQUESTED;
    await addEvent(inner, set, kind, { text: review.text, fingerprint });
    const { isEnough } = (await reviewOf(inner, set)).approvalOf(fingerprint);
    if (!isApproval) await updateSet(inner, set, { state: ChangeSetState.DRAFT });
    else await updateSet(inner, set, isEnough ? { state: ChangeSetState.APPROVED } : {});
    return changeSetById(inner, id);
  });
}

export interface ShownReview {
  readonly actor: string;
  /** The key of the reviewer; null for the service itself. */
  readonly keyId: number | null;
  readonly verdict: Verdict;
  readonly text: string;
  readonly at: Date;
  readonly revision: number;
  readonly fingerprint: string;
  /** Whether this is the last verdict of its person on the present revision. */
  readonly valid: boolean;
}

/** An event with its person, and whether the person may review all zones of the set. */
type SaidEvent = EventRow & { readonly person: number; readonly mayReview: boolean };

class ReviewState {
  readonly #revision: number;
  readonly needed: number;
  readonly #editors: ReadonlySet<number>;
  readonly #verdicts: readonly SaidEvent[];

  /**
   * The fingerprint of the effect that was approved last; undefined when the set's application failed with STALE_CHANGE_SET after that
   * approval.
   */
  readonly #approvedLast: string | undefined;

  constructor({ revision, failure }: ChangeSetRow, needed: number, all: readonly SaidEvent[]) {
    this.#revision = revision;
    this.needed = needed;
    this.#editors = new Set(all.filter(({ kind }) => writing.has(kind)).map(({ person }) => person));
    this.#verdicts = all.filter(({ kind }) => verdicts.has(kind));
    const last = this.#verdicts.findLast(({ kind }) => kind === ChangeSetEventKind.APPROVED);
    const isStale = failure?.code === "STALE_CHANGE_SET" && last && +last.createdAt <= Date.parse(failure.at);
    this.#approvedLast = isStale ? undefined : (last?.fingerprint ?? undefined);
  }

  isEditor(person: number): boolean {
    return this.#editors.has(person);
  }

  /**
   * How many approvals an effect has, by default the effect that was approved last, and whether the set may be applied: they are enough, and
   * no person waits for changes.
   */
  approvalOf(fingerprint = this.#approvedLast): { readonly given: number; readonly isEnough: boolean } {
    const last = [...this.#lastOfPersons().values()];
    const approvals = last.filter(
      (event) =>
        event.kind === ChangeSetEventKind.APPROVED &&
        event.mayReview &&
        !this.isEditor(event.person) &&
        event.fingerprint === fingerprint,
    ).length;
    const isBlocked = last.some(({ kind }) => kind === ChangeSetEventKind.CHANGES_REQUESTED);
    return { given: approvals, isEnough: approvals >= this.needed && !isBlocked };
  }

  shown(): ShownReview[] {
    const last = new Set(this.#lastOfPersons().values());
    return this.#verdicts.map((event) => ({
      actor: event.actor,
      keyId: event.keyId,
      verdict: event.kind === ChangeSetEventKind.APPROVED ? Verdict.APPROVE : Verdict.REQUEST_CHANGES,
      text: event.text,
      at: event.createdAt,
      revision: event.revision,
      fingerprint: event.fingerprint ?? "",
      valid: last.has(event),
    }));
  }

  #lastOfPersons() {
    const present = this.#verdicts.filter(({ revision }) => revision === this.#revision);
    return new Map(present.map((event) => [event.person, event]));
  }
}

const writing: ReadonlySet<string> = new Set(writingEvents);
const verdicts: ReadonlySet<string> = new Set([ChangeSetEventKind.APPROVED, ChangeSetEventKind.CHANGES_REQUESTED]);

export async function reviewOf(session: Session, set: ChangeSetRow): Promise<ReviewState> {
  const query = sql<EventRow>`
    select ${columns} from ${v} where ${v.changeSetId} = ${set.id} and ${v.kind} = any(${[...writing, ...verdicts]})
    order by ${v.ordinal}`;
  const rows = await query.run(session);
  const keyIds = rows.flatMap(({ keyId }) => keyId ?? []);
  const persons = await personsOf(session, keyIds);
  const { approvals, ownerIds } = await needsOf(session, set);
  const reviewing = await reviewingKeys(session, keyIds, ownerIds);
  const events = rows.map((event): SaidEvent => {
    const { keyId } = event;
    if (keyId === null) return { ...event, person: 0, mayReview: true };
    return { ...event, person: persons.get(keyId) ?? keyId, mayReview: reviewing.has(keyId) };
  });
  return new ReviewState(set, approvals, events);
}

/** The person of the session; 0 is the service itself. */
async function personOf(session: Session): Promise<number> {
  const { keyId } = session.actor;
  if (keyId === undefined) return 0;
  return (await personsOf(session, [keyId])).get(keyId) ?? keyId;
}

export async function availableActions(session: Session, set: ChangeSetRow): Promise<ChangeSetAction[]> {
  if (session.actor.readOnly) return [];
  const { state } = set;
  const review = await reviewOf(session, set);
  const isOwn = isEditable(session.actor, set);
  const isReviewer = state === ChangeSetState.IN_REVIEW && !review.isEditor(await personOf(session));
  const actions: [ChangeSetAction, boolean][] = [
    [ChangeSetAction.STAGE, isOwn && openStates.includes(state)],
    [ChangeSetAction.SUBMIT, isOwn && state === ChangeSetState.DRAFT],
    [ChangeSetAction.WITHDRAW, isOwn && state === ChangeSetState.IN_REVIEW],
    [ChangeSetAction.APPLY, isOwn && appliableStates(review.needed).includes(state)],
    [ChangeSetAction.SCHEDULE, isOwn && appliableStates(review.needed).includes(state)],
    [ChangeSetAction.UNSCHEDULE, isOwn && state === ChangeSetState.SCHEDULED],
    [ChangeSetAction.CANCEL, isOwn && openStates.includes(state)],
    [ChangeSetAction.COMMENT, true],
    [ChangeSetAction.APPROVE, isReviewer],
    [ChangeSetAction.REQUEST_CHANGES, isReviewer],
  ];
  return actions.flatMap(([action, isAvailable]) => (isAvailable ? [action] : []));
}
