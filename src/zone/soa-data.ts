/**
 * The data of the SOA in SQL. A row of records or of versions holds it with the serial 0: the serial of a zone is in its domain and in its
 * changes alone, so that a change of other records leaves the row of the SOA as it is. Whoever reads the data of records puts the serial in.
 */
import { Reference, table } from "../sql/columns.ts";
import { Domain } from "./domain.ts";

const domain = table(Domain);

/** The columns of a row that has data: of a record, or of a version. */
interface DataRow {
  readonly domainId: Reference<number>;
  readonly type: Reference<string>;
  readonly rdata: Reference<string>;
  readonly wire: Reference<Buffer>;
}

/** The data of a row as text, of an SOA with a serial: `serial` is the SQL of a number, null of a zone that is gone. */
export const rdataWithSerial = ({ type, rdata }: Pick<DataRow, "type" | "rdata">, serial: string) =>
  // Before the serial there are two absolute names, which no number alone is.
  new Reference<string>(
    `case when ${type} = 'SOA' then regexp_replace(${rdata}, ' \\d+ ', ' ' || coalesce(${serial}, 0) || ' ') else ${rdata} end`,
  );

/** The same on the wire: the serial is in the four octets before the last sixteen (RFC 1035 §3.3.13). */
export const wireWithSerial = ({ type, wire }: Pick<DataRow, "type" | "wire">, serial: string) =>
  new Reference<Buffer>(
    `case when ${type} = 'SOA' then overlay(${wire} placing substr(int8send(coalesce(${serial}, 0)), 5) from octet_length(${wire}) - 19 for 4) else ${wire} end`,
  );

const serialNow = ({ domainId }: DataRow) =>
  `(select ${domain.serial} from ${domain} where ${domain.id} = ${domainId})`;

/** The data of a stored record as text, of an SOA with the serial of its zone. */
export const rdataOf = (record: DataRow) => rdataWithSerial(record, serialNow(record));

/** The data of a stored record on the wire, of an SOA with the serial of its zone. */
export const wireOf = (record: DataRow) => wireWithSerial(record, serialNow(record));
