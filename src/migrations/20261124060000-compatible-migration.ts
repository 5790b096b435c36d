import { Migration } from "@mikro-orm/migrations";

/** Migrations that earlier versions need not know; each of those to come says it of itself, if it is so. */
export class Migration20261124060000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "compatible_migration" ("name" text not null primary key, "least_version" text not null)`,
    );
  }
}
