/** Applies a template to existing zones by a change set: missing records are added, or its RRsets replace those of the zone. */
import { isDeepStrictEqual } from "node:util";
import { Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { inSnapshot } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import {
  type ExpandedRecord,
  expandTemplate,
  fieldsOfValues,
  type GivenValue,
  valuesOf,
} from "../../template/expand.ts";
import { type TemplateRow, templateById } from "../../template/template.ts";
import { ChangeKind } from "../../zone/change.ts";
import { type AppliedTemplate, Domain } from "../../zone/domain.ts";
import { type CanonicalRecord, parseRecord } from "../../zone/edit/canonical-record.ts";
import { isApexSoa } from "../../zone/edit/soa-serial.ts";
import { type StoredRecord, StoredZone } from "../../zone/edit/stored-zone.ts";
import { contentOf } from "../../zone/history/return-plan.ts";
import { addition, changesOf, type ReadEdit, type StagedPart } from "../stage/read-part.ts";
import { maxTitleLength } from "../stage/stage.ts";
import { StagedOp, TemplateMode } from "../states.ts";
import { type CreatedSet, createSet } from "./create-set.ts";
import { conditionsOfZones, type ZoneFilter } from "./edit-records.ts";

const d = table(Domain, "d");

export interface TemplateApplication {
  readonly template: number;
  readonly zones: ZoneFilter;
  readonly mode: TemplateMode;
  readonly variables: readonly GivenValue[];
  readonly title?: string | undefined;
  readonly dryRun?: boolean;
}

/**
 * Stages a template for the zones that lack some of its records, or that were last given another revision or other values of it. Throws
 * MISSING_FIELD when `zones` is empty.
 */
export async function applyTemplate(
  session: Session,
  { template: id, zones, mode, variables, title, dryRun = false }: TemplateApplication,
): Promise<CreatedSet> {
  mayWrite(session.actor);
  if (!zones.zones && !zones.labels)
    throw new Refusal("MISSING_FIELD", "zones is missing; send zones, labels, or both.", { field: "zones" });
  const template = await templateById(session, id, "templateId");
  const values = valuesOf(template, variables);
  const fieldOf = fieldsOfValues(variables);
  const applied: AppliedTemplate = { templateId: id, revision: template.revision, values: Object.fromEntries(values) };
  const parts = await inSnapshot(session, async (inner) => {
    const staged: StagedPart[] = [];
    for (const { zone, template: former } of await zonesOf(inner, zones)) {
      const part = await partOf(inner, zone, expanded(inner, template, { values, fieldOf }, zone), mode);
      if (part.edits.length > 0 || !isDeepStrictEqual(former, applied)) staged.push({ ...part, template: applied });
    }
    return staged;
  });
  const ownTitle = `Apply the template ${template.name}`.slice(0, maxTitleLength);
  return createSet(session, { title: title ?? ownTitle, dryRun }, async (staged) => {
    for (const part of parts) await staged.add(part);
  });
}

async function zonesOf(session: Session, filter: ZoneFilter): Promise<{ zone: string; template: unknown }[]> {
  const query = sql<{ zone: string; template: unknown }>`
    select ${d.columns("zone", "template")} from ${d}
    where ${sql.join(conditionsOfZones(session.actor, filter), sql` and `)} order by ${d.zone}`;
  return query.run(session);
}

/** The records of a template in a zone, without the default records that a new zone gets. */
function expanded(
  { policy }: Session,
  template: TemplateRow,
  { values, fieldOf }: { values: ReadonlyMap<string, string>; fieldOf: (name: string) => string },
  zone: string,
): CanonicalRecord[] {
  const records = expandTemplate(template, values, { zone, policy, fieldOf });
  const own = records.filter((record): record is ExpandedRecord & { at: number } => record.at !== undefined);
  try {
    return own.map(({ at: _, ...fields }) => parseRecord(fields, zone, policy));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw Refusal.of(
      error.reasons.map((reason) => ({ ...reason, message: `${zone}: ${reason.message}`, field: "templateId" })),
    );
  }
}

const nameOf = ({ owner, type }: Pick<CanonicalRecord, "owner" | "type">) => `${owner} ${type}`;

async function partOf(
  session: Session,
  zone: string,
  records: readonly CanonicalRecord[],
  mode: TemplateMode,
): Promise<StagedPart> {
  const owners = [...new Set(records.map(({ owner }) => owner))];
  const stored = await StoredZone.read(session, zone, { owners, ids: [] });
  if (!stored) throw new Error(`${zone} is not in the snapshot that it was just read in`);
  const rrsets = Map.groupBy(await stored.at(owners), nameOf);
  const wanted = Map.groupBy(records, nameOf);
  const edits = [...wanted].flatMap(([name, ofRrset]) =>
    mode === TemplateMode.ADD ? missing(ofRrset, rrsets.get(name) ?? []) : replaced(ofRrset, rrsets.get(name) ?? []),
  );
  const bases = await changesOf(
    session,
    edits.flatMap(({ recordId }) => recordId ?? []),
  );
  const based = edits.map((edit) => ({ ...edit, baseChangeId: bases.get(edit.recordId ?? 0) ?? null }));
  return { zone, domainId: stored.domain.id, action: ChangeKind.EDIT, edits: based };
}

type UnbasedEdit = Omit<ReadEdit, "baseChangeId">;

/** Adds the missing records of an RRset, with the TTL of the stored RRset. */
function missing(records: readonly CanonicalRecord[], stored: readonly StoredRecord[]): UnbasedEdit[] {
  if (records.some(isApexSoa)) return [];
  const present = new Set(stored.map(({ digest }) => digest));
  const added = records.filter(({ digest }) => !present.has(digest));
  return added.map((record) => addition(stored.length > 0 ? { ...record, ttl: undefined } : record));
}

/** Replaces an RRset; an SOA keeps its serial. */
function replaced(records: readonly CanonicalRecord[], stored: readonly StoredRecord[]): UnbasedEdit[] {
  const [wanted] = records;
  const [soa] = stored;
  if (wanted && soa && isApexSoa(wanted)) {
    const record = { ...wanted, ttl: wanted.ttl ?? soa.ttl };
    return contentOf(record) === contentOf(soa) ? [] : [{ op: StagedOp.UPDATE, recordId: soa.id, record }];
  }
  const byDigest = new Map(stored.map((record) => [record.digest, record]));
  const kept = new Set(records.map(({ digest }) => digest));
  const edits = records.flatMap((record): UnbasedEdit[] => {
    const twin = byDigest.get(record.digest);
    if (!twin) return [addition(record)];
    const isSo = record.ttl === undefined || record.ttl === twin.ttl;
    return isSo ? [] : [{ op: StagedOp.UPDATE, recordId: twin.id, record }];
  });
  const gone = stored.filter(({ digest }) => !kept.has(digest));
  return [...gone.map((record): UnbasedEdit => ({ op: StagedOp.REMOVE, recordId: record.id, record })), ...edits];
}
