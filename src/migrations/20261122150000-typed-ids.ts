import { Migration } from "@mikro-orm/migrations";

/**
 * Ids that are unique across the tables: each sequence steps by 16 from a remainder of its own. Rows of before keep their ids, which are
 * below the origin.
 */
export class Migration20261122150000 extends Migration {
  override up(): void {
    const tables = ["user", "domain", "zone_record", "change", "api_key", "tsig_key", "secondary", "update_refusal"];
    const names = tables.map((table) => `'${table}_id_seq'`).join(", ");
    this.addSql(`create table "id_origin" ("id" int not null, "origin" bigint not null, primary key ("id"))`);
    this.addSql(`insert into "id_origin" ("id", "origin")
      select 1, (coalesce(max(last_value) + 1, 1000000000000000) + 15) / 16 * 16 from pg_sequences
      where schemaname = current_schema() and sequencename in (${names})`);
    for (const [remainder, table] of tables.entries()) {
      this.addSql(`alter sequence "${table}_id_seq" increment 16`);
      this.addSql(`select setval('"${table}_id_seq"', (select origin + ${remainder} from "id_origin"), false)`);
    }
  }
}
