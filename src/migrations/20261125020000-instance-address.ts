import { Migration } from "@mikro-orm/migrations";

/** Where the name server of an instance is reached; earlier versions do not say it. */
export class Migration20261125020000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "instance" add column "dns_address" text null, add column "dns_port" int null, add column "dns_tls_port" int null`,
    );
    this.addSql(`insert into "compatible_migration" values ('20261125020000-instance-address', '0.2.0')`);
  }
}
