import { Migration } from "@mikro-orm/migrations";

/** Transfers to secondaries are found by the transaction that recorded them, whose order depends on no clock. */
export class Migration20261125030000 extends Migration {
  override up(): void {
    this.addSql(`alter table "transferred_zone" add column "transaction_id" xid8 null`);
    this.addSql(`create index "transferred_zone_transaction_id_index" on "transferred_zone" ("transaction_id")`);
    this.addSql(`drop index "transferred_zone_transferred_at_index"`);
  }
}
