import { Migration } from "@mikro-orm/migrations";

/** The template that a part of a change set applies, which its domain remembers. */
export class Migration20261123140000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change_set_zone" add column "template" jsonb null`);
  }
}
