import { Migration } from "@mikro-orm/migrations";

/** Change sets: edits of several zones that are kept, and applied as one. */
export class Migration20261123020000 extends Migration {
  override up(): void {
    this.addSql(`create table "change_set" ("id" bigserial primary key, "title" text not null, "description" text not null,
      "user_id" bigint null, "author" text not null, "author_key_id" bigint null, "state" text not null, "revision" int not null,
      "strict_serials" boolean not null, "created_at" timestamptz not null, "touched_at" timestamptz not null,
      "applied_at" timestamptz null, "applied_by" text null)`);
    this.addSql(
      `alter sequence "change_set_id_seq" minvalue 1000000000000000 start 1000000000000000 restart maxvalue 9007199254740991 increment 16`,
    );
    this.addSql(`select setval('"change_set_id_seq"', (select origin + 9 from "id_origin"), false)`);
    this.addSql(
      `alter table "change_set" add constraint "change_set_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete set null`,
    );
    this.addSql(`create index "change_set_user_id_index" on "change_set" ("user_id", "id")`);
    this.addSql(`create table "change_set_zone" ("change_set_id" bigint not null, "zone" text collate "C" not null,
      "domain_id" bigint null, "action" text not null, "user_id" bigint null, "outcome" text null, "change_id" bigint null,
      primary key ("change_set_id", "zone"))`);
    this.addSql(`create index "change_set_zone_zone_index" on "change_set_zone" ("zone", "change_set_id")`);
    this.addSql(`create table "change_set_edit" ("change_set_id" bigint not null, "zone" text collate "C" not null, "ordinal" int not null,
      "op" text not null, "record_id" bigint null, "base_change_id" bigint null, "owner" text collate "C" not null,
      "type" text collate "C" not null, "ttl" int null, "rdata" text not null, "wire" bytea not null, "digest" bytea not null,
      primary key ("change_set_id", "zone", "ordinal"))`);
    this.addSql(`create table "change_set_event" ("change_set_id" bigint not null, "ordinal" int not null, "kind" text not null,
      "key_id" bigint null, "actor" text not null, "revision" int not null, "text" text not null, "created_at" timestamptz not null,
      primary key ("change_set_id", "ordinal"))`);
    this.addSql(`alter table "change" add column "change_set_id" bigint null`);
    this.addSql(
      `create index "change_change_set_index" on "change" ("change_set_id") where "change_set_id" is not null`,
    );
  }
}
