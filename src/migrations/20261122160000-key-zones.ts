import { Migration } from "@mikro-orm/migrations";

/** API keys that are limited to some zones of their user. */
export class Migration20261122160000 extends Migration {
  override up(): void {
    this.addSql(`alter table "api_key" add column "zones" text[] null`);
  }
}
