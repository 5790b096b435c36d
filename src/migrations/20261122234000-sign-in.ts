import { Migration } from "@mikro-orm/migrations";

/** Sign-ins of browsers with an API key. */
export class Migration20261122234000 extends Migration {
  override up(): void {
    this.addSql(`create table "sign_in" ("hash" bytea not null primary key, "key_id" bigint not null,
      "created_at" timestamptz not null default now(), "ends_at" timestamptz not null)`);
    this.addSql(
      `alter table "sign_in" add constraint "sign_in_key_id_foreign" foreign key ("key_id") references "api_key" ("id") on delete cascade`,
    );
    this.addSql(`create index "sign_in_key_id_index" on "sign_in" ("key_id")`);
    this.addSql(`create index "sign_in_ends_at_index" on "sign_in" ("ends_at")`);
  }
}
