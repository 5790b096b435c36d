import { Migration } from "@mikro-orm/migrations";

/** The zone that a secondary was last asked for. */
export class Migration20261123195000 extends Migration {
  override up(): void {
    this.addSql(`alter table "secondary" add column "query_zone" text null`);
  }
}
