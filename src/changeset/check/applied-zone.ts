/** The changes that a change set has made in its zones, from the journal. The preview shows them for zones with an outcome. */

import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import { ChangeKind, type ChangeRow, changesByIds } from "../../zone/change.ts";
import { ChangeRecord, changedRecords } from "../../zone/change-record.ts";
import type { Notice } from "../../zone/edit/notice.ts";
import { shownDifference } from "../../zone/history/shown-difference.ts";
import type { ChangeSetZoneRow } from "../contents.ts";
import type { CheckedZone } from "./check-zone.ts";

const v = table(ChangeRecord, "v");

interface DoneRecord extends Pick<ChangeRecord, "changeId" | "owner" | "type" | "ttl" | "rdata" | "wire"> {
  readonly id: number;
  readonly removed: boolean;
}

/** The zones of a set that have an outcome. A notice says when the journal no longer keeps the change of a zone. */
export async function appliedZones(session: Session, zones: readonly ChangeSetZoneRow[]): Promise<CheckedZone[]> {
  const ids = zones.flatMap(({ changeId }) => changeId ?? []);
  if (zones.length === 0) return [];
  const changes = new Map((await changesByIds(session, ids)).map((change) => [change.id, change]));
  const records = Map.groupBy(await recordsOf(session, [...changes.values()]), ({ changeId }) => changeId);
  return zones.map((zone) => appliedZone(zone, changes.get(zone.changeId ?? 0), records.get(zone.changeId ?? 0) ?? []));
}
const unknownChange: Notice = {
  code: "UNKNOWN_CHANGE",
  message: "The change of this zone is no longer in the journal, or this key may not see it.",
};

function appliedZone(
  staged: ChangeSetZoneRow,
  change: ChangeRow | undefined,
  records: readonly DoneRecord[],
): CheckedZone {
  const isGone = staged.changeId !== null && !change;
  const [removed, added] = [records.filter((each) => each.removed), records.filter((each) => !each.removed)];
  const rrsets = change ? shownDifference({ change, removed, added }) : [];
  const lines = rrsets.flatMap((rrset) => rrset.lines);
  const isDeletion = staged.action === ChangeKind.DELETE;
  return {
    staged,
    serial: change?.serial ?? null,
    conflicts: [],
    refusals: staged.reasons ?? [],
    notices: isGone ? [unknownChange] : [],
    dropped: [],
    rrsets: isDeletion ? [] : rrsets,
    removedCount: isDeletion ? removed.length : lines.filter((line) => line.removed).length,
    addedCount: lines.filter((line) => !line.removed).length,
    fingerprint: staged.fingerprint ?? "",
    checked: undefined,
    charge: undefined,
  };
}

async function recordsOf(session: Session, changes: readonly ChangeRow[]): Promise<DoneRecord[]> {
  const listed = JSON.stringify(changes.map(({ id, domainId }) => ({ id, domain: domainId })));
  const query = sql<DoneRecord>`
    select d.* from json_to_recordset(${listed}::json) as c(id bigint, domain bigint) cross join lateral (
      select ${v.columns("changeId", "owner", "type", "ttl", "rdata", "wire")}, ${v.recordId} as id, v.removed
      from ${sql.raw(changedRecords)} v where ${v.domainId} = c.domain and ${v.changeId} = c.id order by ${v.ordinal}
    ) d`;
  return query.run(session);
}
