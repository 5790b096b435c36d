import { Migration } from "@mikro-orm/migrations";

/** Secondaries, TSIG keys and what was sighted; a catalog member id for every domain, and room for the catalog, which has no owner. */
export class Migration20261121120000 extends Migration {
  override up(): void {
    this.addSql(`alter table "domain" alter column "user_id" drop not null`);
    this.addSql(`alter table "domain" add column "member_id" uuid not null default gen_random_uuid()`);
    this.addSql(`alter table "domain" add constraint "domain_member_id_key" unique ("member_id")`);
    this.addSql(`alter table "deleted_domain" alter column "user_id" drop not null`);

    this.addSql(`create table "tsig_key" ("id" bigserial primary key, "name" text collate "C" not null, "algorithm" text not null,
      "secret" bytea not null, "is_sealed" boolean not null, "user_id" bigint null, "zones" text[] null, "owners" text[] null, "types" text[] null,
      "transfer" boolean not null default true, "expires_at" timestamptz null, "revoked_at" timestamptz null,
      "created_at" timestamptz not null default now())`);
    this.addSql(`alter table "tsig_key" add constraint "tsig_key_name_key" unique ("name")`);
    this.addSql(
      `alter table "tsig_key" add constraint "tsig_key_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
    );
    this.addSql(`create index "tsig_key_user_id_index" on "tsig_key" ("user_id")`);

    this.addSql(`create table "secondary" ("id" bigserial primary key, "name" text not null, "address" text not null, "port" int not null,
      "tsig_key_id" bigint null, "notify" boolean not null default true, "required_for_live" boolean not null default true,
      "allow_unsigned_transfer" boolean not null default false, "created_at" timestamptz not null default now(),
      "notified_at" timestamptz null, "notify_answer" text null, "queried_at" timestamptz null, "query_answer" text null,
      "transferred_at" timestamptz null, "transfer_zone" text null, "transfer_kind" text null, "transfer_bytes" bigint null,
      "transfer_ms" int null, "tsig_error_at" timestamptz null, "tsig_error" text null)`);
    this.addSql(`alter table "secondary" add constraint "secondary_name_key" unique ("name")`);
    this.addSql(`alter table "secondary" add constraint "secondary_address_port_key" unique ("address", "port")`);
    this.addSql(
      `alter table "secondary" add constraint "secondary_tsig_key_id_foreign" foreign key ("tsig_key_id") references "tsig_key" ("id") on delete no action`,
    );
    this.addSql(`create index "secondary_tsig_key_id_index" on "secondary" ("tsig_key_id")`);

    this.addSql(`create table "sighting" ("secondary_id" bigint not null, "domain_id" bigint not null, "zone" text collate "C" not null,
      "serial" bigint null, "is_refused" boolean not null default false, "seen_at" timestamptz null, "last_error" text null, "term" bigint not null,
      primary key ("secondary_id", "domain_id"))`);
    this.addSql(
      `alter table "sighting" add constraint "sighting_secondary_id_foreign" foreign key ("secondary_id") references "secondary" ("id") on delete cascade`,
    );
    this.addSql(`create index "sighting_domain_id_index" on "sighting" ("domain_id")`);

    this.addSql(`create table "publisher_term" ("id" int not null, "term" bigint not null, primary key ("id"))`);
    this.addSql(`insert into "publisher_term" ("id", "term") values (1, 0)`);

    for (const table of ["tsig_key", "secondary"]) {
      this.addSql(
        `alter sequence "${table}_id_seq" minvalue 1000000000000000 start 1000000000000000 restart maxvalue 9007199254740991`,
      );
    }
  }
}
