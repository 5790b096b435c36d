import { Migration } from "@mikro-orm/migrations";

/** Labels of domains, which a deleted domain keeps until it comes back. */
export class Migration20261123040000 extends Migration {
  override up(): void {
    this.addSql(`alter table "domain" add column "labels" jsonb not null default '{}'`);
    this.addSql(`alter table "deleted_domain" add column "labels" jsonb not null default '{}'`);
    this.addSql(`create index "domain_labels_index" on "domain" using gin ("labels")`);
  }
}
