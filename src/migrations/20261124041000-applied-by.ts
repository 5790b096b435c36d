import { Migration } from "@mikro-orm/migrations";

/** The journal keeps who applied a change set beside who created it. */
export class Migration20261124041000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change" add column "applied_by" text null`);
    this.addSql(`update "change" c set "applied_by" = s.applied_by from "change_set" s where s.id = c.change_set_id`);
  }
}
