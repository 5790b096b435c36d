import { Migration } from "@mikro-orm/migrations";

/** Templates of zones, and what a domain remembers of the one that it was made of. */
export class Migration20261123050000 extends Migration {
  override up(): void {
    this.addSql(
      `create sequence "zone_template_id_seq" increment 16 minvalue 1000000000000000 maxvalue 9007199254740991`,
    );
    this.addSql(`select setval('"zone_template_id_seq"', (select "origin" + 10 from "id_origin"), false)`);
    this.addSql(`create table "zone_template" ("id" bigint not null default nextval('"zone_template_id_seq"') primary key, "user_id" bigint null,
      "name" text collate "C" not null, "description" text not null, "revision" int not null, "variables" jsonb not null, "records" jsonb not null)`);
    this.addSql(`alter sequence "zone_template_id_seq" owned by "zone_template"."id"`);
    this.addSql(
      `alter table "zone_template" add constraint "zone_template_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
    );
    this.addSql(`create unique index "zone_template_name_index" on "zone_template" (coalesce("user_id", 0), "name")`);
    this.addSql(`alter table "domain" add column "template" jsonb null`);
    this.addSql(`alter table "deleted_domain" add column "template" jsonb null`);
  }
}
