/**
 * Stores staged edits, those of one zone or of many: so many a statement, and the zones with them.
 */

import { Refusal } from "../../errors.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import type { ChangeKind } from "../../zone/change.ts";
import type { AppliedTemplate } from "../../zone/domain.ts";
import { ChangeSetEdit, ChangeSetZone, maxEdits } from "../change-set.ts";
import type { ReadEdit } from "./zone-part.ts";

const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");

/** Edits that one statement stores at most. */
const editsPerStatement = 5000;

/** An edit of a zone, with its place among the edits of that. */
interface PlacedEdit extends ReadEdit {
  readonly zone: string;
  readonly ordinal: number;
}

/** Stores the edits of a zone, which has none, in their order. */
export async function insertEdits(
  session: Session,
  setId: number,
  zone: string,
  edits: readonly ReadEdit[],
): Promise<void> {
  await insertPlaced(
    session,
    setId,
    edits.map((edit, at) => ({ ...edit, zone, ordinal: at + 1 })),
  );
}

async function insertPlaced(session: Session, setId: number, edits: readonly PlacedEdit[]): Promise<void> {
  for (let at = 0; at < edits.length; at += editsPerStatement) {
    const rows = edits.slice(at, at + editsPerStatement).map(({ record, ...edit }) => {
      const { owner, type, ttl, rdata, wire, digest } = record;
      return { ...edit, owner, type, ttl: ttl ?? null, rdata, wire: Buffer.from(wire).toString("hex"), digest };
    });
    const names = ["op", "recordId", "baseChangeId", "owner", "type", "ttl", "rdata", "wire", "digest"] as const;
    await sql`
      insert into ${e} (${e.names("changeSetId", "zone", "ordinal", ...names)})
      select ${setId}::bigint, zone, ordinal, op, "recordId", "baseChangeId", owner, type, ttl, rdata,
        decode(wire, 'hex'), decode(digest, 'hex')
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as (zone text, ordinal int, op text, "recordId" bigint, "baseChangeId" bigint, owner text, type text, ttl int,
          rdata text, wire text, digest text)`.run(session);
  }
}

/** A zone that comes into a set. */
export interface StagedPart {
  readonly zone: string;
  readonly domainId: number | null;
  readonly action: ChangeKind;
  /** The owner of a zone that the set makes. */
  readonly userId?: number | null;
  /** The one change that it undoes; null of one that undoes none, or several. */
  readonly undoes?: number | null;
  /** The change of the moment that it returns to. */
  readonly returnsTo?: number | null;
  /** The template that it applies. */
  readonly template?: AppliedTemplate | null;
  readonly edits: readonly ReadEdit[];
}

/** Stages zones in a new set, in which they are not yet: they are collected, and stored some thousands of edits at a time. */
export class ManyParts {
  readonly #session: Session;
  readonly #setId: number;
  /** How many edits each zone has so far. */
  readonly #counts = new Map<string, number>();
  #zones: Omit<StagedPart, "edits">[] = [];
  #edits: PlacedEdit[] = [];
  #editCount = 0;

  constructor(session: Session, setId: number) {
    this.#session = session;
    this.#setId = setId;
  }

  get zoneCount(): number {
    return this.#counts.size;
  }

  get editCount(): number {
    return this.#editCount;
  }

  /** Adds edits of a zone, behind those that it has. */
  async add({ edits, ...zone }: StagedPart): Promise<void> {
    const count = this.#counts.get(zone.zone);
    if (count === undefined) this.#zones.push(zone);
    for (const [at, edit] of edits.entries())
      this.#edits.push({ ...edit, zone: zone.zone, ordinal: (count ?? 0) + at + 1 });
    this.#counts.set(zone.zone, (count ?? 0) + edits.length);
    this.#editCount += edits.length;
    if (this.#editCount > maxEdits)
      throw new Refusal("TOO_LARGE", `The set would have more than ${maxEdits} edits; select fewer records.`);
    if (this.#edits.length + this.#zones.length >= editsPerStatement) await this.flush();
  }

  /** Stores what was collected. */
  async flush(): Promise<void> {
    const [zones, edits] = [this.#zones, this.#edits];
    this.#zones = [];
    this.#edits = [];
    if (zones.length > 0)
      await sql`
        insert into ${z} (${z.names("changeSetId", "zone", "domainId", "action", "userId", "undoes", "returnsTo", "template")})
        select ${this.#setId}::bigint, zone, "domainId", action, "userId", undoes, "returnsTo", template
        from json_to_recordset(${JSON.stringify(zones)}::json)
          as (zone text, "domainId" bigint, action text, "userId" bigint, undoes bigint, "returnsTo" bigint, template jsonb)`.run(
        this.#session,
      );
    await insertPlaced(this.#session, this.#setId, edits);
  }
}
