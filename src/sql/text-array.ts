/**
 * The column type text[]. MikroORM's own array type writes an item `null` as NULL, and loses the spaces around an item.
 */
import { ArrayType } from "@mikro-orm/core";

/** PostgreSQL's literal for an array of any texts and nulls, with every text quoted. */
export function arrayLiteral(items: readonly (string | null)[]): string {
  const written = items.map((item) => (item === null ? "NULL" : `"${item.replaceAll(/["\\]/g, "\\$&")}"`));
  return `{${written.join(",")}}`;
}

/** An array of any texts. */
export class TextArrayType extends ArrayType<string> {
  override convertToDatabaseValue(items: string[] | null): string | null {
    return items === null ? null : arrayLiteral(items);
  }

  override getColumnType(): string {
    return "text[]";
  }
}
