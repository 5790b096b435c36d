/**
 * GraphQL lets a client send null wherever a field may be left out; the rooms below know only fields that are left out.
 */

/** The fields of an object that have a value. */
export function withoutNulls<T extends object>(fields: T): { [Name in keyof T]?: NonNullable<T[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>;
  };
}
