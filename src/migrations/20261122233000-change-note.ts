import { Migration } from "@mikro-orm/migrations";

/** Why a change was made, as its author wrote it; changes from before have no note. And indexes for the changes of all zones. */
export class Migration20261122233000 extends Migration {
  override up(): void {
    this.addSql(`alter table "change" add column "note" text null`);
    this.addSql(`create index "change_actor_index" on "change" ("actor", "id")`);
    this.addSql(`create index "change_door_index" on "change" ("door", "id")`);
    this.addSql(`create index "change_created_at_index" on "change" ("created_at")`);
  }
}
