/**
 * The findings that changes would make or correct together, in their zones and in others that name their hosts, as notices of previews and dry
 * runs. There are none for changes of more than 1,000 records, and in zones that are not checked at once.
 */
import { nameText, ownerName, parseName } from "../dns/name.ts";
import { parseRdata } from "../dns/rdata/rdata.ts";
import { recordType } from "../dns/rdata/record-type-registry.ts";
import type { Session } from "../session/session.ts";
import { sql } from "../sql/sql.ts";
import type { Notice, WithNotices } from "../zone/edit/notice.ts";
import type { RuledRecord } from "../zone/edit/rules.ts";
import type { ImportResult } from "../zone/master-file/import.ts";
import { CheckedZone } from "./checked-zone.ts";
import { aboutZone, d, domainsNaming, type Edit, partsFrom, recordsAtATime } from "./find.ts";
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
  const before = await findingsAfter(session, changes, (_zone, stored) => stored);
  const after = await findingsAfter(session, changes, edit(changes));
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

function edit(changes: readonly PlannedChange[]): Edit {
  const edits = changes.map(({ zone, removed, added }) => {
    const context = { origin: parseName(`${zone}.`), context: "master" } as const;
    const written = added.map((each) => ({
      ...each,
      id: undefined,
      wire: parseRdata(recordType(each.type), each.rdata, context),
    }));
    return [zone, { gone: new Set(removed.map(key)), written }] as const;
  });
  const byZone = new Map(edits);
  return (zone, records) => {
    const { gone, written = [] } = byZone.get(zone) ?? {};
    return [...records.filter((record) => !gone?.has(key(record))), ...written];
  };
}

/** The findings in the zones of changes, and of other zones' records that name their hosts, when the records are edited. */
async function findingsAfter(session: Session, changes: readonly PlannedChange[], edited: Edit) {
  const names = changes.map(({ zone }) => zone);
  const hosts = changes.flatMap(({ zone, removed, added }) =>
    [...removed, ...added].map(({ owner }) => nameText(ownerName(owner, zone))),
  );
  const naming = await domainsNaming(session, names, [...new Set(hosts)]);
  const findings = new Map<string, Finding>();
  const addAll = async (zone: CheckedZone) => {
    for (const each of await findingsOf(zone))
      findings.set(`${each.zone} ${each.owner} ${each.type} ${each.code}`, each);
  };
  const only = sql`${d.zone} = any(${names}) and ${d.recordCount} <= ${recordsAtATime}`;
  for await (const { zone } of partsFrom(session, only, ["", ""], edited)) {
    await addAll(zone);
    for (const [row, records] of naming) await addAll(new CheckedZone(aboutZone(row), records, zone.world, []));
  }
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
