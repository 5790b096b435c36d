import { Migration } from "@mikro-orm/migrations";

/**
 * What a secondary was proven to serve beside what it was observed to serve. What was observed before counts as proven, a serial past
 * ours, as a signer serves, as our own; one that is ahead of us does not.
 */
export class Migration20261122130000 extends Migration {
  override up(): void {
    this.addSql(`alter table "sighting" add column "proven_serial" bigint null, add column "is_unproven" boolean not null default false,
      add column "held_since" timestamptz null`);
    this.addSql(`update "sighting" g set "is_unproven" = g.is_ahead, "proven_serial" = case
        when g.is_ahead or g.is_refused then null
        when (g.serial - d.serial + 4294967296) % 4294967296 < 2147483648 then d.serial else g.serial end
      from "sighting" o left join (select id, serial from "domain" union all select id, serial from "deleted_domain") d on d.id = o.domain_id
      where g.secondary_id = o.secondary_id and g.domain_id = o.domain_id and o.serial is not null`);
    this.addSql(`alter table "sighting" drop column "is_ahead"`);
    this.addSql(`create index "sighting_held_index" on "sighting" ("domain_id") where "held_since" is not null`);
    this.addSql(`alter table "secondary" add column "doubted_term" bigint not null default 0`);
    this.addSql(`alter table "publisher_term" add column "confirmed_term" bigint not null default 0`);
  }
}
