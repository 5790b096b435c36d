/**
 * Tables for SQL, derived from their entities: SQL names a column by the property of its entity.
 *
 *     const d = table(Domain, "d");
 *     const columns = d.columns("id", "zone", "userId");
 *     type DomainRow = RowOf<typeof columns>;
 *     sql<DomainRow>`select ${columns} from ${d} where ${d.zone} = ${name}`
 *     // select "d"."id", "d"."zone", "d"."user_id" as "userId" from "domain" as "d" where "d"."zone" = $1
 *
 * A relation is the column of its foreign key: `user` is `userId`. In a plain template, as for a statement that pg sends, a reference is
 * its text. Unknown names do not compile; they also throw, those of a select list when the file that declares it is imported.
 */
import {
  type EntityMetadata,
  type EntityProperty,
  MetadataStorage,
  ReferenceKind,
  UnderscoreNamingStrategy,
} from "@mikro-orm/core";
import { Sql } from "./sql.ts";

interface Related {
  readonly id: number;
}

type ValueOf<Property> =
  | (NonNullable<Property> extends Related
      ? number
      : NonNullable<Property> extends readonly (infer Item)[]
        ? readonly Item[]
        : NonNullable<Property>)
  | (null extends Property ? null : never);

/** A whole row of an entity's table. Relations are ids; optional columns are null. */
export type EntityRow<Entity> = {
  readonly [Name in keyof Entity & string as NonNullable<Entity[Name]> extends Related ? `${Name}Id` : Name]-?: ValueOf<
    Entity[Name]
  >;
};

export type RowOf<List extends Columns<unknown>> = List extends Columns<infer Row> ? Row : never;

/** A piece of SQL without parameters; in a plain template it is its text. */
export class Reference<Value> extends Sql<Value> {
  constructor(text: string) {
    super([text], []);
  }

  override toString(): string {
    return this.chunks[0] as string;
  }
}

/** A select list: each column or expression under the name of its property. */
export class Columns<Row> extends Reference<Row> {
  readonly #expressions: ReadonlyMap<string, string>;

  constructor(expressions: ReadonlyMap<string, string>) {
    super([...expressions].map(([name, text]) => selected(name, text)).join(", "));
    this.#expressions = expressions;
  }

  and<More>(more: Columns<More>): Columns<Row & More> {
    return new Columns(new Map([...this.#expressions, ...more.#expressions]));
  }

  with<Name extends string, Value>(
    name: Name,
    expression: Reference<Value>,
  ): Columns<Row & { readonly [Each in Name]: Value }> {
    return new Columns(new Map([...this.#expressions, [name, String(expression)]]));
  }

  expression(name: string): Reference<unknown> | undefined {
    const text = this.#expressions.get(name);
    return text === undefined ? undefined : new Reference(text);
  }
}

const selected = (name: string, expression: string) =>
  expression === quoted(name) || expression.endsWith(`.${quoted(name)}`)
    ? expression
    : `${expression} as ${quoted(name)}`;

/** A table in a statement. `${d}` is the table; each property is a column, qualified by the alias if there is one. */
export type Table<Entity> = TableReference<EntityRow<Entity>> & {
  readonly [Name in keyof EntityRow<Entity>]: Reference<EntityRow<Entity>[Name]>;
};

interface TableReference<Row> extends Sql {
  columns<Name extends keyof Row = keyof Row>(...names: Name[]): Columns<Pick<Row, Name>>;
  /** The bare names of these columns, for the column list of an insert or an update. */
  names(...names: (keyof Row)[]): Reference<unknown>;
}

/** The table of an entity; `${table}` is its name with the alias, if there is one. */
export function table<Entity extends object>(entity: new () => Entity, alias?: string): Table<Entity> {
  const { tableName, columns } = tableOf(entity);
  const qualifier = alias === undefined ? "" : `${quoted(alias)}.`;
  const columnOf = (name: string) => {
    const column = columns.get(name);
    if (column === undefined) throw noColumn(entity, name);
    return column;
  };
  const select = (names: readonly string[]) =>
    new Columns(new Map(names.map((name) => [name, qualifier + quoted(columnOf(name))])));
  const reference = new Reference(alias === undefined ? quoted(tableName) : `${quoted(tableName)} as ${quoted(alias)}`);
  const members = new Map<string | symbol, unknown>([
    ...[...columns].map(([name, column]) => [name, new Reference(qualifier + quoted(column))] as const),
    ["columns", (...names: string[]) => select(names.length > 0 ? names : [...columns.keys()])],
    ["names", (...names: string[]) => new Reference(names.map((name) => quoted(columnOf(name))).join(", "))],
    ["toString", () => reference.toString()],
    ["chunks", reference.chunks],
    ["parameters", reference.parameters],
  ]);
  const get = (_: object, name: string | symbol) => {
    if (typeof name === "string" && !members.has(name)) throw noColumn(entity, name);
    return members.get(name);
  };
  return new Proxy(reference, { get }) as unknown as Table<Entity>;
}

const naming = new UnderscoreNamingStrategy();

/** A property as decorators describe it; MikroORM makes `fieldNames` of it later. */
type Decorated = Pick<EntityProperty, "name" | "kind"> & { readonly fieldName?: string };

function tableOf(entity: new () => object): { tableName: string; columns: ReadonlyMap<string, string> } {
  const metadata = (entity as { [MetadataStorage.META_SYMBOL]?: EntityMetadata })[MetadataStorage.META_SYMBOL];
  if (metadata?.class !== entity) throw new Error(`${entity.name} is not an entity.`);
  const properties: readonly Decorated[] = Object.values(metadata.properties);
  const columns = properties.map(({ name, kind, fieldName }): [string, string] =>
    kind === ReferenceKind.SCALAR
      ? [name, fieldName ?? naming.propertyToColumnName(name)]
      : [`${name}Id`, fieldName ?? naming.joinColumnName(name)],
  );
  return { tableName: naming.classToTableName(entity.name, metadata.tableName), columns: new Map(columns) };
}

const quoted = (identifier: string) => `"${identifier}"`;

function noColumn(entity: new () => object, name: string): Error {
  return new Error(`${entity.name} has no column for ${name}; its columns are named by the properties of the entity.`);
}
