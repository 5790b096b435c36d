import { Migration } from "@mikro-orm/migrations";

/**
 * The serials that were transferred to each secondary, and which secondaries transfer from other servers. What was observed before
 * counts as transferred, a serial past ours, as a signer serves, as our own; one that is ahead of us does not.
 */
export class Migration20261122120000 extends Migration {
  override up(): void {
    this.addSql(`alter table "secondary" add column "indirect" boolean not null default false`);
    this.addSql(`create table "transferred_zone" ("domain_id" bigint not null, "secondary_id" bigint not null, "serial" bigint not null,
      "previous_serial" bigint null, "is_whole_due" boolean not null default false, "transferred_at" timestamptz not null,
      primary key ("domain_id", "secondary_id"))`);
    this.addSql(
      `alter table "transferred_zone" add constraint "transferred_zone_secondary_id_foreign" foreign key ("secondary_id") references "secondary" ("id") on delete cascade`,
    );
    this.addSql(`insert into "transferred_zone" ("domain_id", "secondary_id", "serial", "transferred_at")
      select d.id, g.secondary_id,
        case when (g.serial - d.serial + 4294967296) % 4294967296 < 2147483648 then d.serial else g.serial end,
        coalesce(g.serial_at, g.seen_at, now())
      from "sighting" g join "domain" d on d.id = g.domain_id where g.serial is not null and not g.is_ahead and not g.is_refused`);
  }
}
