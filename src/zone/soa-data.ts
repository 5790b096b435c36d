/**
 * SOA data in SQL. Rows of records and versions hold an SOA with serial 0: only domains and changes have serials, so a change of other
 * records leaves the SOA's row alone. Reads of record data insert the serial.
 */

import { Columns, Reference, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Domain } from "./domain.ts";

const domain = table(Domain);

interface DataRow {
  readonly domainId: Reference<number>;
  readonly type: Reference<string>;
  readonly rdata: Reference<string>;
  readonly wire: Reference<Buffer>;
}

/** The SQL before and after the serial in the text of a row's data; the serial may be null for a deleted zone. */
const aroundSerialOfRdata = ({ type, rdata }: Pick<DataRow, "type" | "rdata">) => [
  // Two absolute names precede the serial; neither is a bare number.
  `case when ${type} = 'SOA' then regexp_replace(${rdata}, ' \\d+ ', ' ' || coalesce(`,
  `, 0) || ' ') else ${rdata} end`,
];

/** The SQL before and after the serial in SOA wire data: the four octets before the last sixteen (RFC 1035 §3.3.13). */
const aroundSerialOfSoa = (wire: Reference<Buffer> | string) => [
  `overlay(${wire} placing substr(int8send(coalesce(`,
  `, 0)), 5) from octet_length(${wire}) - 19 for 4)`,
];

export const soaWithSerial = (wire: string, serial: string) => aroundSerialOfSoa(wire).join(serial);

function aroundSerialOfWire({ type, wire }: Pick<DataRow, "type" | "wire">) {
  const [before, after] = aroundSerialOfSoa(wire);
  return [`case when ${type} = 'SOA' then ${before}`, `${after} else ${wire} end`];
}

/** The SQL of a row's data as text; an SOA gets `serial`, which is SQL. */
export const rdataWithSerial = (row: Pick<DataRow, "type" | "rdata">, serial: string) =>
  new Reference<string>(aroundSerialOfRdata(row).join(serial));

/** The SQL of a row's wire data; an SOA gets `serial`, which is SQL. */
export const wireWithSerial = (row: Pick<DataRow, "type" | "wire">, serial: string) =>
  new Reference<Buffer>(aroundSerialOfWire(row).join(serial));

/** The SQL of `rdata` and `wire` with a serial that is SQL with values. */
export const dataWithSerial = (row: Pick<DataRow, "type" | "rdata" | "wire">, serial: Sql) => {
  const [rdata, wire] = [aroundSerialOfRdata(row), aroundSerialOfWire(row)].map((around) =>
    sql.join(
      around.map((text) => sql.raw(text)),
      serial,
    ),
  );
  return sql`${rdata} as rdata, ${wire} as wire`;
};

const serialNow = ({ domainId }: DataRow) =>
  `(select ${domain.serial} from ${domain} where ${domain.id} = ${domainId})`;

/** The SQL of a stored record's data as text; an SOA has the serial of its zone. */
export const rdataOf = (record: DataRow) => rdataWithSerial(record, serialNow(record));

/** The SQL of a stored record's wire data; an SOA has the serial of its zone. */
export const wireOf = (record: DataRow) => wireWithSerial(record, serialNow(record));

export const dataOf = (record: DataRow) =>
  new Columns<{ readonly rdata: string; readonly wire: Buffer }>(
    new Map([
      ["rdata", String(rdataOf(record))],
      ["wire", String(wireOf(record))],
    ]),
  );
