import { Migration } from "@mikro-orm/migrations";

/** Finds the change sets that have been over for so long that they are not kept any more. */
export class Migration20261124030000 extends Migration {
  override up(): void {
    this.addSql(
      `create index "change_set_ended_index" on "change_set" ("touched_at") where "state" in ('APPLIED', 'PARTIAL', 'CANCELLED', 'EXPIRED')`,
    );
  }
}
