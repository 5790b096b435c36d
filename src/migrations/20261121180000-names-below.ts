import { Migration } from "@mikro-orm/migrations";

/** Whether anything stands below a name: a question of every negative answer, so it needs an index of its own. */
export class Migration20261121180000 extends Migration {
  override up(): void {
    this.addSql(`create index "record_below_index" on "record" ("domain_id", reverse("owner") collate "C")`);
  }
}
