import { Migration } from "@mikro-orm/migrations";

/** Users, domains, records, the journal and API keys. Ids run from 10^15 to 2^53 - 1: large, and exact in every JSON client. */
export class Migration20261121000000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "user" ("id" bigserial primary key, "email" text not null, "created_at" timestamptz not null default now())`,
    );
    this.addSql(`create unique index "user_email_key" on "user" (lower("email"))`);

    this.addSql(`create table "domain" ("id" bigserial primary key, "zone" text collate "C" not null, "user_id" bigint not null,
      "serial" bigint not null, "created_at" timestamptz not null default now())`);
    this.addSql(`alter table "domain" add constraint "domain_zone_key" unique ("zone")`);
    this.addSql(
      `alter table "domain" add constraint "domain_serial_check" check (serial >= 0 and serial <= 4294967295)`,
    );
    this.addSql(
      `alter table "domain" add constraint "domain_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete no action`,
    );
    this.addSql(`create index "domain_user_id_zone_index" on "domain" ("user_id", "zone")`);
    this.addSql(`create index "domain_reverse_index" on "domain" (reverse("zone") collate "C")`);

    this.addSql(`create table "record" ("id" bigserial primary key, "domain_id" bigint not null, "owner" text collate "C" not null,
      "type" text collate "C" not null, "ttl" int not null, "rdata" text not null, "wire" bytea not null, "digest" bytea not null,
      "position" text collate "C" generated always as
        (case when owner = '@' then '' else owner end || ' ' || case when type = 'SOA' then '' else type end) stored not null)`);
    this.addSql(
      `alter table "record" add constraint "record_identity_key" unique ("domain_id", "owner", "type", "digest") deferrable initially deferred`,
    );
    this.addSql(
      `alter table "record" add constraint "record_domain_id_foreign" foreign key ("domain_id") references "domain" ("id") on delete cascade`,
    );
    this.addSql(`create index "record_position_index" on "record" ("domain_id", "position", "id")`);

    this.addSql(`create table "change" ("id" bigserial primary key, "domain_id" bigint not null, "zone" text collate "C" not null,
      "kind" text not null, "previous_serial" bigint null, "serial" bigint not null, "actor" text not null, "door" text not null,
      "created_at" timestamptz not null default now())`);
    this.addSql(`create index "change_domain_id_id_index" on "change" ("domain_id", "id")`);

    this.addSql(`create table "change_record" ("change_id" bigint not null, "ordinal" int not null, "removed" boolean not null,
      "owner" text not null, "type" text not null, "ttl" int not null, "rdata" text not null, "wire" bytea not null,
      primary key ("change_id", "ordinal"))`);
    this.addSql(
      `alter table "change_record" add constraint "change_record_change_id_foreign" foreign key ("change_id") references "change" ("id") on delete cascade`,
    );

    this.addSql(`create table "deleted_domain" ("id" bigint not null, "zone" text collate "C" not null, "serial" bigint not null,
      "user_id" bigint not null, "deleted_at" timestamptz not null default now(), primary key ("id"))`);
    this.addSql(`create index "deleted_domain_zone_index" on "deleted_domain" ("zone", "deleted_at")`);

    this.addSql(`create table "api_key" ("id" bigserial primary key, "name" text not null, "user_id" bigint null,
      "read_only" boolean not null default false, "fingerprint" text collate "C" not null, "hash" bytea not null,
      "expires_at" timestamptz null, "revoked_at" timestamptz null, "created_at" timestamptz not null default now())`);
    this.addSql(
      `alter table "api_key" add constraint "api_key_user_id_foreign" foreign key ("user_id") references "user" ("id") on delete cascade`,
    );
    this.addSql(`create index "api_key_user_id_index" on "api_key" ("user_id")`);
    this.addSql(`create index "api_key_fingerprint_index" on "api_key" ("fingerprint")`);

    for (const table of ["user", "domain", "record", "change", "api_key"]) {
      this.addSql(
        `alter sequence "${table}_id_seq" minvalue 1000000000000000 start 1000000000000000 restart maxvalue 9007199254740991`,
      );
    }
  }
}
