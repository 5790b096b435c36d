import { Migration } from "@mikro-orm/migrations";

/** When a secondary first had all zones; those that are there have joined. */
export class Migration20261124080000 extends Migration {
  override up(): void {
    this.addSql(`alter table "secondary" add column "joined_at" timestamptz null`);
    this.addSql(`update "secondary" set "joined_at" = "created_at"`);
  }
}
