/**
 * The findings that changes would make or correct together, in their zones and in others that name their hosts, as notices of previews and dry
 * runs. Looked at are the names that change and those that name them. There are none for changes of more than 1,000 records.
 */
import { nameText, ownerName, parseName } from "../dns/name.ts";
import { parseRdata } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { onRefusal } from "../errors.ts";
import { inSearch, listRows } from "../lists/list-statement.ts";
import { literalPattern } from "../lists/text-search.ts";
import type { Session } from "../session/session.ts";
import { isBelow } from "../sql/names-below.ts";
import { sql } from "../sql/sql.ts";
import { domains } from "../zone/domain.ts";
import type { Notice, WithNotices } from "../zone/edit/notice.ts";
import type { RuledRecord } from "../zone/edit/rules.ts";
import type { ImportResult } from "../zone/master-file/import.ts";
import type { CheckedZone } from "./checked-zone.ts";
import { d, loadNames, r, zonesOf } from "./find.ts";
import { type Finding, findingsOf } from "./finding-code.ts";

type Changed = Omit<RuledRecord, "id" | "wire">;

/** A change of a zone that is not made yet. */
export interface PlannedChange extends WithNotices {
  readonly zone: string;
  readonly removed: readonly Changed[];
  readonly added: readonly Changed[];
  /** Whether the zone is deleted. */
  readonly isDeletion?: boolean;
  /** The number of all records that change, where `removed` and `added` may be the first. */
  readonly size?: number;
}

/** What a dry run of an import shows, as such a change. */
export function plannedImport({ addedRecords, removedRecords, ...result }: ImportResult): PlannedChange {
  const { notices, loss, added, removed } = result;
  return { zone: loss.zone, added: addedRecords, removed: removedRecords, notices, size: added + removed };
}

const mostRecords = 1000;

type NoticesByZone = ReadonlyMap<string, readonly Notice[]>;

/** The notices of one change that was not made, with those of findings. */
export async function withFindings(session: Session, change: PlannedChange): Promise<readonly Notice[]> {
  return [...change.notices, ...((await findingNotices(session, [change])).get(change.zone) ?? [])];
}

/** The notices of the findings that changes would make and correct together, by zone; none when the search for them is refused. */
export function findingNotices(session: Session, changes: readonly PlannedChange[]): Promise<NoticesByZone> {
  return onRefusal(
    () => compare(session, changes),
    (): NoticesByZone => new Map(),
  );
}

async function compare(session: Session, changes: readonly PlannedChange[]): Promise<NoticesByZone> {
  const sizeOf = ({ removed, added, isDeletion, size = removed.length + added.length }: PlannedChange) =>
    isDeletion ? 1 : size;
  const size = changes.reduce((sum, change) => sum + sizeOf(change), 0);
  if (size === 0 || size > mostRecords) return new Map();
  const written = writtenRecords(changes);
  const loaded = await loadNames(session, await concernedNames(session, changes), written);
  const added = new Set([...written.values()].flat());
  const gone = new Map(changes.map(({ zone, removed }) => [zone, new Set(removed.map(key))]));
  const before = await findingsIn(zonesOf(loaded, (_zone, all) => all.filter((each) => !added.has(each))));
  const deleted = new Set(changes.flatMap(({ zone, isDeletion }) => (isDeletion ? zone : [])));
  const isLeft = (zone: string, record: RuledRecord) => !deleted.has(zone) && !gone.get(zone)?.has(key(record));
  const after = await findingsIn(
    zonesOf(loaded, (zone, all) => all.filter((each) => added.has(each) || isLeft(zone, each))),
  );
  const only = (those: FindingsByRrset, others: FindingsByRrset) =>
    Map.groupBy(
      [...those].flatMap(([at, findings]) => moreThan(findings, others.get(at) ?? [])),
      ({ zone }) => (changes.find((change) => change.zone === zone) ?? changes[0])?.zone,
    );
  const [made, corrected] = [only(after, before), only(before, after)];
  return new Map(
    changes.map(({ zone, notices, isDeletion }) => {
      const isNew = ({ code, owner, type, ...finding }: Finding) =>
        finding.zone !== zone ||
        !notices.some((each) => each.code === code && each.owner === owner && each.type === type);
      const ofMade = noticesOf("FINDING_MADE", zone, made.get(zone)?.filter(isNew) ?? []);
      const ofCorrected = isDeletion ? [] : noticesOf("FINDING_CORRECTED", zone, corrected.get(zone) ?? []);
      return [zone, [...ofMade, ...ofCorrected]];
    }),
  );
}

/** A zone has one SOA, whose stored serial is another. */
const key = ({ owner, type, rdata }: Changed) => (type === "SOA" ? "SOA" : `${owner} ${type} ${rdata}`);

/** The records that changes add, by zone. */
function writtenRecords(changes: readonly PlannedChange[]): Map<string, RuledRecord[]> {
  const written = changes.map(({ zone, added }) => {
    const context = { origin: parseName(`${zone}.`), context: "master" } as const;
    const wireOf = ({ type, rdata }: Changed) => parseRdata(recordType(type), rdata, context);
    return [zone, added.map((record) => ({ ...record, id: undefined, wire: wireOf(record) }))] as const;
  });
  return new Map(written);
}

const mostNames = 1000;

/** The names that changes touch or hide, and those whose records name a host that is touched. */
async function concernedNames(session: Session, changes: readonly PlannedChange[]) {
  const touched = changes.flatMap(({ zone, removed, added }) =>
    [...removed, ...added].map(({ owner, type }) => ({ zone, owner, type })),
  );
  // The apex exists whatever it has; only its addresses and its SPF policy matter to others.
  const named = touched.filter(({ owner, type }) => owner !== "@" || /^(A|AAAA|TXT)$/.test(type));
  const hosts = new Set(named.map(({ zone, owner }) => literalPattern(nameText(ownerName(owner, zone)))));
  // Names in SPF policies have no final dot.
  const patterns = [...hosts].slice(0, 100).flatMap((host) => {
    const bare = host.slice(0, -1);
    return [`${host}%`, `% ${host}%`, `%include:${bare}%`, `%redirect=${bare}%`];
  });
  for (const { zone, isDeletion } of changes) if (isDeletion) patterns.push(`%${literalPattern(zone)}%`);
  const names = sql`select ${r.domainId} as id, ${r.owner} from ${r}`;
  const ofZone = (zone: string) => sql`${r.domainId} = (select ${d.id} from ${d} where ${d.zone} = ${zone})`;
  const hidden = touched.filter(({ owner, type }) => owner !== "@" && /^(NS|DNAME)$/.test(type));
  const selects = [
    sql`${names} join ${d} on ${d.id} = ${r.domainId}
      where lower(${r.rdata}) like any(${patterns}) and ${domains.sees(session.actor)} limit ${mostNames}`,
    ...changes.map(
      ({ zone }) =>
        sql`${names} where ${ofZone(zone)} and ${r.owner} = any(${touched.flatMap((each) =>
          each.zone === zone ? each.owner : [],
        )})`,
    ),
    ...hidden
      .slice(0, 20)
      .map(({ zone, owner }) => sql`${names} where ${ofZone(zone)} and ${isBelow(r.owner, owner)} limit ${mostNames}`),
  ];
  const query = sql<{ id: number; owner: string }>`(${sql.join(selects, sql`) union (`)})`;
  return inSearch(session, (db) => listRows(db, query));
}

type FindingsByRrset = ReadonlyMap<string, readonly Finding[]>;

/** The errors and warnings in zones, by code and RRset. */
async function findingsIn(zones: ReadonlyMap<number, CheckedZone>): Promise<FindingsByRrset> {
  const findings: Finding[] = [];
  for (const zone of zones.values())
    findings.push(...(await findingsOf(zone)).filter(({ severity }) => severity !== "NOTE"));
  return Map.groupBy(findings, ({ zone, owner, type, code }) => `${zone} ${owner} ${type} ${code}`);
}

/** As many findings of an RRset as it has more than before. One that says something else now does not count. */
function moreThan(findings: readonly Finding[], before: readonly Finding[]): readonly Finding[] {
  const unlike = findings.filter(({ message }) => !before.some((each) => each.message === message));
  return unlike.slice(0, Math.max(0, findings.length - before.length));
}

/** One notice of a zone for each code. */
function noticesOf(
  code: "FINDING_MADE" | "FINDING_CORRECTED",
  zone: string,
  findings: readonly Finding[],
): readonly Notice[] {
  return [...Map.groupBy(findings, (each) => each.code).values()].map((group) => {
    const first = (group.find((each) => each.zone === zone) ?? group[0]) as Finding;
    const { owner, type } = first;
    const where = `${counted(group.length, "record")} in ${counted(new Set(group.map((each) => each.zone)).size, "zone")}`;
    const verb = code === "FINDING_MADE" ? "breaks" : "corrects";
    const example = code === "FINDING_MADE" ? first.message : `${owner} ${type}.`;
    const message = `This ${verb} ${where} (${first.code}), such as in ${first.zone}: ${example}`;
    return { code, message, ...(first.zone === zone && { owner, type }) };
  });
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
