import { Migration } from "@mikro-orm/migrations";

/** The audit, and what removes its oldest entries for a role that may not. */
export class Migration20261123220000 extends Migration {
  override up(): void {
    this.addSql(
      `create sequence "audit_entry_id_seq" increment 16 minvalue 1000000000000000 maxvalue 9007199254740991`,
    );
    this.addSql(`select setval('"audit_entry_id_seq"', (select "origin" + 15 from "id_origin"), false)`);
    this.addSql(`create table "audit_entry" ("id" bigint not null default nextval('"audit_entry_id_seq"') primary key,
      "created_at" timestamptz not null default now(), "actor" text null, "key_id" bigint null, "actor_user_id" bigint null,
      "user_id" bigint null, "door" text not null, "address" text null, "operation" text not null, "zone" text collate "C" null,
      "change_id" bigint null, "subject_id" bigint null, "code" text null, "field" text null, "times" int not null default 1)`);
    this.addSql(`alter sequence "audit_entry_id_seq" owned by "audit_entry"."id"`);
    this.addSql(`create index "audit_entry_user_id_index" on "audit_entry" ("user_id", "id")`);
    this.addSql(
      `create index "audit_entry_actor_user_id_index" on "audit_entry" ("actor_user_id", "id") where "actor_user_id" is distinct from "user_id"`,
    );
    this.addSql(`create index "audit_entry_zone_index" on "audit_entry" ("zone", "id")`);
    this.addSql(`create index "audit_entry_key_id_index" on "audit_entry" ("key_id", "id")`);
    this.addSql(`create index "audit_entry_operation_index" on "audit_entry" ("operation", "id")`);
    this.addSql(`create index "audit_entry_code_index" on "audit_entry" ("code", "id") where "code" is not null`);
    this.addSql(`create index "audit_entry_created_at_index" on "audit_entry" using brin ("created_at")`);
    this.addSql(`create function "prune_audit" ("before" timestamptz, "most" int) returns bigint language sql security definer
      set search_path = ''
      begin atomic
        with "pruned" as (
          delete from "audit_entry" a using (select "id", "created_at" from "audit_entry" order by "id" limit "most") o
          where a."id" = o."id" and o."created_at" < least("before", now() - interval '30 days') returning a."id"
        )
        select count(*) from "pruned";
      end`);
  }
}
