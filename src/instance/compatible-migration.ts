/**
 * Migrations that earlier versions need not know: instances of them may go on while others are upgraded. A migration says it of itself, by a row
 * that it inserts; without one, only versions that know the migration use the database.
 */
import { Entity, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";

/** A migration with which earlier versions may go on. */
@Entity({ tableName: "compatible_migration" })
export class CompatibleMigration {
  /** Its name, such as `20261124060000-compatible-migration`. */
  @PrimaryKey({ type: "text" })
  name!: string;

  /** The oldest version that may go on, such as `0.2.0`. */
  @Property({ type: "text" })
  leastVersion!: string;
}
