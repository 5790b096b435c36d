import { Migration } from "@mikro-orm/migrations";

/** Sets whose zones are changed each for itself: by whose right, as what they were looked at, and why one was refused. */
export class Migration20261123093000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "change_set" add column "mode" text not null default 'ALL', add column "applying" jsonb null`,
    );
    this.addSql(`create index "change_set_applying_index" on "change_set" ("id") where "state" = 'APPLYING'`);
    this.addSql(`alter table "change_set_zone" add column "reasons" jsonb null, add column "fingerprint" text null`);
  }
}
