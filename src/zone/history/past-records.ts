/**
 * What changes did, and what their owners had then, as undoing asks for it: read for one change at a time, or for the changes of many zones
 * together.
 */

import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { sql } from "../../sql/sql.ts";
import type { ChangeRow } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { ZoneRecord } from "../record.ts";
import { allLines } from "./difference.ts";
import { contentOf, isSoa } from "./return-plan.ts";
import { positionOf } from "./shown-difference.ts";
import { type Instant, instantAfter, instantBefore, recordsOfOwners } from "./versions.ts";

const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

/** The name of an RRset. */
export interface Rrset {
  readonly owner: string;
  readonly type: string;
}

/** A record as it was; the serial of an SOA means nothing. */
export interface PastRecord extends Rrset {
  readonly id: number;
  readonly ttl: number;
  readonly wire: Uint8Array;
}

/** The past of zones. */
export interface PastRecords {
  /** The RRsets that a change made others, in the order of a zone; those of `limit` records at most. */
  changed(change: ChangeRow, limit: number): Promise<readonly Rrset[]>;
  /** The records of these owners at an instant. */
  at(instant: Instant, owners: readonly string[]): Promise<readonly PastRecord[]>;
}

/** The past as the database is asked for it, each time. */
export function pastRecords(session: Session): PastRecords {
  return {
    changed: async (change, limit) => {
      const lines = await allLines(session, [instantBefore(change), instantAfter(change)], limit);
      return [...new Map(lines.map(({ owner, type, position }) => [position, { owner, type }])).values()];
    },
    at: (instant, owners) => recordsOfOwners(session, instant, owners),
  };
}

/** A record from the change that began it to the one that ended it, null of one that is there now. */
interface Version extends PastRecord {
  readonly domainId: number;
  readonly since: number;
  readonly until: number | null;
}

/** The content of a record, in the columns that a record and an ended version both have. */
const content = ["owner", "type", "ttl", "wire"] as const;

/** Versions that are held at once. */
const maxVersions = 50_000;

/** The past of the owners that some changes touched, since before them, held in memory. */
export class PastOfMany implements PastRecords {
  readonly #byOwner: ReadonlyMap<string, readonly Version[]>;
  readonly #byChange: ReadonlyMap<string, readonly Version[]>;
  readonly #versions: readonly Version[];

  private constructor(versions: readonly Version[]) {
    this.#versions = versions;
    this.#byOwner = Map.groupBy(versions, ({ domainId, owner }) => `${domainId} ${owner}`);
    this.#byChange = byChange(versions);
  }

  /** Reads the past of all these changes by one statement; undefined when there is too much of it. */
  static async read(session: Session, changes: readonly ChangeRow[]): Promise<PastOfMany | undefined> {
    const listed = JSON.stringify(changes.map(({ id, domainId }) => ({ id, domain: domainId })));
    const query = sql<Version>`
      with changed as (select domain, id from json_to_recordset(${listed}::json) as c(domain bigint, id bigint)),
      beginning as (select domain, min(id) as id from changed group by domain),
      touched as materialized (
        select distinct c.domain, t.owner from changed c cross join lateral (
          select ${v.owner} from ${v} where ${v.domainId} = c.domain and ${v.changeId} = c.id
          union select ${v.owner} from ${v} where ${v.domainId} = c.domain and ${v.since} = c.id
          union select ${r.owner} from ${r} where ${r.domainId} = c.domain and ${r.changeId} = c.id
        ) t(owner) limit ${maxVersions + 1}
      )
      select l.* from touched t join beginning b on b.domain = t.domain cross join lateral (
        select ${r.id} as id, ${r.domainId} as "domainId", ${r.columns(...content)}, ${r.changeId} as since, null::bigint as "until"
        from ${r} where ${r.domainId} = t.domain and ${r.owner} = t.owner
        union all
        select ${v.recordId}, ${v.domainId}, ${v.columns(...content)}, ${v.since}, ${v.changeId}
        from ${v} where ${v.domainId} = t.domain and ${v.owner} = t.owner and ${v.changeId} >= b.id
      ) l limit ${maxVersions + 1}`;
    const rows = await query.run(session);
    return rows.length > maxVersions ? undefined : new PastOfMany(rows);
  }

  /** The owners and the records of each domain that there is something of, by its id. */
  get touched(): ReadonlyMap<number, { readonly owners: readonly string[]; readonly ids: readonly number[] }> {
    const byDomain = Map.groupBy(this.#versions, ({ domainId }) => domainId);
    const distinct = <Value>(values: readonly Value[]) => [...new Set(values)];
    return new Map(
      [...byDomain].map(([domainId, versions]) => [
        domainId,
        { owners: distinct(versions.map(({ owner }) => owner)), ids: distinct(versions.map(({ id }) => id)) },
      ]),
    );
  }

  async changed(change: ChangeRow): Promise<readonly Rrset[]> {
    const { domainId, id } = change;
    const versions = this.#byChange.get(`${domainId} ${id}`) ?? [];
    const rrsets = new Map(versions.map(({ owner, type }) => [positionOf({ owner, type }), { owner, type }]));
    const contents = async (instant: Instant, { owner, type }: Rrset) => {
      const ofRrset = (await this.at(instant, [owner])).filter((record) => record.type === type);
      return ofRrset.map(exactly).toSorted().join("\n");
    };
    const changed: [string, Rrset][] = [];
    for (const [position, rrset] of rrsets) {
      const before = await contents(instantBefore(change), rrset);
      if (before !== (await contents(instantAfter(change), rrset))) changed.push([position, rrset]);
    }
    return changed.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rrset]) => rrset);
  }

  async at({ domainId, changeId }: Instant, owners: readonly string[]): Promise<readonly PastRecord[]> {
    const isThere = ({ since, until }: Version) => since <= changeId && (until === null || until > changeId);
    return owners.flatMap((owner) => (this.#byOwner.get(`${domainId} ${owner}`) ?? []).filter(isThere));
  }
}

/** The versions that each change began or ended, by its domain and id. */
function byChange(versions: readonly Version[]): ReadonlyMap<string, readonly Version[]> {
  const ends = versions.flatMap((version) =>
    [version.since, version.until].map((change) => ({ key: `${version.domainId} ${change}`, version })),
  );
  const groups = Map.groupBy(ends, ({ key }) => key);
  return new Map([...groups].map(([key, group]) => [key, group.map(({ version }) => version)]));
}

/** A record as it is written, of an SOA without its serial. */
const exactly = (record: PastRecord) =>
  isSoa(record) ? contentOf(record) : `${record.ttl} ${Buffer.from(record.wire).toString("hex")}`;
