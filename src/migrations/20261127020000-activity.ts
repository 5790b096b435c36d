import { Migration } from "@mikro-orm/migrations";

/** What the activity reads is found by indexes; earlier versions need not know them. */
export class Migration20261127020000 extends Migration {
  override up(): void {
    // The newest change of a set, which stands for it.
    this.addSql(
      `create index "change_change_set_id_index" on "change" ("change_set_id", "id") where "change_set_id" is not null`,
    );
    this.addSql(`drop index "change_change_set_index"`);
    this.addSql(`create index "change_set_updated_at_index" on "change_set" ("updated_at", "id")`);
    this.addSql(`create index "audit_entry_besides_index" on "audit_entry" ("id") where "change_id" is null`);
    this.addSql(
      `create index "audit_entry_besides_time_index" on "audit_entry" ("created_at") where "change_id" is null`,
    );
    this.addSql(`create index "audit_entry_refused_index" on "audit_entry" ("id") where "code" is not null`);
    this.addSql(`insert into "compatible_migration" values ('20261127020000-activity', '0.2.0')`);
  }
}
