/**
 * Stores the part of a zone in a change set that is locked.
 */

import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind } from "../../zone/change.ts";
import { ChangeSetEdit, ChangeSetZone } from "../change-set.ts";
import { type StagedEdit, stagedEdits } from "../contents.ts";
import { StagedOp } from "../states.ts";
import { insertEdits } from "./insert-edits.ts";
import type { ReadEdit, ReadPart } from "./zone-part.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");

/** Stores a part in place of what was staged for its zone, or together with that. */
export async function storePart(session: Session, setId: number, part: ReadPart): Promise<void> {
  const { zone, action, domainId, userId } = part;
  const earlier = part.append ? (await stagedEdits(session, setId, zone)).map(asRead) : [];
  const edits = together(earlier, part.edits);
  refuseTwoTtls(edits);
  const names = ["domainId", "action", "userId", "undoes", "returnsTo"] as const;
  const excluded = sql.join(names.map((name) => sql`excluded.${z.names(name)}`));
  // What is edited besides is still of the template.
  const template = part.append ? z.template : sql`excluded.${z.names("template")}`;
  await sql`
    insert into ${z} (${z.names("changeSetId", "zone", ...names, "template")})
    values (${setId}, ${zone}, ${domainId}, ${action}, ${userId}, ${part.undoes ?? null}, ${part.returnsTo ?? null},
      ${part.template ? JSON.stringify(part.template) : null}::jsonb)
    on conflict (${z.names("changeSetId", "zone")}) do update set (${z.names(...names, "template")}) = (${excluded}, ${template})`.run(
    session,
  );
  await sql`delete from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${zone}`.run(session);
  await insertEdits(session, setId, zone, edits);
}

/** What is staged for a zone in a set, as text; undefined when nothing is. */
export async function stagedFor(session: Session, setId: number, zone: string): Promise<string | undefined> {
  const query = sql<{ action: ChangeKind; edits: number }>`
    select ${z.columns("action")}, (select count(*) from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${zone}) as edits
    from ${z} where ${z.changeSetId} = ${setId} and ${z.zone} = ${zone}`;
  const [staged] = await query.run(session);
  if (!staged) return undefined;
  const { action, edits } = staged;
  if (action !== ChangeKind.EDIT) return wholeParts[action];
  if (edits === 0) return undefined;
  return edits === 1 ? "an edit" : `${edits} edits`;
}

const wholeParts = {
  [ChangeKind.CREATE]: "its creation",
  [ChangeKind.DELETE]: "its deletion",
  [ChangeKind.RESTORE]: "its restoration",
};

/** A staged edit as it was read before it was stored. */
export function asRead({ op, recordId, baseChangeId, owner, type, ttl, rdata, wire, digest }: StagedEdit): ReadEdit {
  return { op, recordId, baseChangeId, record: { owner, type, ttl: ttl ?? undefined, rdata, wire, digest } };
}

/** Takes the part of a zone out of a set; returns whether there was one. */
export async function dropPart(session: Session, setId: number, zone: string): Promise<boolean> {
  await sql`delete from ${e} where ${e.changeSetId} = ${setId} and ${e.zone} = ${zone}`.run(session);
  const gone = sql`delete from ${z} where ${z.changeSetId} = ${setId} and ${z.zone} = ${zone} returning ${z.zone}`;
  return (await gone.run(session)).length > 0;
}

/** Edits with later ones, which take the place of those of the same record, or of an equal new one. */
function together(earlier: readonly ReadEdit[], later: readonly ReadEdit[]): readonly ReadEdit[] {
  const keys = new Set(later.map(keyOf));
  return [...earlier.filter((edit) => !keys.has(keyOf(edit))), ...later];
}

const keyOf = ({ op, recordId, record: { owner, type, digest } }: ReadEdit) =>
  op === StagedOp.ADD ? `${owner} ${type} ${digest}` : String(recordId);

/** Refuses edits that give one RRset two TTLs (RFC 2181 §5.2). */
function refuseTwoTtls(edits: readonly ReadEdit[]): void {
  const ttls = new Map<string, number>();
  for (const { op, record } of edits) {
    const { owner, type, ttl } = record;
    if (op === StagedOp.REMOVE || ttl === undefined) continue;
    const earlier = ttls.get(`${owner} ${type}`);
    if (earlier !== undefined && earlier !== ttl) {
      const message = `The set gives ${owner} ${type} two TTLs, ${earlier} and ${ttl}; write the same for all (RFC 2181 §5.2).`;
      throw new Refusal("RECORD_CONFLICT", message);
    }
    ttls.set(`${owner} ${type}`, ttl);
  }
}
