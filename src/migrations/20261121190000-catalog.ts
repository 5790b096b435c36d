import { Migration } from "@mikro-orm/migrations";

/** The guard of the catalog against a sudden shrink; when a serial was first sighted, and whether it is ahead of ours. */
export class Migration20261121190000 extends Migration {
  override up(): void {
    this.addSql(`create table "catalog_guard" ("id" int not null, "revision" bigint not null, "held_since" timestamptz null,
      "members" int null, "removals" int null, "confirmed_removals" int null, primary key ("id"))`);
    this.addSql(`insert into "catalog_guard" ("id", "revision") values (1, 0)`);
    this.addSql(`alter table "sighting" add column "serial_at" timestamptz null`);
    this.addSql(`alter table "sighting" add column "is_ahead" boolean not null default false`);
  }
}
