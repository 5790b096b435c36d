/** The migration that takes serials out of the rows of SOAs (20261125170000), on what the service wrote before it. */
import { expect, test } from "@jest/globals";
import { openDatabase } from "../../../src/service/database/open-database.ts";
import { emptyDatabase, query } from "../../setup/database/database.ts";

const wire = (serial: string) => `decode('0000' || lpad(to_hex(${serial}), 8, '0') || repeat('00', 16), 'hex')`;

/** A zone of four changes, of which the third gave the SOA another TTL, and a staged edit of the SOA as it is. */
const data = [
  "insert into domain (id, zone, serial) values (7, 'example.com', 4)",
  `insert into change (id, domain_id, zone, kind, previous_serial, serial, actor, door)
    select n, 7, 'example.com', case n when 1 then 'CREATE' else 'EDIT' end, nullif(n - 1, 0), n, 'x', 'rest' from generate_series(1, 4) n`,
  `insert into zone_record (id, domain_id, owner, type, ttl, rdata, wire, digest, change_id, change_ordinal)
    values (5, 7, '@', 'SOA', 60, '. . 4 0 0 0 0', ${wire("4")}, '\\x01', 4, 2)`,
  `insert into change_record (change_id, ordinal, domain_id, record_id, since, since_ordinal, owner, type, ttl, rdata, wire)
    select n + 1, 1, 7, 5, n, case n when 1 then 1 else 2 end, '@', 'SOA', case n when 3 then 60 else 3600 end, '. . ' || n || ' 0 0 0 0',
      ${wire("n")} from generate_series(1, 3) n`,
  `insert into change_set_zone (change_set_id, zone, domain_id, action) values (9, 'example.com', 7, 'EDIT')`,
  `insert into change_set_edit (change_set_id, zone, ordinal, op, record_id, base_change_id, owner, type, ttl, rdata, wire, digest)
    values (9, 'example.com', 1, 'UPDATE', 5, 4, '@', 'SOA', 90, '. . 4 0 0 0 0', ${wire("4")}, '\\x01')`,
];

test("versions of an SOA that differ in their serials alone become one, which a staged edit is of then", async () => {
  const url = await emptyDatabase();
  const orm = await openDatabase({ url });
  try {
    await orm.migrator.up({ to: "20261125030000-transfer-order" });
    for (const statement of data) await query(url, statement);
    await orm.migrator.up();
    const columns = "ttl, rdata, encode(wire, 'hex') as wire";
    const soa = { rdata: ". . 0 0 0 0 0", wire: "00".repeat(22) };
    expect(await query(url, `select change_id, since, since_ordinal, ${columns} from change_record`)).toEqual([
      { change_id: "3", since: "1", since_ordinal: 1, ttl: 3600, ...soa },
    ]);
    const record = `select change_id, change_ordinal, ${columns}, digest = sha256(wire) as "isDigest" from zone_record`;
    expect(await query(url, record)).toEqual([{ change_id: "3", change_ordinal: 2, ttl: 60, ...soa, isDigest: true }]);
    expect(await query(url, "select base_change_id from change_set_edit")).toEqual([{ base_change_id: "3" }]);
  } finally {
    await orm.close(true);
  }
});
