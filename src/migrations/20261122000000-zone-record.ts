import { Migration } from "@mikro-orm/migrations";

/** The table of records takes its entity's name: `record` is a pseudo-type of PostgreSQL, and had to be written `public.record`. */
export class Migration20261122000000 extends Migration {
  override up(): void {
    this.addSql(`alter table "record" rename to "zone_record"`);
    this.addSql(`alter sequence "record_id_seq" rename to "zone_record_id_seq"`);
    for (const constraint of ["identity_key", "domain_id_foreign", "pkey"])
      this.addSql(`alter table "zone_record" rename constraint "record_${constraint}" to "zone_record_${constraint}"`);
    for (const index of ["position_index", "below_index"])
      this.addSql(`alter index "record_${index}" rename to "zone_record_${index}"`);
  }
}
