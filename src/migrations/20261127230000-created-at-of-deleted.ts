import { Migration } from "@mikro-orm/migrations";

/** A deleted zone keeps its time of creation, which its journal may no longer have. Earlier versions leave it out. */
export class Migration20261127230000 extends Migration {
  override up(): void {
    this.addSql(`alter table "deleted_domain" add column "created_at" timestamptz null`);
    this.addSql(`update "deleted_domain" x
      set "created_at" = (select min(c."created_at") from "change" c where c."domain_id" = x."id")`);
    this.addSql(`insert into "compatible_migration" values ('20261127230000-created-at-of-deleted', '0.2.0')`);
  }
}
