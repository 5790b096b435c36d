/** The column type text[]. MikroORM's own array type writes an item "null" as NULL, and loses spaces around items. */
import { ArrayType } from "@mikro-orm/core";

/** The array literal of texts and nulls, every text quoted. */
export function arrayLiteral(items: readonly (string | null)[]): string {
  const written = items.map((item) => (item === null ? "NULL" : `"${item.replaceAll(/["\\]/g, "\\$&")}"`));
  return `{${written.join(",")}}`;
}

export class TextArrayType extends ArrayType<string> {
  override convertToDatabaseValue(items: string[] | null): string | null {
    return items === null ? null : arrayLiteral(items);
  }

  override getColumnType(): string {
    return "text[]";
  }
}
