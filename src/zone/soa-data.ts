/**
 * The data of the SOA in SQL. A row of records or of versions holds it with the serial 0: the serial of a zone is in its domain and in its
 * changes alone, so that a change of other records leaves the row of the SOA as it is. Whoever reads the data of records puts the serial in.
 */

import { Columns, Reference, table } from "../sql/columns.ts";
import { type Sql, sql } from "../sql/sql.ts";
import { Domain } from "./domain.ts";

const domain = table(Domain);

/** The columns of a row that has data: of a record, or of a version. */
interface DataRow {
  readonly domainId: Reference<number>;
  readonly type: Reference<string>;
  readonly rdata: Reference<string>;
  readonly wire: Reference<Buffer>;
}

/** The SQL before and after a serial, of the data of a row as text; the serial may be null of a zone that is gone. */
const aroundSerialOfRdata = ({ type, rdata }: Pick<DataRow, "type" | "rdata">) => [
  // Before the serial there are two absolute names, which no number alone is.
  `case when ${type} = 'SOA' then regexp_replace(${rdata}, ' \\d+ ', ' ' || coalesce(`,
  `, 0) || ' ') else ${rdata} end`,
];

/** The same of the data of an SOA on the wire: the serial is in the four octets before the last sixteen (RFC 1035 §3.3.13). */
const aroundSerialOfSoa = (wire: Reference<Buffer> | string) => [
  `overlay(${wire} placing substr(int8send(coalesce(`,
  `, 0)), 5) from octet_length(${wire}) - 19 for 4)`,
];

/** The data of an SOA on the wire with a serial, both the text of SQL. */
export const soaWithSerial = (wire: string, serial: string) => aroundSerialOfSoa(wire).join(serial);

function aroundSerialOfWire({ type, wire }: Pick<DataRow, "type" | "wire">) {
  const [before, after] = aroundSerialOfSoa(wire);
  return [`case when ${type} = 'SOA' then ${before}`, `${after} else ${wire} end`];
}

/** The data of a row as text, of an SOA with a serial, which is the text of SQL. */
export const rdataWithSerial = (row: Pick<DataRow, "type" | "rdata">, serial: string) =>
  new Reference<string>(aroundSerialOfRdata(row).join(serial));

/** The data of a row on the wire, of an SOA with a serial, which is the text of SQL. */
export const wireWithSerial = (row: Pick<DataRow, "type" | "wire">, serial: string) =>
  new Reference<Buffer>(aroundSerialOfWire(row).join(serial));

/** Both, as `rdata` and `wire`, with a serial that is SQL with values. */
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

/** The data of a stored record as text, of an SOA with the serial of its zone. */
export const rdataOf = (record: DataRow) => rdataWithSerial(record, serialNow(record));

/** The data of a stored record on the wire, of an SOA with the serial of its zone. */
export const wireOf = (record: DataRow) => wireWithSerial(record, serialNow(record));

/** Both, as columns. */
export const dataOf = (record: DataRow) =>
  new Columns<{ readonly rdata: string; readonly wire: Buffer }>(
    new Map([
      ["rdata", String(rdataOf(record))],
      ["wire", String(wireOf(record))],
    ]),
  );
