import { Migration } from "@mikro-orm/migrations";

/** What was wrong at the parents and name servers of zones when they were asked last. Earlier versions need not know the table. */
export class Migration20261128190000 extends Migration {
  override up(): void {
    this.addSql(`create table "server_check" (
      "domain_id" bigint not null primary key, "checked_at" timestamptz not null, "found" jsonb not null,
      constraint "server_check_domain_id_foreign" foreign key ("domain_id") references "domain" ("id")
        on update cascade on delete cascade)`);
    this.addSql(`create index "server_check_checked_at_index" on "server_check" ("checked_at")`);
    this.addSql(`insert into "compatible_migration" values ('20261128190000-server-check', '1.0.0')`);
  }
}
