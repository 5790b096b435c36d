/**
 * Edits all records that a filter selects, in many zones: their TTL, names, addresses or texts in their data, or their removal. The result
 * is a change set. A cursor reads the records RRset by RRset, and some thousands are staged at a time.
 */

import { recordType } from "../../dns/rdata/record-type-registry.ts";
import { Refusal } from "../../errors.ts";
import { literalPattern } from "../../lists/text-search.ts";
import { type Actor, mayWrite } from "../../session/authorization.ts";
import { parseField } from "../../session/parse-field.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { rowsWithin } from "../../sql/row-stream.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { inTurn } from "../../turns/queues.ts";
import { ChangeKind } from "../../zone/change.ts";
import { Domain, readZone } from "../../zone/domain.ts";
import { checkTtl } from "../../zone/edit/canonical-record.ts";
import { asRead } from "../../zone/edit/soa-serial.ts";
import { withLabels } from "../../zone/label.ts";
import { readOwner, records, ZoneRecord } from "../../zone/record.ts";
import { dataOf } from "../../zone/soa-data.ts";
import { maxTitleLength } from "../stage/stage.ts";
import type { PartWriter } from "../stage/store-parts.ts";
import { type CreatedSet, createSet } from "./create-set.ts";
import {
  type EditableRecord,
  type EditedRrset,
  editRrset,
  type RecordEditing,
  type RefusedEdit,
} from "./edit-rrset.ts";
import { ownNames, recordsToRepair } from "./example-names.ts";
import { type RdataMatch, type RdataReplacement, readMatch, readReplacement } from "./replace-rdata.ts";

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");

/** Selects zones; all given fields must match. `*` in a name matches any characters. */
export interface ZoneFilter {
  readonly zones?: readonly string[] | undefined;
  readonly labels?: readonly string[] | undefined;
}

/** Selects records; all given fields must match. `*` in an owner matches any characters. */
export interface EditFilter extends ZoneFilter {
  readonly userId?: number | undefined;
  readonly owner?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly ttlMin?: number | undefined;
  readonly ttlMax?: number | undefined;
  readonly rdata?: RdataMatch | undefined;
}

/** The edit, one of these: a TTL, a removal, other data, or the names of the service in place of the example names. */
export interface EditSet {
  readonly ttl?: number | undefined;
  readonly remove?: boolean | undefined;
  readonly replace?: RdataReplacement | undefined;
  readonly exampleNames?: boolean | undefined;
}

export interface ManyEdits {
  readonly filter: EditFilter;
  readonly set: EditSet;
  readonly title?: string | undefined;
  readonly dryRun?: boolean;
}

export interface EditedRecords extends CreatedSet {
  /** The number of selected records that have the data to replace. */
  readonly matchedCount: number;
  readonly changedCount: number;
  readonly zoneCount: number;
  /** The number of records that are removed because they would equal others. */
  readonly mergedCount: number;
  /** The longest TTL of the changed records, seconds: resolvers may keep the old data for so long. */
  readonly longestTtl: number;
  /** The first 100 records that cannot be edited. */
  readonly refusals: readonly RefusedEdit[];
  readonly refusedCount: number;
}

const maxRefusals = 100;

export async function editRecords(session: Session, edits: ManyEdits): Promise<EditedRecords> {
  mayWrite(session.actor);
  const { filter, set, dryRun = false } = edits;
  const editing = readEditing(session, edits);
  const conditions = [...conditionsOfZones(session.actor, filter), ...conditionsOf(filter), editableRecords(set)];
  const title = edits.title ?? titleOf(set);
  let tally = new Tally();
  const insert = (parts: PartWriter, inner: Session) => {
    // A transaction that runs again counts again.
    tally = new Tally();
    return stage(inner, conditions, editing, parts, tally);
  };
  const created = await inTurn("search", () => createSet(session, { title, dryRun }, insert));
  return { ...created, ...tally.result() };
}

function readEditing({ policy }: Session, { filter, set }: ManyEdits): RecordEditing {
  const { ttl, remove, replace, exampleNames } = set;
  for (const [name, value] of Object.entries({ remove, exampleNames })) {
    const field = `set.${name}`;
    if (value === false)
      throw new Refusal("INVALID_VALUE", `${field} is false; write true, or another edit.`, { field });
  }
  if (exampleNames) return ownNames(policy);
  checkTtl(ttl, policy, "set.ttl");
  const types = filter.types?.map((type, at) => parseField(`filter.types.${at}`, () => recordType(type).mnemonic));
  if (types?.includes("SOA") && !replace?.name) {
    const message =
      "filter.types: only the names of an SOA can be edited here, by set.replace.name; edit its other fields by updateRecord.";
    throw new Refusal("INVALID_VALUE", message, { field: "filter.types" });
  }
  return {
    matches: readMatch(filter.rdata ?? {}, types),
    ttl,
    isRemoval: remove === true,
    replace: replace && readReplacement(replace, types),
  };
}

/** The SQL conditions of a filter on record r and domain d, without its zones and its data. */
function conditionsOf(filter: EditFilter): Sql<boolean>[] {
  const { userId, owner, types, ttlMin, ttlMax } = filter;
  const conditions: Sql<boolean>[] = [];
  if (userId !== undefined) conditions.push(sql<boolean>`${d.userId} = ${userId}`);
  if (owner?.includes("*")) conditions.push(sql<boolean>`${r.owner} like ${patternOf(owner)}`);
  else if (owner !== undefined) conditions.push(sql<boolean>`${r.owner} = ${readOwner(owner)}`);
  if (types) {
    const { read, where } = records.selectors.types;
    conditions.push(where(read(types)));
  }
  if (ttlMin !== undefined) conditions.push(sql<boolean>`${r.ttl} >= ${ttlMin}`);
  if (ttlMax !== undefined) conditions.push(sql<boolean>`${r.ttl} <= ${ttlMax}`);
  return conditions;
}

/** The SQL condition that record r may be edited. In an SOA only names are edited: the serial and the timers belong to the zone. */
function editableRecords({ exampleNames, replace }: EditSet): Sql<boolean> {
  if (exampleNames) return recordsToRepair;
  return replace?.name ? sql<boolean>`true` : sql<boolean>`${r.type} <> 'SOA'`;
}

/** The SQL conditions on domain d that the actor sees the zone and the filter selects it. */
export function conditionsOfZones(actor: Actor, { zones, labels }: ZoneFilter): Sql<boolean>[] {
  const conditions = [records.sees(actor), sql<boolean>`${d.userId} is not null`];
  if (zones) conditions.push(zonesAre(zones));
  if (labels) {
    const { read, where } = withLabels(d.labels);
    conditions.push(where(read(labels)));
  }
  return conditions;
}

function zonesAre(zones: readonly string[]): Sql<boolean> {
  if (zones.length === 0) {
    const message = "filter.zones is empty; write names of zones, or omit it for all zones.";
    throw new Refusal("INVALID_VALUE", message, { field: "filter.zones" });
  }
  const names = zones.filter((zone) => !zone.includes("*")).map((zone) => readZone(zone));
  const patterns = zones.filter((zone) => zone.includes("*")).map((zone) => patternOf(zone.replace(/\.$/, "")));
  return sql<boolean>`(${d.zone} = any(${names}::text[]) or ${d.zone} like any(${patterns}::text[]))`;
}

const patternOf = (glob: string) => literalPattern(glob.toLowerCase()).replaceAll("*", "%");

function titleOf({ ttl, remove, replace, exampleNames }: EditSet): string {
  if (exampleNames) return "Replace the example's name servers and mailbox";
  if (remove) return "Remove records";
  const [change] = replace ? Object.values(replace).filter((each) => each !== undefined) : [];
  const text = change ? `Replace ${change.from} by ${change.to}` : `Set the TTL to ${ttl}`;
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, maxTitleLength);
}

async function stage(
  session: Session,
  conditions: readonly Sql<boolean>[],
  editing: RecordEditing,
  parts: PartWriter,
  tally: Tally,
): Promise<void> {
  const query = sql<EditableRecord & { readonly hex: string }>`
    select ${r.columns("id", "domainId", "owner", "type", "ttl", "changeId").and(dataOf(r))}, ${d.columns("zone")},
      encode(${r.digest}, 'hex') as digest
    from ${d} join ${r} on ${r.domainId} = ${d.id} where ${sql.join(conditions, sql` and `)}
    order by ${d.zone}, ${r.position}, ${r.id}`;
  let rrset: EditableRecord[] = [];
  const finish = async () => {
    const [first] = rrset;
    if (!first) return;
    const edited = editRrset(rrset, editing, session.policy);
    rrset = [];
    tally.add(first, edited);
    const { zone, domainId } = first;
    if (edited.edits.length > 0) await parts.add({ zone, domainId, action: ChangeKind.EDIT, edits: edited.edits });
  };
  for await (const rows of rowsWithin(session, query)) {
    for (const row of rows) {
      const [first] = rrset;
      if (first && (first.domainId !== row.domainId || first.owner !== row.owner || first.type !== row.type))
        await finish();
      rrset.push({ ...asRead(row), notices: [] });
    }
  }
  await finish();
}

class Tally {
  #matched = 0;
  #changed = 0;
  #merged = 0;
  #refused = 0;
  #longestTtl = 0;
  readonly #zones = new Set<string>();
  readonly #refusals: RefusedEdit[] = [];

  add({ zone, ttl }: EditableRecord, { matched, merged, refusals, changed }: EditedRrset): void {
    this.#matched += matched;
    this.#merged += merged;
    this.#refused += refusals.length;
    this.#refusals.push(...refusals.slice(0, maxRefusals - this.#refusals.length));
    if (changed === 0) return;
    this.#changed += changed;
    this.#zones.add(zone);
    this.#longestTtl = Math.max(this.#longestTtl, ttl);
  }

  result(): Omit<EditedRecords, keyof CreatedSet> {
    return {
      matchedCount: this.#matched,
      changedCount: this.#changed,
      mergedCount: this.#merged,
      zoneCount: this.#zones.size,
      longestTtl: this.#longestTtl,
      refusals: this.#refusals,
      refusedCount: this.#refused,
    };
  }
}
