import { Migration } from "@mikro-orm/migrations";

/** The last transfers to secondaries are found by their time. */
export class Migration20261123230000 extends Migration {
  override up(): void {
    this.addSql(`create index "transferred_zone_transferred_at_index" on "transferred_zone" ("transferred_at")`);
  }
}
