import { Migration } from "@mikro-orm/migrations";

/** Change sets lose two columns that nothing reads any more, and two have other names. */
export class Migration20261126050000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change_set" drop column "strict_serials", drop column "late_by_seconds"`);
    this.addSql(`alter table "change_set" rename column "approvals_wanted" to "requested_approvals"`);
    this.addSql(`alter table "change_set" rename column "touched_at" to "updated_at"`);
  }
}
