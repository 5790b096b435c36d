import { Migration } from "@mikro-orm/migrations";

/** The processes of the service on the database. */
export class Migration20261123190000 extends Migration {
  override up(): void {
    this.addSql(`create table "instance" ("id" uuid not null primary key, "host" text not null, "pid" integer not null,
      "version" text not null, "started_at" timestamptz not null, "seen_at" timestamptz not null, "term" bigint null)`);
  }
}
