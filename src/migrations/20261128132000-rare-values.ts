import { Migration } from "@mikro-orm/migrations";

/**
 * A list of one zone, actor, user or key is read by the index of that column. When few zones have nearly all changes, PostgreSQL expects to
 * find a change of any zone soon, and reads the changes of all zones by id, all of them for a zone without changes.
 */
export class Migration20261128132000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "change" alter "domain_id" set (n_distinct = -0.5), alter "actor" set (n_distinct = 1000)`,
    );
    this.addSql(
      `alter table "audit_entry" alter "user_id" set (n_distinct = 1000), alter "key_id" set (n_distinct = 1000)`,
    );
    this.addSql(`analyze "change"`);
    this.addSql(`analyze "audit_entry"`);
    this.addSql(`insert into "compatible_migration" values ('20261128132000-rare-values', '0.2.0')`);
  }
}
