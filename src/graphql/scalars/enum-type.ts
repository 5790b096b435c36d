/** Enumerations of the schema, as tables of their values with descriptions. */
import { registerEnumType } from "type-graphql";

/** Registers an enumeration whose values are their names; returns an object with each value under its name. */
export function enumType<Name extends string>(
  name: string,
  description: string,
  values: Readonly<Record<Name, string>>,
): { readonly [Each in Name]: Each } {
  const entries = Object.entries<string>(values);
  const type = Object.fromEntries(entries.map(([each]) => [each, each])) as { readonly [Each in Name]: Each };
  const valuesConfig = Object.fromEntries(entries.map(([each, description]) => [each, { description }]));
  registerEnumType<Readonly<Record<string, string>>>(type, { name, description, valuesConfig });
  return type;
}
