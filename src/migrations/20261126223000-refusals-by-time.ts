import { Migration } from "@mikro-orm/migrations";

/** The refusals of the last hour are found by an index; earlier versions need not know it. */
export class Migration20261126223000 extends Migration {
  override up(): void {
    this.addSql(`create index "update_refusal_created_at_index" on "update_refusal" ("created_at")`);
    this.addSql(`insert into "compatible_migration" values ('20261126223000-refusals-by-time', '0.2.0')`);
  }
}
