import { Migration } from "@mikro-orm/migrations";

/** What instances share: the signed updates that were answered, and counts of requests. Earlier versions need not know these tables. */
export class Migration20261128050000 extends Migration {
  override up(): void {
    this.addSql(`create table "signed_update" ("mark" text collate "C" not null primary key, "rcode" smallint not null,
      "until" timestamptz not null)`);
    this.addSql(`create unlogged table "request_count" ("name" text collate "C" not null primary key,
      "count" integer not null, "ends_at" timestamptz not null)`);
    this.addSql(`insert into "compatible_migration" values ('20261128050000-shared-memory', '0.2.0')`);
  }
}
