import { Migration } from "@mikro-orm/migrations";

/** A domain keeps the review in force, its own or that of its owner, so that the statement that stores a change compares it. */
export class Migration20261124040000 extends Migration {
  override up(): void {
    this.addSql(`alter table "domain" add column "demands" text not null default 'NONE'`);
    this.addSql(`update "domain" d set "demands" = coalesce(d.review, u.review) from "user" u
      where u.id = d.user_id and coalesce(d.review, u.review) <> 'NONE'`);
  }
}
