import { Migration } from "@mikro-orm/migrations";

/** The audit of dynamic updates that were turned down. */
export class Migration20261121200000 extends Migration {
  override up(): void {
    this.addSql(`create table "update_refusal" ("id" bigserial primary key, "domain_id" bigint null, "zone" text not null, "code" text not null,
      "rcode" text not null, "reason" text not null, "address" text not null, "protocol" text not null, "key_name" text null,
      "algorithm" text null, "asked" text[] not null, "created_at" timestamptz not null default now())`);
    this.addSql(
      `alter table "update_refusal" add constraint "update_refusal_domain_id_foreign" foreign key ("domain_id") references "domain" ("id") on delete cascade`,
    );
    this.addSql(`create index "update_refusal_domain_id_id_index" on "update_refusal" ("domain_id", "id")`);
    this.addSql(
      `alter sequence "update_refusal_id_seq" minvalue 1000000000000000 start 1000000000000000 restart maxvalue 9007199254740991`,
    );
  }
}
