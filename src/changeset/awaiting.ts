/**
 * Which change sets wait for somebody: those in review that the asking key may still approve.
 */
import { type RawBuilder, sql } from "kysely";
import { keysOfPerson } from "../account/api-key.ts";
import type { Session } from "../session/session.ts";
import { table } from "../sql/columns.ts";
import { ChangeSet } from "./change-set.ts";
import { ChangeSetEvent } from "./change-set-event.ts";
import { ChangeSetEventKind, ChangeSetState } from "./states.ts";

const s = table(ChangeSet, "s");
const v = table(ChangeSetEvent, "v");
const f = table(ChangeSetEvent, "f");

/**
 * The SQL condition that set s, which the session sees, waits for its review: it is in review, the person of the session neither created it nor
 * staged in it, and has not approved its revision since it last came back.
 */
export async function awaitsReview(session: Session): Promise<RawBuilder<boolean>> {
  const { keyId, readOnly } = session.actor;
  if (readOnly) return sql<boolean>`false`;
  const keyIds = keyId === undefined ? [] : await keysOfPerson(session, keyId);
  const { CREATED, STAGED, APPROVED, FAILED } = ChangeSetEventKind;
  const isMine = sql`${v.changeSetId} = ${s.id} and ${v.keyId} = any(${keyIds})`;
  return sql<boolean>`(${s.state} = ${ChangeSetState.IN_REVIEW}
    and not exists (select from ${v} where ${isMine} and ${v.kind} = any(${[CREATED, STAGED]}))
    and not exists (select from ${v} where ${isMine} and ${v.kind} = ${APPROVED} and ${v.revision} = ${s.revision}
      and not exists (select from ${f}
        where ${f.changeSetId} = ${s.id} and ${f.kind} = ${FAILED} and ${f.ordinal} > ${v.ordinal})))`;
}
