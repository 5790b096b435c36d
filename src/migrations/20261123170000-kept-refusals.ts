import { Migration } from "@mikro-orm/migrations";

/** Refused dynamic updates stay when their zone is deleted. */
export class Migration20261123170000 extends Migration {
  override up(): void {
    this.addSql(`alter table "update_refusal" drop constraint "update_refusal_domain_id_foreign"`);
  }
}
