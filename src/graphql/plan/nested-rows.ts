/**
 * The SQL of a plan. A level is the rows of one noun within a statement, under a name of its own, since the statements of relations
 * use the same aliases everywhere: a derived table, and what is joined to it. A row is what one row of a level brings, with the single
 * rows of other nouns that belong to it; lists within it are one cell each.
 */
import { type Sql, sql } from "../../sql/sql.ts";
import { type Noun, type NounName, nouns } from "./planned-types.ts";

/** The cells of a row: expressions over the levels that are joined for it. */
export class RowCells {
  readonly #expressions: string[] = [];

  /** The position of an expression among the cells, where it is added unless it is there. */
  at(expression: string): number {
    const at = this.#expressions.indexOf(expression);
    return at >= 0 ? at : this.#expressions.push(expression) - 1;
  }

  /** The cells as a select list; at least one. */
  get list(): Sql {
    return sql.raw(this.#expressions.join(", ") || "1");
  }

  /** The cells as an array of texts. */
  get array(): Sql {
    return sql.raw(`array[${this.#expressions.map((expression) => `${expression}::text`).join(", ")}]::text[]`);
  }
}

/** How the rows of a level are sorted and limited. */
export interface Extent {
  /** The columns of the relation that rows are sorted by, all in one direction. */
  readonly keys: readonly Sql[];
  readonly descending: boolean;
  readonly limit: Sql;
  /** Puts the rows that are found together to a page; without it, PostgreSQL reads them in their order. */
  readonly page?: (found: Sql, sorted: Sql, limit: Sql) => Sql;
  /** The source of the rows, in place of the source of the relation. */
  readonly from?: Sql;
}

/** The names of the levels of a statement. */
export class LevelNames {
  #last = 0;

  next(): string {
    this.#last += 1;
    return `n${this.#last}`;
  }
}

export class Level {
  readonly noun: Noun;
  readonly row: RowCells;
  readonly names: LevelNames;
  readonly #name: string;
  readonly #columns: string[] = [];
  readonly #joins: Sql[] = [];
  /** Whether a column is used that the noun's own table does not have. */
  #usesJoins = false;

  constructor(noun: NounName, names: LevelNames, row = new RowCells()) {
    this.noun = nouns[noun];
    this.names = names;
    this.row = row;
    this.#name = names.next();
  }

  /** A column of the noun, as the rest of the statement names it; undefined when the noun does not have it. */
  column(name: string): string | undefined {
    const other = this.noun.columns?.[name];
    if (other) return this.expression(String(other));
    const { columns, own } = this.noun.relation;
    const expression = columns.expression(name);
    if (!expression) return undefined;
    if (!own?.columns.expression(name)) this.#usesJoins = true;
    return this.expression(String(expression));
  }

  /** An expression over the relation, as the rest of the statement names it. */
  expression(text: string): string {
    return this.named(this.#alias(text));
  }

  /** A column of the derived table, as the rest of the statement names it. */
  named(alias: string): string {
    return `"${this.#name}".${alias}`;
  }

  /** An expression over the relation, as the derived table names it. */
  #alias(text: string): string {
    const at = this.#columns.indexOf(text);
    return `"c${at >= 0 ? at : this.#columns.push(text) - 1}"`;
  }

  /** Joins a level that has one row at most for each of this one. */
  joinOne(level: Level, conditions: readonly Sql[]): void {
    this.joinMany(level, conditions);
  }

  /** Joins the rows of a level, as many as there are; where there are none, the row of this one is alone. */
  joinMany(level: Level, ...args: Parameters<Level["derived"]>): void {
    this.#joins.push(sql`left join lateral ${level.derived(...args)} on true`, ...level.#joins);
  }

  /** Joins a statement of one column, `value`, and one row; returns that column. */
  joinValue(statement: Sql): string {
    const name = this.names.next();
    this.#joins.push(sql`left join lateral (${statement}) as ${sql.raw(`"${name}"`)} on true`);
    return `"${name}"."value"`;
  }

  /** Whether nothing is joined to the derived table, so that the rows come in its order. */
  get isPlain(): boolean {
    return this.#joins.length === 0;
  }

  /** The derived table of the level. `seen` is the condition that its rows are seen, left out where they are seen with their parent. */
  derived(conditions: readonly Sql[], seen?: SeenWithParent, extent?: Extent): Sql {
    const { own, from } = this.noun.relation;
    const isOwn = seen?.isSeenWithParent === true && own !== undefined && !this.#usesJoins;
    const all = [...conditions, ...(seen && !isOwn ? [seen.condition] : [])];
    const direction = extent?.descending ? " desc" : "";
    const sorted = (extent?.keys ?? []).map((key) => {
      const text = String(key);
      return (extent?.page ? this.#alias(text) : text) + direction;
    });
    const columns = this.#columns.map((expression, at) => `${expression} as "c${at}"`).join(", ") || "1";
    const source = extent?.from ?? (isOwn ? own.from : from);
    const select = sql`select ${sql.raw(columns)} from ${source} where ${sql.join(all, sql` and `)}`;
    const orderBy = sql.raw(sorted.join(", "));
    const rows = !extent ? select : (extent.page ?? inOrder)(select, orderBy, extent.limit);
    return sql`(${rows}) as ${sql.raw(`"${this.#name}"`)}`;
  }

  /** One row of a table, and the derived table with all that is joined to it beside it; where that has no rows, the one is alone. */
  around(table: Sql, conditions: readonly Sql[], extent: Extent): Sql {
    const rows = sql`left join lateral ${this.derived(conditions, undefined, extent)} on true`;
    return sql.join([table, rows, ...this.#joins], sql` `);
  }

  /** The derived table with all that is joined to it. */
  source(...args: Parameters<Level["derived"]>): Sql {
    return sql.join([this.derived(...args), ...this.#joins], sql` `);
  }
}

const inOrder = (found: Sql, sorted: Sql, limit: Sql) => sql`${found} order by ${sorted} limit ${limit}`;

/** The condition that rows are seen, and whether whoever sees their parent sees them. */
export interface SeenWithParent {
  readonly condition: Sql;
  readonly isSeenWithParent: boolean;
}
