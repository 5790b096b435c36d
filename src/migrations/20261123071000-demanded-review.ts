import { Migration } from "@mikro-orm/migrations";

/** Zones that demand change sets, and approvals of these; the users who review those of others; the keys that need no review. */
export class Migration20261123071000 extends Migration {
  override up(): void {
    this.addSql(`alter table "user" add column "review" text not null default 'NONE'`);
    this.addSql(`create table "user_reviewer" ("user_id" bigint not null, "reviewer_id" bigint not null,
      primary key ("user_id", "reviewer_id"))`);
    for (const column of ["user", "reviewer"])
      this.addSql(`alter table "user_reviewer" add constraint "user_reviewer_${column}_id_foreign"
        foreign key ("${column}_id") references "user" ("id") on update cascade on delete cascade`);
    this.addSql(`create index "user_reviewer_reviewer_id_index" on "user_reviewer" ("reviewer_id")`);
    this.addSql(`alter table "domain" add column "review" text null`);
    this.addSql(`alter table "deleted_domain" add column "review" text null`);
    this.addSql(`alter table "tsig_key" add column "exempt_from_review" boolean not null default false`);
  }
}
