/**
 * The findings that changes would make or correct together, in their zones and in others that name their hosts, as notices of previews and dry
 * runs. Looked at are the names that change and those that name them. There are none for changes of more than 1,000 records.
 */
import { nameText, ownerName, parseName } from "../dns/name.ts";
import { parseRdata } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import { listRows } from "../lists/list-statement.ts";
import { literalPattern } from "../lists/text-search.ts";
import type { Session } from "../session/session.ts";
import { isBelow } from "../sql/names-below.ts";
import { sql } from "../sql/sql.ts";
import { domains } from "../zone/domain.ts";
import type { Notice, WithNotices } from "../zone/edit/notice.ts";
import type { RuledRecord } from "../zone/edit/rules.ts";
import type { ImportResult } from "../zone/master-file/import.ts";
import { checkedZones, d, domainsToCheck, r, recordsAt, type ToCheck } from "./find.ts";
import { type Finding, findingsOf } from "./finding-code.ts";

type Changed = Omit<RuledRecord, "id" | "wire">;

/** A change of a zone that is not made yet. */
export interface PlannedChange extends WithNotices {
  readonly zone: string;
  readonly removed: readonly Changed[];
  readonly added: readonly Changed[];
}

/** What a dry run of an import shows, as such a change. */
export function plannedImport({
  addedRecords: added,
  removedRecords: removed,
  notices,
  loss,
}: ImportResult): PlannedChange {
  return { zone: loss.zone, added, removed, notices };
}

const mostRecords = 1000;

/** The notices of one change that was not made, with those of findings. */
export async function withFindings(session: Session, change: PlannedChange): Promise<readonly Notice[]> {
  return [...change.notices, ...((await findingNotices(session, [change])).get(change.zone) ?? [])];
}

/** The notices of the findings that changes would make and correct together, by zone. */
export async function findingNotices(
  session: Session,
  changes: readonly PlannedChange[],
): Promise<ReadonlyMap<string, readonly Notice[]>> {
  const records = changes.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
  if (records === 0 || records > mostRecords) return new Map();
  const concerned = await concernedBy(session, changes);
  const before = await findingsAfter(session, concerned, { isKept: () => true, written: new Map() });
  const after = await findingsAfter(session, concerned, editsOf(changes));
  const only = (those: Map<string, Finding>, others: Map<string, Finding>) =>
    Map.groupBy(
      [...those].flatMap(([at, finding]) => (others.has(at) ? [] : finding)),
      zoneOf(changes),
    );
  const [made, corrected] = [only(after, before), only(before, after)];
  return new Map(
    changes.map(({ zone, notices }) => {
      const isNew = ({ code, owner, type }: Finding) =>
        !notices.some((each) => each.code === code && each.owner === owner && each.type === type);
      const ofMade = noticesOf("FINDING_MADE", made.get(zone)?.filter(isNew) ?? []);
      return [zone, [...ofMade, ...noticesOf("FINDING_CORRECTED", corrected.get(zone) ?? [])]];
    }),
  );
}

/** The changed zone that a finding is shown with: its own, or the one whose host it names. */
const zoneOf = (changes: readonly PlannedChange[]) => (finding: Finding) =>
  (
    changes.find(({ zone }) => zone === finding.zone) ??
    changes.find(({ zone }) => finding.message.includes(`${zone}.`)) ??
    changes[0]
  )?.zone ?? "";

const key = ({ owner, type, rdata }: Changed) => `${owner} ${type} ${rdata}`;

interface Edits {
  isKept(zone: string, record: RuledRecord): boolean;
  /** The records that are added, by zone. */
  readonly written: ReadonlyMap<string, readonly RuledRecord[]>;
}

function editsOf(changes: readonly PlannedChange[]): Edits {
  const gone = new Map(changes.map(({ zone, removed }) => [zone, new Set(removed.map(key))]));
  const written = changes.map(({ zone, added }) => {
    const context = { origin: parseName(`${zone}.`), context: "master" } as const;
    const wireOf = ({ type, rdata }: Changed) => parseRdata(recordType(type), rdata, context);
    return [zone, added.map((record) => ({ ...record, id: undefined, wire: wireOf(record) }))] as const;
  });
  return { isKept: (zone, record) => !gone.get(zone)?.has(key(record)), written: new Map(written) };
}

const mostNames = 1000;

/** The names that changes touch or hide, and those whose records name a host that is touched, with all their records. */
async function concernedBy(session: Session, changes: readonly PlannedChange[]): Promise<ToCheck[]> {
  const touched = changes.flatMap(({ zone, removed, added }) =>
    [...removed, ...added].map(({ owner, type }) => ({
      zone,
      owner,
      isCut: /^(NS|DNAME)$/.test(type) && owner !== "@",
    })),
  );
  const zones = [...new Set(touched.map(({ zone }) => zone))];
  const hosts = new Set(touched.map(({ zone, owner }) => literalPattern(nameText(ownerName(owner, zone)))));
  const patterns = [...hosts].slice(0, 100).flatMap((host) => [`${host}%`, `% ${host}%`]);
  const belowCut = touched.flatMap(({ zone, owner, isCut }) =>
    isCut ? sql`or ${d.zone} = ${zone} and ${isBelow(r.owner, owner)}` : [],
  );
  const from = sql`select ${r.domainId} as id, ${r.owner} from ${r} join ${d} on ${d.id} = ${r.domainId}`;
  const names = await listRows(
    session,
    sql<{ id: number; owner: string }>`
      (${from} where lower(${r.rdata}) like any(${patterns}) and ${domains.sees(session.actor)} limit ${mostNames})
      union (${from} where (${d.zone}, ${r.owner}) in (select * from unnest(
        ${touched.map(({ zone }) => zone)}::text[], ${touched.map(({ owner }) => owner)}::text[]))
        ${sql.join(belowCut, sql` `)} limit ${mostNames})`,
  );
  const records = await recordsAt(session, names);
  const rows = await domainsToCheck(
    session,
    sql`${d.id} = any(${[...records.keys()]}::bigint[]) or ${d.zone} = any(${zones})`,
  );
  return rows.map((row) => ({ row, records: records.get(row.id) ?? [] }));
}

/** The findings about these records after edits, by what they are about. */
async function findingsAfter(session: Session, concerned: readonly ToCheck[], { isKept, written }: Edits) {
  const edited = concerned.map(({ row, records }) => {
    const kept = records.filter((record) => isKept(row.zone, record));
    return { row, records: [...kept, ...(written.get(row.zone) ?? [])] };
  });
  const findings = new Map<string, Finding>();
  for (const { zone } of await checkedZones(session, edited, isKept))
    for (const each of await findingsOf(zone))
      findings.set(`${each.zone} ${each.owner} ${each.type} ${each.code}`, each);
  return findings;
}

/** One notice for each code. */
function noticesOf(code: "FINDING_MADE" | "FINDING_CORRECTED", findings: readonly Finding[]): Notice[] {
  return [...Map.groupBy(findings, (each) => each.code).values()].map((group) => {
    const [first] = group as [Finding];
    const zones = new Set(group.map(({ zone }) => zone)).size;
    const where = `${counted(group.length, "record")} in ${counted(zones, "zone")}`;
    const verb = code === "FINDING_MADE" ? "breaks" : "corrects";
    const message = `This ${verb} ${where} (${first.code}), such as in ${first.zone}: ${first.message}`;
    return { code, message, owner: first.owner, type: first.type };
  });
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
