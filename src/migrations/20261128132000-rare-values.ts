import { Migration } from "@mikro-orm/migrations";

/**
 * A list of one zone, actor, user or key is read by the index of that column, in its order. When few zones have nearly all changes,
 * PostgreSQL expects to find a change of any zone soon, and walks through the changes of all zones by id, to the end for a zone without
 * changes. So it is told to expect a hundred rows of each: with one or two, it would read and sort all changes of a zone to find the last.
 */
export class Migration20261128132000 extends Migration {
  override up(): void {
    const rows = "set (n_distinct = -0.01)";
    this.addSql(`alter table "change" alter "domain_id" ${rows}, alter "actor" ${rows}`);
    this.addSql(`alter table "audit_entry" alter "user_id" ${rows}, alter "key_id" ${rows}`);
    this.addSql(`analyze "change"`);
    this.addSql(`analyze "audit_entry"`);
    this.addSql(`insert into "compatible_migration" values ('20261128132000-rare-values', '0.2.0')`);
  }
}
