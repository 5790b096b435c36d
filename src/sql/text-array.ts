/**
 * The column type text[]. MikroORM's own array type writes an item `null` as NULL, and loses the spaces around an item.
 */
import { ArrayType } from "@mikro-orm/core";

/** An array of any texts, written as PostgreSQL's array literal with every item quoted. */
export class TextArrayType extends ArrayType<string> {
  override convertToDatabaseValue(items: string[] | null): string | null {
    if (items === null) return null;
    return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
  }

  override getColumnType(): string {
    return "text[]";
  }
}
