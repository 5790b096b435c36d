/**
 * Stages again what was refused of a set: as a set of its own with the same edits, which is looked at as things are now. What is in conflict
 * then is resolved there.
 */

import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeSetEdit, type ChangeSetRow, ChangeSetZone, changeSetById } from "../change-set.ts";
import { expectState, lockOwnSet } from "../events.ts";
import { ChangeSetState, ZoneOutcome } from "../states.ts";
import { insertSet, setUser } from "./stage.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");

const zoneColumns = ["zone", "domainId", "action", "userId", "undoes", "returnsTo", "template"] as const;
const editColumns = [
  ...(["zone", "ordinal", "op", "recordId", "baseChangeId", "owner", "type"] as const),
  ...(["ttl", "rdata", "wire", "digest"] as const),
] as const;

/** Stages the refused zones of a set in a new one; without a title it has the same. */
export async function restageChangeSet(session: Session, id: number, title?: string): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    const set = await lockOwnSet(inner, id);
    expectState(set, [ChangeSetState.PARTIAL]);
    const { description, requestedApprovals, mode } = set;
    const words = { title: title ?? set.title, description };
    const newId = await insertSet(inner, { ...words, requestedApprovals, mode });
    const wasRefused = sql`${z.changeSetId} = ${id} and ${z.outcome} = ${sql.lit(ZoneOutcome.REFUSED)}`;
    await sql`insert into ${z} (${z.names("changeSetId", ...zoneColumns)})
      select ${newId}::bigint, ${z.columns(...zoneColumns)} from ${z} where ${wasRefused}`.run(inner);
    await sql`insert into ${e} (${e.names("changeSetId", ...editColumns)})
      select ${newId}::bigint, ${e.columns(...editColumns)} from ${z}
      join ${e} on ${e.changeSetId} = ${z.changeSetId} and ${e.zone} = ${z.zone} where ${wasRefused}`.run(inner);
    await setUser(inner, newId);
    return changeSetById(inner, newId);
  });
}
