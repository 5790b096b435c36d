/**
 * The past that undoing needs: the owners that changes touched, and the records of these owners at an instant. It is read for one change
 * at a time, or for the changes of many zones together.
 */

import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import type { ChangeRow } from "../change.ts";
import { ChangeRecord } from "../change-record.ts";
import { ZoneRecord } from "../record.ts";
import { type Instant, recordsOfOwners } from "./versions.ts";

const r = table(ZoneRecord, "r");
const v = table(ChangeRecord, "v");

export interface Rrset {
  readonly owner: string;
  readonly type: string;
}

/** A record at an instant; the serial of an SOA has no meaning. */
export interface PastRecord extends Rrset {
  readonly id: number;
  readonly ttl: number;
  readonly wire: Uint8Array;
}

export interface PastRecords {
  touched(change: ChangeRow, limit: number): Promise<readonly string[]>;
  at(instant: Instant, owners: readonly string[]): Promise<readonly PastRecord[]>;
}

const ownersTouched = (domainId: Sql, changeId: Sql) => sql`
  select ${v.owner} from ${v} where ${v.domainId} = ${domainId} and ${v.changeId} = ${changeId}
  union select ${v.owner} from ${v} where ${v.domainId} = ${domainId} and ${v.since} = ${changeId}
  union select ${r.owner} from ${r} where ${r.domainId} = ${domainId} and ${r.changeId} = ${changeId}`;

export function pastRecords(session: Session): PastRecords {
  return {
    touched: async ({ domainId, id }, limit) => {
      const query = sql<{ owner: string }>`${ownersTouched(sql`${domainId}`, sql`${id}`)} limit ${limit}`;
      return (await query.run(session)).map(({ owner }) => owner);
    },
    at: (instant, owners) => recordsOfOwners(session, instant, owners),
  };
}

/** A record from the change that began it to the change that ended it; `until` is null for the present record. */
interface Version extends PastRecord {
  readonly domainId: number;
  readonly since: number;
  readonly until: number | null;
}

const content = ["owner", "type", "ttl", "wire"] as const;

const maxVersions = 50_000;

/** The past, since before the earliest of some changes, of the owners that they touched; held in memory. */
export class PastOfMany implements PastRecords {
  readonly #byOwner: ReadonlyMap<string, readonly Version[]>;
  readonly #byChange: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #versions: readonly Version[];

  private constructor(versions: readonly Version[]) {
    this.#versions = versions;
    this.#byOwner = Map.groupBy(versions, ({ domainId, owner }) => `${domainId} ${owner}`);
    this.#byChange = ownersByChange(versions);
  }

  /** Reads the past of these changes by one statement; returns undefined when it has more than `maxVersions` versions. */
  static async read(session: Session, changes: readonly ChangeRow[]): Promise<PastOfMany | undefined> {
    const listed = JSON.stringify(changes.map(({ id, domainId }) => ({ id, domain: domainId })));
    const query = sql<Version>`
      with changed as (select domain, id from json_to_recordset(${listed}::json) as c(domain bigint, id bigint)),
      beginning as (select domain, min(id) as id from changed group by domain),
      touched as materialized (
        select distinct c.domain, t.owner from changed c
        cross join lateral (${ownersTouched(sql`c.domain`, sql`c.id`)}) t(owner) limit ${maxVersions + 1}
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

  get held(): ReadonlyMap<number, { readonly owners: readonly string[]; readonly ids: readonly number[] }> {
    const byDomain = Map.groupBy(this.#versions, ({ domainId }) => domainId);
    const distinct = <Value>(values: readonly Value[]) => [...new Set(values)];
    return new Map(
      [...byDomain].map(([domainId, versions]) => [
        domainId,
        { owners: distinct(versions.map(({ owner }) => owner)), ids: distinct(versions.map(({ id }) => id)) },
      ]),
    );
  }

  async touched({ domainId, id }: ChangeRow): Promise<readonly string[]> {
    return [...(this.#byChange.get(`${domainId} ${id}`) ?? [])];
  }

  async at({ domainId, changeId }: Instant, owners: readonly string[]): Promise<readonly PastRecord[]> {
    const isThere = ({ since, until }: Version) => since <= changeId && (until === null || until > changeId);
    return owners.flatMap((owner) => (this.#byOwner.get(`${domainId} ${owner}`) ?? []).filter(isThere));
  }
}

function ownersByChange(versions: readonly Version[]): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>();
  for (const { domainId, owner, since, until } of versions)
    for (const change of [since, until]) {
      const key = `${domainId} ${change}`;
      owners.set(key, (owners.get(key) ?? new Set()).add(owner));
    }
  return owners;
}
