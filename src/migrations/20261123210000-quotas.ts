import { Migration } from "@mikro-orm/migrations";

/**
 * Quotas: a domain keeps the number of its records, and a user to whom a quota applies the figures of what it counts. Nobody is limited until
 * an administrator, or a setting, says so.
 */
export class Migration20261123210000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "user" add column "quota" jsonb not null default '{}', add column "metered" boolean not null default false`,
    );
    this.addSql(
      `alter table "domain" add column "record_count" int not null default 0, add column "metered" boolean not null default false`,
    );
    this.addSql(`update "domain" d set "record_count" = r.count
      from (select domain_id, count(*) as count from "zone_record" group by domain_id) r where r.domain_id = d.id`);
    this.addSql(`create table "user_usage" ("user_id" bigint not null, "domains" int not null, "records" bigint not null,
      "changes" int not null, "day" date not null, primary key ("user_id"))`);
    this.addSql(`alter table "user_usage" add constraint "user_usage_user_id_foreign" foreign key ("user_id")
      references "user" ("id") on update cascade on delete cascade`);
  }
}
