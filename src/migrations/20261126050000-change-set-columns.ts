import { Migration } from "@mikro-orm/migrations";

/** Change sets whose staleness depends on serials, and the lateness of an application, are no more. */
export class Migration20261126050000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change_set" drop column "strict_serials", drop column "late_by_seconds"`);
  }
}
