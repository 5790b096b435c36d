import { Migration } from "@mikro-orm/migrations";

/** Which change a change reverted or went back to; changes from before did neither. And an index for the versions of one RRset. */
export class Migration20261123000000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change" add column "undoes" bigint null, add column "returns_to" bigint null`);
    this.addSql(
      `create index "change_record_rrset_index" on "change_record" ("domain_id", "owner", "type", "change_id")`,
    );
  }
}
