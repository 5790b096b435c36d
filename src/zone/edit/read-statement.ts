/**
 * The statements that read the part of a zone that an edit needs: the domain, the records of some owners, and the records of some ids
 * with all records at and above their owners. One statement, written once, reads one zone; the other reads many.
 */

import { type Actor, seesZone } from "../../session/authorization.ts";
import type { Session } from "../../session/session.ts";
import { table } from "../../sql/columns.ts";
import { readOne, StatementForms } from "../../sql/single-statement.ts";
import { slot, slottedStatement } from "../../sql/slot.ts";
import { type Sql, sql } from "../../sql/sql.ts";
import { Domain, type StoredDomain } from "../domain.ts";
import { ZoneRecord } from "../record.ts";
import { rdataWithSerial, wireWithSerial } from "../soa-data.ts";

const d = table(Domain, "d");
const r = table(ZoneRecord, "r");
const record = table(ZoneRecord);
const serial = String(d.serial);

interface Wanted {
  readonly owners: readonly string[];
  readonly ids: readonly number[];
}

/** A zone to read: by its name, or by the id of a locked domain. */
interface Reading extends Wanted {
  readonly actor: Actor;
  readonly zone: string;
  readonly id: number | undefined;
}

export type ZoneTuple = readonly [
  ...[id: number, zone: string, serial: number, userId: number | null],
  ...[recordCount: number, metered: boolean, createdAt: string],
  ...[review: StoredDomain["review"], demands: StoredDomain["demands"]],
  records: readonly RecordTuple[],
];

/** The columns of a record; wire and digest are hexadecimal. */
export type RecordTuple = readonly [number, string, string, number, string, string, string];

/** Reads a zone; returns undefined when the actor does not see it. */
export function readZone(session: Session, reading: Reading): Promise<ZoneTuple | undefined> {
  const { actor, ids, id } = reading;
  const form = { actor, isLocked: id !== undefined, hasIds: ids.length > 0 };
  const key = `${actor.role} ${actor.zones !== undefined} ${form.isLocked} ${form.hasIds}`;
  return readOne<ZoneTuple, Reading>(session, readings.of(key, form), reading);
}

/** Reads zones by name, in one statement; zones that the session's actor does not see are missing. */
export async function readZones(session: Session, wanted: ReadonlyMap<string, Wanted>): Promise<ZoneTuple[]> {
  const zones = JSON.stringify([...wanted].map(([zone, { owners, ids }]) => ({ zone, owners, ids })));
  const query = sql<{ row: string }>`
    select ${zoneTuple(sql`w.owners`, sql`w.ids`)}::text as row
    from json_to_recordset(${zones}::json) as w(zone text, owners json, ids json)
    join ${d} on ${d.zone} = w.zone and ${seesZone(session.actor, d.userId, d.zone)}`;
  const rows = await query.run(session);
  return rows.map(({ row }) => JSON.parse(row) as ZoneTuple);
}

const ofReading = <Value>(read: (reading: Reading) => Value): Value => slot<Value, Reading>(read);

const readings = new StatementForms<{ actor: Actor; isLocked: boolean; hasIds: boolean }, Reading>(
  ({ actor: { zones, ...actor }, isLocked, hasIds }) => {
    const owners = ofReading(({ owners }) => JSON.stringify(owners));
    const ids = ofReading(({ ids }) => JSON.stringify(ids));
    const actorSlots = {
      ...actor,
      userId: ofReading((reading) => reading.actor.userId),
      ...(zones && { zones: ofReading((reading) => reading.actor.zones as readonly string[]) }),
    };
    const condition = isLocked
      ? sql`${d.id} = ${ofReading(({ id }) => id)}`
      : sql`${d.zone} = ${ofReading(({ zone }) => zone)} and ${seesZone(actorSlots, d.userId, d.zone)}`;
    return slottedStatement(sql`
      select ${zoneTuple(sql`${owners}::json`, hasIds ? sql`${ids}::json` : undefined)}::text as row
      from ${d} where ${condition}`);
  },
);

/** The SQL of a ZoneTuple of domain `d`; both lists are JSON. */
function zoneTuple(owners: Sql, ids: Sql | undefined): Sql {
  const wanted = sql`array(${listed(owners)}${ids ? sql` union ${aroundIds(ids)}` : sql``})`;
  return sql`json_build_array(${d.id}, ${d.zone}, ${d.serial}, ${d.userId}, ${d.recordCount}, ${d.metered}, ${d.createdAt}, ${d.review}, ${d.demands}, coalesce((
    select json_agg(json_build_array(${r.id}, ${r.owner}, ${r.type}, ${r.ttl}, ${rdataWithSerial(r, serial)}, encode(${wireWithSerial(r, serial)}, 'hex'),
      encode(${r.digest}, 'hex')) order by ${r.id})
    from ${r} where ${r.domainId} = ${d.id} and ${r.owner} = any(${wanted})
  ), '[]'))`;
}

/**
 * The elements of a JSON array as rows. With an array parameter PostgreSQL would plan the statement again for each length; it does not
 * look into JSON.
 */
const listed = (json: Sql) => sql`select json_array_elements_text(${json})`;

function aroundIds(ids: Sql) {
  return sql`
    select array_to_string(labels[n:], '.') from ${record}, string_to_array(${record.owner}, '.') labels,
      generate_series(1, cardinality(labels)) n
    where ${record.domainId} = ${d.id} and ${record.id} = any(array(${listed(ids)})::bigint[])`;
}
