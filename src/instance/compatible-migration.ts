/**
 * Migrations that earlier versions of the service can run with: their instances continue while others are upgraded. Such a migration
 * inserts a row here. After a migration without a row, only versions that contain the migration may use the database.
 */
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

@Entity({ tableName: "compatible_migration" })
export class CompatibleMigration {
  /** The name of the migration, such as `20261124060000-compatible-migration`. */
  @PrimaryKey({ type: "text" })
  name!: string;

  /** The oldest version that can run with the migration, such as `1.0.0`. */
  @Property({ type: "text" })
  leastVersion!: string;
}
