import { Migration } from "@mikro-orm/migrations";

/** Sets that undo changes know which. */
export class Migration20261123070500 extends Migration {
  override up(): void {
    this.addSql(`alter table "change_set_zone" add column "undoes" bigint null, add column "returns_to" bigint null`);
  }
}
