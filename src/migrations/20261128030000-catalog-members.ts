import { Migration } from "@mikro-orm/migrations";

/** A member of the catalog is found by its zone; earlier versions need not know this index. */
export class Migration20261128030000 extends Migration {
  override up(): void {
    this.addSql(
      `create index "zone_record_member_index" on "zone_record" ("rdata") where "type" = 'PTR' and "ttl" = 0`,
    );
    this.addSql(`insert into "compatible_migration" values ('20261128030000-catalog-members', '0.2.0')`);
  }
}
