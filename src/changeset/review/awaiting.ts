/** Selects the change sets of a person: those that the person wrote, and those in review that the person may still approve. */

import { keysOfPerson } from "../../account/api-key.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { ChangeSet } from "../change-set.ts";
import { ChangeSetEvent } from "../change-set-event.ts";
import { ChangeSetEventKind, ChangeSetState, writingEvents } from "../states.ts";

const s = table(ChangeSet, "s");
const v = table(ChangeSetEvent, "v");
const f = table(ChangeSetEvent, "f");

async function keysOf(session: Session): Promise<number[]> {
  const { keyId } = session.actor;
  return keyId === undefined ? [] : keysOfPerson(session, keyId);
}

const isOf = (keyIds: readonly number[]) => sql`${v.changeSetId} = ${s.id} and ${v.keyId} = any(${keyIds})`;

/** The SQL condition that somebody with one of these keys created set s, or staged in it. */
const isWrittenBy = (keyIds: readonly number[]) => sql<boolean>`exists (select from ${v} where ${isOf(keyIds)}
  and ${v.kind} = any(${writingEvents}))`;

export async function isMine(session: Session): Promise<Sql<boolean>> {
  return isWrittenBy(await keysOf(session));
}

/**
 * The SQL condition that the person of the session should still review set s: the set is in review, and this person did not create it, did
 * not stage in it, and has not approved its present revision since its last failure. That the session sees the set is checked elsewhere.
 */
export async function awaitsReview(session: Session): Promise<Sql<boolean>> {
  if (session.actor.readOnly) return sql<boolean>`false`;
  const keyIds = await keysOf(session);
  const { APPROVED, FAILED } = ChangeSetEventKind;
  return sql<boolean>`(${s.state} = ${ChangeSetState.IN_REVIEW}
    and not ${isWrittenBy(keyIds)}
    and not exists (select from ${v} where ${isOf(keyIds)} and ${v.kind} = ${APPROVED} and ${v.revision} = ${s.revision}
      and not exists (select from ${f}
        where ${f.changeSetId} = ${s.id} and ${f.kind} = ${FAILED} and ${f.ordinal} > ${v.ordinal})))`;
}
