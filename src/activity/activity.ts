/**
 * What happened, as far as the session sees it, newest first: changes, change sets that are not applied, refusals, and what the audit has
 * besides. The four lists are read in their own orders, each in batches from its own position, and merged by time. A cursor holds the four
 * positions, so that nothing is lost or doubled between pages, whatever the clocks of instances say. What is the same again within an hour
 * is folded, within a page.
 */
import { type AuditEntryRow, besidesChanges, listAuditEntries } from "../audit/audit-entry.ts";
import { type ChangeSetRow, changeSetsByIds } from "../changeset/change-set.ts";
import { latestChangeSets } from "../changeset/change-set-list.ts";
import { enumType } from "../graphql/scalars/enum-type.ts";
import { typeOfNode } from "../graphql/scalars/node-interface.ts";
import { cursorText, defaultPageSize, type PageRequest, readCursor } from "../lists/pagination.ts";
import type { Session } from "../session/session.ts";
import type { NodeType } from "../sql/typed-ids.ts";
import { type ChangeRow, ChangeSource } from "../zone/change.ts";
import { isNewestOfSet, listChanges } from "../zone/change-list.ts";
import { listUpdateRefusals, type UpdateRefusalRow } from "../zone/dynamic-update/refusal-audit.ts";
import { type Beginning, type Item, noSource, type Source, sourceOf } from "./source.ts";

export const ActivityKind = enumType("ActivityKind", "What kind of thing happened.", {
  CHANGES: "A zone changed, or several zones by a change set.",
  REVIEWS: "A change set is in review, approved or scheduled, or ended without being applied.",
  REFUSED: "A dynamic update or another operation was refused.",
  ACCESS: "Somebody signed in, or changed a user, a key, a server or a setting.",
});

type Kind = keyof typeof ActivityKind;

/** A filter; what happened must match every field. `who` is an actor or the name of a key, `source` as in the table of changes. */
export interface ActivityFilter {
  readonly kind?: Kind | undefined;
  readonly zone?: string | undefined;
  readonly who?: string | undefined;
  readonly source?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

/** Something that happened, `count` times from `since` to `at`; `node` is the newest. */
export interface Activity {
  readonly kind: Kind;
  readonly node: { readonly id: number; readonly [typeOfNode]: NodeType };
  readonly count: number;
  readonly at: Date;
  readonly since: Date;
}

export interface ActivityPage {
  readonly entries: readonly Activity[];
  readonly endCursor: string | null;
}

interface Fold {
  readonly newest: Item;
  count: number;
  since: Date;
}

const hour = 3600_000;

/** The key of a cursor: the time of the newest item of the first page, and the positions of the four lists. */
const order = { name: "activity", kinds: ["number", "string", "string", "string", "string"] } as const;

export async function listActivity(
  session: Session,
  filter: ActivityFilter,
  { first = defaultPageSize, after }: { readonly first?: number | undefined; readonly after?: string | undefined },
): Promise<ActivityPage> {
  const [begun, ...positions] = after === undefined ? [undefined] : readCursor(after, order);
  const from = (at: number) => ({
    from: String(positions[at] ?? ""),
    begun: begun as number | undefined,
    batch: Math.max(first, defaultPageSize),
  });
  const sources = sourcesOf(session, filter, from);
  const folds: Fold[] = [];
  const open = new Map<string, Fold>();
  for (;;) {
    const isCut = (await Promise.all(sources.map((source) => source.ready()))).includes(false);
    const source = isCut ? undefined : newestOf(sources);
    const item = source?.next();
    const fold = item && open.get(item.fold);
    const isSame = item && fold && fold.newest.at.getTime() - item.at.getTime() <= hour;
    if (!source || !item || (!isSame && folds.length === first)) {
      const key = [begun ?? folds[0]?.newest.at.getTime(), ...sources.map(({ position }) => position())];
      const endCursor = isCut || item ? cursorText([order.name, ...key]) : null;
      return { entries: await entriesOf(session, folds), endCursor };
    }
    source.take();
    if (isSame) {
      fold.count += item.count;
      fold.since = item.at;
    } else {
      const another = { newest: item, count: item.count, since: item.at };
      folds.push(another);
      open.set(item.fold, another);
    }
  }
}

/** The source of the newest item; undefined when nothing follows. */
function newestOf(sources: readonly Source[]): Source | undefined {
  const timeOf = (source: Source) => source.next()?.at.getTime() ?? Number.NEGATIVE_INFINITY;
  return sources.reduce((newest, each) => (timeOf(each) > timeOf(newest) ? each : newest));
}

/** The states of the change sets that no change stands for. */
const unappliedStates = ["IN_REVIEW", "APPROVED", "SCHEDULED", "CANCELLED", "EXPIRED"];

function sourcesOf(
  session: Session,
  { kind, zone, who, source, since, until }: ActivityFilter,
  from: (at: number) => Beginning,
): Source[] {
  const range = { createdSince: since, createdBefore: until };
  const byActor = { zone, actor: who, source };
  const ofSets = { states: unappliedStates, zone, author: who, since, before: until };
  const newest = (request: PageRequest) => ({ ...request, order: "CREATED_DESC" }) as const;
  const once = [isNewestOfSet(session.actor, { zone, before: until })];
  const besides = besidesChanges(kind === "REFUSED" || kind === "ACCESS" ? kind : "BOTH", range);
  const isOf = (...kinds: Kind[]) => kind === undefined || kinds.includes(kind);
  return [
    isOf("CHANGES") &&
      sourceOf(
        (request) => listChanges(session, { ...byActor, ...range }, newest(request), once),
        itemOfChange,
        from(0),
      ),
    isOf("REVIEWS") &&
      source === undefined &&
      sourceOf((request) => latestChangeSets(session, ofSets, request), itemOfSet, from(1)),
    isOf("REFUSED") &&
      (source === undefined || source === ChangeSource.UPDATE) &&
      sourceOf(
        (request) => listUpdateRefusals(session, { zone, keyName: who, ...range }, request),
        itemOfRefusal,
        from(2),
      ),
    isOf("REFUSED", "ACCESS") &&
      sourceOf((request) => listAuditEntries(session, byActor, newest(request), besides), itemOfEntry, from(3)),
  ].map((each) => each || noSource);
}

const item = (type: NodeType, row: Item["row"], at: Date, same: readonly unknown[], count = 1): Item => ({
  ...{ type, row, at, count },
  fold: JSON.stringify([type, ...same]),
});

const itemOfChange = (row: ChangeRow): Item =>
  item("Change", row, row.createdAt, row.changeSetId === null ? [row.kind, row.actor, row.domainId] : [row.id]);

const itemOfSet = (row: ChangeSetRow): Item => item("ChangeSet", row, row.updatedAt, [row.id]);

const itemOfRefusal = (row: UpdateRefusalRow): Item =>
  item("UpdateRefusal", row, row.createdAt, [row.keyName ?? row.address, row.zone, row.code]);

const itemOfEntry = (row: AuditEntryRow): Item => {
  const { actor, address, operation, zone, subjectId, code, field } = row;
  return item("AuditEntry", row, row.createdAt, [actor ?? address, operation, zone, subjectId, code, field], row.count);
};

/** The entries of a page; a change set that the session sees stands for its changes. */
async function entriesOf(session: Session, folds: readonly Fold[]): Promise<Activity[]> {
  const setIdOf = ({ newest: { type, row } }: Fold) => (type === "Change" ? (row as ChangeRow).changeSetId : null);
  const ids = folds.map(setIdOf).filter((id) => id !== null);
  const sets = new Map((ids.length > 0 ? await changeSetsByIds(session, ids) : []).map((set) => [set.id, set]));
  return folds.map((fold) => {
    const { newest, count, since } = fold;
    const set = sets.get(setIdOf(fold) ?? 0);
    const node = set ? { ...set, [typeOfNode]: "ChangeSet" as const } : { ...newest.row, [typeOfNode]: newest.type };
    return { kind: kindOf(newest), node, count, at: newest.at, since };
  });
}

function kindOf({ type, row }: Item): Kind {
  if (type === "Change") return "CHANGES";
  if (type === "ChangeSet") return "REVIEWS";
  return type === "AuditEntry" && (row as AuditEntryRow).code === null ? "ACCESS" : "REFUSED";
}
