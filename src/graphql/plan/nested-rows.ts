/**
 * The SQL of a plan. A `Level` is the rows of one noun in a statement: a derived table, and the tables joined to it. It
 * has a name of its own, since the statements of all relations use the same aliases. `RowCells` are the columns that
 * one row of a level selects, including those of single rows of other nouns that belong to it. A list within a row is
 * one cell.
 */
import { type Sql, sql } from "../../sql/sql.ts";
import { type Noun, type NounName, nouns } from "./planned-types.ts";

/** The cells of a row, as SQL expressions over its level and the levels joined to it. */
export class RowCells {
  readonly #expressions: string[] = [];

  /** The position of an expression among the cells; adds it when it is new. */
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
  /** Makes the page from the rows that are found; without it, PostgreSQL reads the rows in their order. */
  readonly page?: (found: Sql, sorted: Sql, limit: Sql) => Sql;
  /** The tables that rows come from, in place of those of the relation. */
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
  /** Whether a selected column is outside the noun's own table. */
  #usesJoins = false;

  constructor(noun: NounName, names: LevelNames, row = new RowCells()) {
    this.noun = nouns[noun];
    this.names = names;
    this.row = row;
    this.#name = names.next();
  }

  /** A column of the noun, as the rest of the statement writes it; undefined when the noun does not have it. */
  column(name: string): string | undefined {
    const other = this.noun.columns?.[name];
    if (other) return this.expression(String(other));
    const { columns, own } = this.noun.relation;
    const expression = columns.expression(name);
    if (!expression) return undefined;
    if (!own?.columns.expression(name)) this.#usesJoins = true;
    return this.expression(String(expression));
  }

  /** An expression over the relation, as the rest of the statement writes it. */
  expression(text: string): string {
    return this.named(this.#alias(text));
  }

  /** A column of the derived table, as the rest of the statement writes it. */
  named(alias: string): string {
    return `"${this.#name}".${alias}`;
  }

  /** The alias that an expression over the relation has in the derived table. */
  #alias(text: string): string {
    const at = this.#columns.indexOf(text);
    return `"c${at >= 0 ? at : this.#columns.push(text) - 1}"`;
  }

  /** Joins the rows of a level. A row of this level that has none stays, with nulls in their columns. */
  join(level: Level, ...args: Parameters<Level["derived"]>): void {
    this.#joins.push(sql`left join lateral ${level.derived(...args)} on true`, ...level.#joins);
  }

  /** Joins a statement with one row and one column, `value`; returns that column. */
  joinValue(statement: Sql): string {
    const name = this.names.next();
    this.#joins.push(sql`left join lateral (${statement}) as ${sql.raw(`"${name}"`)} on true`);
    return `"${name}"."value"`;
  }

  /** Whether nothing is joined to the derived table: its rows then come in its order. */
  get isPlain(): boolean {
    return this.#joins.length === 0;
  }

  /**
   * The derived table of the level. `seen` has the condition that the actor sees the rows; it is left out when whoever
   * sees the parent sees them.
   */
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

  /** Joins the derived table and its joins to a table with one row. That row stays even if the derived table has no rows. */
  around(table: Sql, conditions: readonly Sql[], extent: Extent): Sql {
    const rows = sql`left join lateral ${this.derived(conditions, undefined, extent)} on true`;
    return sql.join([table, rows, ...this.#joins], sql` `);
  }

  /** The derived table with the tables joined to it. */
  source(...args: Parameters<Level["derived"]>): Sql {
    return sql.join([this.derived(...args), ...this.#joins], sql` `);
  }
}

const inOrder = (found: Sql, sorted: Sql, limit: Sql) => sql`${found} order by ${sorted} limit ${limit}`;

/** The condition that the actor sees rows, and whether an actor who sees their parent always does. */
export interface SeenWithParent {
  readonly condition: Sql;
  readonly isSeenWithParent: boolean;
}
