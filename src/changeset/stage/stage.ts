/**
 * Staging: edits are added to a change set in canonical form, each with the version of the record that it edits. A zone occurs in a set
 * only once: new edits of the zone replace its staged edits, unless they are appended.
 */

import { ApiKey } from "../../account/api-key.ts";
import { countAlone, User } from "../../account/user.ts";
import { noSuch, Refusal } from "../../errors.ts";
import { mayWrite } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { settleBeforeCommit, transaction } from "../../session/transaction.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { Change, ChangeKind, DeletedDomain } from "../../zone/change.ts";
import { ChangeRecord } from "../../zone/change-record.ts";
import { Domain } from "../../zone/domain.ts";
import type { Notice, WithNotices } from "../../zone/edit/notice.ts";
import {
  ChangeSet,
  ChangeSetEdit,
  type ChangeSetRow,
  ChangeSetZone,
  changeSetById,
  editContent,
  maxEdits,
  partColumns,
} from "../change-set.ts";
import { needsOf } from "../needed-approvals.ts";
import {
  ChangeSetEventKind,
  ChangeSetMode,
  ChangeSetState,
  openStates,
  unendedStates,
  ZoneOutcome,
} from "../states.ts";
import { addEvent, expectState, lockOwnSet, takeStep, updateSet, withoutSchedule } from "../steps.ts";
import { readComputedParts } from "./computed-part.ts";
import { atPath, pathOf, readPart, type StagedPart, type ZonePart } from "./read-part.ts";
import { dropParts, PartWriter, refuseTwoTtls, stagedBefore } from "./store-parts.ts";

const s = table(ChangeSet, "s");
const z = table(ChangeSetZone, "z");
const e = table(ChangeSetEdit, "e");
const d = table(Domain, "d");
const u = table(User, "u");
const x = table(DeletedDomain, "x");
const c = table(Change, "c");
const h = table(ChangeRecord, "h");

export interface NewChangeSet {
  readonly title: string;
  readonly description?: string;
  readonly mode?: ChangeSetMode;
  readonly requestedApprovals?: number;
  readonly zones?: readonly ZonePart[];
}

export interface Staging {
  readonly zones?: readonly ZonePart[];
  readonly unstage?: readonly string[];
  /** Whether a part may replace the staged part of its zone; the default is true. */
  readonly replace?: boolean;
  readonly expectedRevision?: number | null | undefined;
}

export async function createChangeSet(session: Session, { zones = [], ...set }: NewChangeSet): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  const computed = await readComputedParts(session, zones);
  return transaction(session, async (inner) => {
    const id = await insertSet(inner, set);
    if (zones.length > 0) await stageAll(inner, { id, revision: 1 }, { zones }, computed);
    return changeSetById(inner, id);
  });
}

export async function insertSet(
  session: Session,
  { title, description = "", requestedApprovals = 0, mode = ChangeSetMode.ALL }: Omit<NewChangeSet, "zones">,
): Promise<number> {
  const { actor } = session;
  const text = readTitle(title);
  await expectRoom(session);
  const names = s.names(
    ...(["title", "description", "userId", "author", "authorKeyId", "state", "revision"] as const),
    ...(["requestedApprovals", "mode", "createdAt", "updatedAt"] as const),
  );
  const insert = sql<{ id: number }>`
    insert into ${s} (${names}) values (${text}, ${description}, ${actor.userId}, ${actor.name}, ${actor.keyId ?? null},
      ${ChangeSetState.DRAFT}, 1, ${requestedApprovals}, ${mode}, ${session.now()}, ${session.now()}) returning ${s.id} as id`;
  const { id } = (await insert.run(session))[0] as { id: number };
  await addEvent(session, { id, revision: 1 }, ChangeSetEventKind.CREATED);
  return id;
}

export type StagedSet = ChangeSetRow & WithNotices;

export async function stageChanges(session: Session, id: number, staging: Staging): Promise<StagedSet> {
  mayWrite(session.actor);
  expectState(await changeSetById(session, id), openStates);
  const computed = await readComputedParts(session, staging.zones ?? []);
  let notices: readonly Notice[] = [];
  const terms = { allowed: openStates, expectedRevision: staging.expectedRevision };
  const staged = await takeStep(session, id, terms, async (inner, set) => {
    const revision = set.revision + 1;
    const parts = await stageAll(inner, { id, revision }, staging, computed);
    notices = [...parts.notices, ...lostSchedule(set)];
    await toStaged(inner, set);
    const { staged: added, unstaged } = parts;
    const after = { id, revision };
    // Each step is an event, also one without zones.
    if (added.length > 0 || unstaged.length === 0)
      await addEvent(inner, after, ChangeSetEventKind.STAGED, { text: listed(added) });
    if (unstaged.length > 0) await addEvent(inner, after, ChangeSetEventKind.UNSTAGED, { text: listed(unstaged) });
  });
  return { ...staged, notices };
}

const listed = (names: readonly string[]) =>
  `${names.slice(0, 3).join(", ")}${names.length > 3 ? ` and ${names.length - 3} more` : ""}`;

function lostSchedule({ state, applyAt }: ChangeSetRow): readonly Notice[] {
  if (state !== ChangeSetState.SCHEDULED) return [];
  const message = `The set was scheduled for ${applyAt?.toISOString()} and is not any more; schedule it again once it does what it should.`;
  return [{ code: "SCHEDULE_REMOVED", message }];
}

/** Gives a set its next revision. The set loses its schedule and failure, and is a draft again, or in review when it needs approvals. */
export async function toStaged(session: Session, set: ChangeSetRow): Promise<void> {
  const isDraft = set.state === ChangeSetState.DRAFT || (await needsOf(session, set)).approvals === 0;
  const state = isDraft ? ChangeSetState.DRAFT : ChangeSetState.IN_REVIEW;
  if (set.state === ChangeSetState.SCHEDULED)
    await addEvent(session, set, ChangeSetEventKind.UNSCHEDULED, { text: "Its edits were changed." });
  await updateSet(session, set, { revision: set.revision + 1, state, ...withoutSchedule, failure: null });
}

interface NewWords {
  readonly title?: string;
  readonly description?: string;
  readonly requestedApprovals?: number;
  readonly mode?: ChangeSetMode;
  readonly expectedRevision?: number | null;
}

/** Updates a draft; throws TOO_LARGE when the set is too large for the new mode. */
export function updateChangeSet(
  session: Session,
  id: number,
  { title, description, requestedApprovals, mode, expectedRevision }: NewWords,
): Promise<ChangeSetRow> {
  return takeStep(session, id, { allowed: [ChangeSetState.DRAFT], expectedRevision }, async (inner, set) => {
    await updateSet(inner, set, {
      ...(title !== undefined && { title: readTitle(title) }),
      ...(description !== undefined && { description }),
      ...(requestedApprovals !== undefined && { requestedApprovals }),
      ...(mode !== undefined && { mode }),
      revision: set.revision + 1,
    });
    if (mode !== undefined) await expectSize(inner, id);
  });
}

export function cancelChangeSet(
  session: Session,
  id: number,
  { expectedRevision, text = "" }: { expectedRevision?: number | null | undefined; text?: string } = {},
): Promise<ChangeSetRow> {
  return takeStep(session, id, { allowed: openStates, expectedRevision }, async (inner, set) => {
    await updateSet(inner, set, { state: ChangeSetState.CANCELLED });
    await addEvent(inner, set, ChangeSetEventKind.CANCELLED, { text });
  });
}

/** The maximum length of a title, characters: the title is the note of each change. */
export const maxTitleLength = 200;

function readTitle(title: string): string {
  const text = title.trim();
  if (text !== "" && text.length <= maxTitleLength) return text;
  const message = `title has ${text.length} characters; write 1 to ${maxTitleLength}.`;
  throw new Refusal("INVALID_VALUE", message, { field: "title" });
}

/** Stages parts in a locked set. Returns the names of the zones, and notices about the parts. */
async function stageAll(
  session: Session,
  set: Pick<ChangeSetRow, "id" | "revision">,
  { zones = [], unstage = [], replace = true }: Staging,
  computed: ReadonlyMap<number, StagedPart>,
): Promise<{ staged: readonly string[]; unstaged: readonly string[]; notices: readonly Notice[] }> {
  const parts = new Map<string, { readonly part: StagedPart; readonly field: string }>();
  for (const [at, sent] of zones.entries()) {
    const field = `${pathOf(sent, at)}zone`;
    const part = computed.get(at) ?? (await atPath(sent, at, () => readPart(session, set.id, sent)));
    const { zone } = part;
    if (parts.has(zone))
      throw new Refusal("INVALID_VALUE", `${field} is ${zone} a second time; send a zone once.`, { field });
    parts.set(zone, { part, field });
  }
  const names = [...parts.keys()];
  const before = await stagedBefore(session, set.id, names);
  await dropParts(session, set.id, names);
  const notices: Notice[] = [];
  const writer = new PartWriter(session, set.id);
  for (const [zone, { part, field }] of parts) {
    const earlier = part.keptCount === undefined ? before.get(zone) : undefined;
    if (earlier !== undefined) {
      if (!replace) throw stagedAlready(zone, earlier);
      const message = `The staged part of ${zone} (${earlier}) is replaced.`;
      notices.push({ code: "REPLACED_PART", message, field });
    }
    refuseTwoTtls(part.edits);
    await writer.add(part);
    if (part.notice) notices.push({ ...part.notice, field });
  }
  await writer.end();
  const unstaged = unstage.map((zone) => zone.toLowerCase().replace(/\.$/, ""));
  const dropped = new Set(await dropParts(session, set.id, unstaged));
  for (const [at, zone] of unstaged.entries())
    if (!dropped.has(zone)) throw noSuch("staged zone", zone, `unstage.${at}`);
  await expectSize(session, set.id);
  await setUser(session, set.id);
  return { staged: names, unstaged, notices };
}

function stagedAlready(zone: string, earlier: string): Refusal {
  const message = `${zone} already has a staged part (${earlier}): stage with append to keep it, or with replace to replace it.`;
  return new Refusal("INVALID_VALUE", message, { field: "replace" });
}

/** Throws TOO_LARGE when the set has more zones or edits than its mode allows. */
export async function expectSize(session: Session, id: number): Promise<void> {
  const limits = session.policy.changeSetLimits;
  // A restored zone has the records that its last change ended. They are counted zone by zone: a join would read all versions.
  const ended = sql`
    select count(*) from ${h} where ${h.domainId} = ${z.domainId}
      and ${h.changeId} = (select max(${c.id}) from ${c} where ${c.domainId} = ${z.domainId})`;
  const comingBack = sql`
    select coalesce(sum((${ended})), 0)::bigint from ${z}
    where ${z.changeSetId} = ${id} and ${z.action} = ${sql.lit(ChangeKind.RESTORE)}`;
  const query = sql<{ mode: ChangeSetMode; zones: number; edits: number }>`
    select ${s.columns("mode")}, (select count(*) from ${z} where ${z.changeSetId} = ${id}) as zones,
      (select count(*) from ${e} where ${e.changeSetId} = ${id}) + (${comingBack}) as edits from ${s} where ${s.id} = ${id}`;
  const { mode, zones = 0, edits = 0 } = (await query.run(session))[0] ?? {};
  const refuse = (what: string) => new Refusal("TOO_LARGE", `zones: the set would have ${what}.`);
  if (mode === ChangeSetMode.EACH_ZONE) {
    if (edits > maxEdits) throw refuse(`${edits} edits, at most ${maxEdits}`);
    return;
  }
  const other = "or mode EACH_ZONE";
  if (zones > limits.zones) throw refuse(`${zones} zones, at most ${limits.zones} (CHANGE_SET_ZONES), ${other}`);
  if (edits > limits.records) throw refuse(`${edits} edits, at most ${limits.records} (CHANGE_SET_RECORDS), ${other}`);
}

/** Sets the user of a set that an administrator edits: the owner of all its zones, else null. A restoration counts for both users. */
export async function setUser(session: Session, id: number): Promise<void> {
  if (session.actor.role === "user") return;
  const query = sql<{ userId: number | null }>`
    select distinct owner.id as "userId"
    from ${z} left join ${d} on ${d.id} = ${z.domainId} left join ${x} on ${x.id} = ${z.domainId}
    cross join unnest(array[coalesce(${z.userId}, ${d.userId}), coalesce(${x.userId}, ${z.userId}, ${d.userId})]) as owner(id)
    where ${z.changeSetId} = ${id} limit 2`;
  const rows = await query.run(session);
  const userId = rows.length === 1 ? (rows[0]?.userId ?? null) : null;
  // A user who is deleted at the same time owns no set.
  const held = await sql`select from ${u} where ${u.id} = ${userId} for key share`.run(session);
  await updateSet(session, { id }, { userId: held.length === 1 ? userId : null });
}

/** Stages the refused zones of a PARTIAL set in a new set, by default with the same title. */
export async function restageChangeSet(session: Session, id: number, title?: string): Promise<ChangeSetRow> {
  mayWrite(session.actor);
  return transaction(session, async (inner) => {
    const set = await lockOwnSet(inner, id);
    expectState(set, [ChangeSetState.PARTIAL]);
    const { description, requestedApprovals, mode } = set;
    const words = { title: title ?? set.title, description };
    const newId = await insertSet(inner, { ...words, requestedApprovals, mode });
    const wasRefused = sql`${z.changeSetId} = ${id} and ${z.outcome} = ${sql.lit(ZoneOutcome.REFUSED)}`;
    await sql`insert into ${z} (${z.names("changeSetId", ...partColumns)})
      select ${newId}::bigint, ${z.columns(...partColumns)} from ${z} where ${wasRefused}`.run(inner);
    await sql`insert into ${e} (${e.names("changeSetId", "zone", "ordinal", ...editContent)})
      select ${newId}::bigint, ${e.columns("zone", "ordinal", ...editContent)} from ${z}
      join ${e} on ${e.changeSetId} = ${z.changeSetId} and ${e.zone} = ${z.zone} where ${wasRefused}`.run(inner);
    await setUser(inner, newId);
    return changeSetById(inner, newId);
  });
}

const k = table(ApiKey, "k");

/**
 * Throws QUOTA_EXCEEDED when the user already has CHANGE_SETS_OPEN sets that have not ended. The sets are counted now and again right
 * before the commit. Only the second count makes the user's transactions wait for each other, so a large set does not block other sets
 * while it is created. Administrators have no limit.
 */
async function expectRoom(session: Session): Promise<void> {
  const { userId } = session.actor;
  if (userId === null) return;
  await expectAtMost(session, userId, session.policy.changeSetLimits.open - 1);
  settleBeforeCommit(session, countAtEnd, userId);
}

async function countAtEnd(session: Session, userIds: readonly number[]): Promise<void> {
  for (const userId of new Set(userIds)) {
    await countAlone(session, userId);
    await expectAtMost(session, userId, session.policy.changeSetLimits.open);
  }
}

async function expectAtMost(session: Session, userId: number, most: number): Promise<void> {
  const query = sql<{ count: number }>`
    select count(*) from ${s} join ${k} on ${k.id} = ${s.authorKeyId}
    where ${s.userId} = ${userId} and ${k.userId} = ${userId} and ${s.state} = any(${unendedStates})`;
  const count = (await query.run(session))[0]?.count ?? 0;
  if (count <= most) return;
  const message = `The user has ${session.policy.changeSetLimits.open} change sets that have not ended; apply or cancel some (CHANGE_SETS_OPEN).`;
  throw new Refusal("QUOTA_EXCEEDED", message);
}
