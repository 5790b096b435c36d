/** Enumerations of the schema, as tables of their values with descriptions. */
import { registerEnumType } from "type-graphql";

/** Adds an enum to the schema; `values` are the values in the program, by their names in the schema. */
export function describeEnum<Name extends string>(
  values: Readonly<Record<Name, string>>,
  { name, description }: { readonly name: string; readonly description: string },
  meanings: Readonly<Record<Name, string>>,
): void {
  const meaningOf = ([value, meaning]: [string, string]) => [value, { description: meaning }];
  const valuesConfig = Object.fromEntries(Object.entries<string>(meanings).map(meaningOf));
  registerEnumType<Readonly<Record<string, string>>>(values, { name, description, valuesConfig });
}

/** Registers an enumeration whose values are their names; returns an object with each value under its name. */
export function enumType<Name extends string>(
  name: string,
  description: string,
  meanings: Readonly<Record<Name, string>>,
): { readonly [Each in Name]: Each } {
  const values = Object.fromEntries(Object.keys(meanings).map((each) => [each, each])) as { [Each in Name]: Each };
  describeEnum(values, { name, description }, meanings);
  return values;
}
