import { Migration } from "@mikro-orm/migrations";

/** The change that undid a change is found by an index; earlier versions need not know it. */
export class Migration20261126220000 extends Migration {
  override up(): void {
    this.addSql(`create index "change_undoes_index" on "change" ("undoes", "id") where "undoes" is not null`);
    this.addSql(`insert into "compatible_migration" values ('20261126220000-undone-changes', '0.2.0')`);
  }
}
