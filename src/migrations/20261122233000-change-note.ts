import { Migration } from "@mikro-orm/migrations";

/** Why a change was made, as its author wrote it. Changes from before have no note. */
export class Migration20261122233000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change" add column "note" text null`);
  }
}
