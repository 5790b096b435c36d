import { Migration } from "@mikro-orm/migrations";

/** Schedules of change sets: when one is applied, by whose right, and as what it was looked at; and why one came back. Sets are found by their domains. */
export class Migration20261123081000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change_set" add column "apply_at" timestamptz null, add column "scheduled_by_key_id" bigint null,
      add column "scheduled_fingerprint" text null, add column "on_missed" text null, add column "late_by_seconds" int null,
      add column "failure" jsonb null`);
    this.addSql(`create index "change_set_due_index" on "change_set" ("apply_at") where "state" = 'SCHEDULED'`);
    this.addSql(`create index "change_set_untouched_index" on "change_set" ("touched_at")
      where "state" in ('DRAFT', 'IN_REVIEW', 'APPROVED')`);
    this.addSql(`create index "change_set_zone_domain_id_index" on "change_set_zone" ("domain_id", "change_set_id")`);
  }
}
