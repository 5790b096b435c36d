import { Migration } from "@mikro-orm/migrations";

/** Finds deleted zones below a name: they are kept for their user for a while. */
export class Migration20261122020000 extends Migration {
  override up(): void {
    this.addSql(`create index "deleted_domain_reverse_index" on "deleted_domain" (reverse("zone") collate "C")`);
  }
}
