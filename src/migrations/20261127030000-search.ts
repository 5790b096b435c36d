import { Migration } from "@mikro-orm/migrations";

/** Changes are found by their serial, records by their address; earlier versions need not know these indexes. */
export class Migration20261127030000 extends Migration {
  override up(): void {
    this.addSql(`create index "change_serial_index" on "change" ("serial", "id")`);
    this.addSql(
      `create index "zone_record_address_index" on "zone_record" ("type", "wire") where "type" in ('A', 'AAAA')`,
    );
    this.addSql(`insert into "compatible_migration" values ('20261127030000-search', '0.2.0')`);
  }
}
