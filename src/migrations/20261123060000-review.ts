import { Migration } from "@mikro-orm/migrations";

/** Review of change sets: how many approvals one wants, what was approved, and which key made which, since these are one person's. */
export class Migration20261123060000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change_set" add column "approvals_wanted" int not null default 0`);
    this.addSql(`alter table "change_set_event" add column "fingerprint" text null`);
    this.addSql(`alter table "api_key" add column "created_by" bigint null`);
  }
}
