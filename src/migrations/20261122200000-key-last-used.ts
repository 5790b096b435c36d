import { Migration } from "@mikro-orm/migrations";

/** When an API key was last used. Of the keys from before, that is not known; they count as used. */
export class Migration20261122200000 extends Migration {
  override up(): void {
    this.addSql(`alter table "api_key" add column "last_used_at" timestamptz null`);
    this.addSql(`update "api_key" set "last_used_at" = "created_at"`);
  }
}
