import { Migration } from "@mikro-orm/migrations";

/** Notes of RRsets, beside the zones. They outlive their domain, which may come back. */
export class Migration20261123030000 extends Migration {
  override up(): void {
    this.addSql(`create table "rrset_note" ("domain_id" bigint not null, "owner" text collate "C" not null, "type" text collate "C" not null,
      "text" text not null, "actor" text not null, "updated_at" timestamptz not null, primary key ("domain_id", "owner", "type"))`);
  }
}
