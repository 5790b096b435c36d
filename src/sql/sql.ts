/**
 * SQL as templates: a piece of SQL has its values with it, and a piece inside another becomes a part of that.
 *
 *     const isVisible = sql<boolean>`${d.userId} = ${userId}`;
 *     const query = sql<DomainRow>`select ${columns} from ${d} where ${d.zone} = ${zone} and ${isVisible}`;
 *     const [domain] = await query.run(session);
 */
import type { EntityManager } from "@mikro-orm/postgresql";
import { CompiledQuery } from "kysely";

export interface Reads {
  run<Row>(text: string, parameters: readonly unknown[]): Promise<Row[]>;
}

/** Where a statement runs: in the transaction of `em` if there is one, otherwise on `reads`, or without `reads` on the pool. */
export interface Carrier {
  readonly em: EntityManager;
  readonly reads?: Reads | undefined;
}

/** A piece of SQL; `Row` is the type of its rows, or of its value. */
export class Sql<Row = unknown> {
  /** Exists only as a type. */
  declare readonly row?: Row;
  /** The texts before, between and after the parameters. */
  readonly chunks: readonly string[];
  readonly parameters: readonly unknown[];

  constructor(chunks: readonly string[], parameters: readonly unknown[]) {
    this.chunks = chunks;
    this.parameters = parameters;
  }

  run(carrier: Carrier): Promise<Row[]> {
    return runText(carrier, textOf(this), this.parameters);
  }
}

export function textOf({ chunks }: Sql): string {
  let text = chunks[0] as string;
  for (let at = 1; at < chunks.length; at += 1) text += `$${at}${chunks[at]}`;
  return text;
}

export function runText<Row>(carrier: Carrier, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const { em, reads } = carrier;
  return reads && !em.isInTransaction() ? reads.run<Row>(text, parameters) : runOwn<Row>(carrier, text, parameters);
}

export async function runOwn<Row>({ em }: Carrier, text: string, parameters: readonly unknown[]): Promise<Row[]> {
  const query = CompiledQuery.raw(text, [...parameters]);
  return (await em.getKysely().getExecutor().executeQuery<Row>(query)).rows;
}

const raw = <Row = unknown>(text: string): Sql<Row> => new Sql([text], []);

const pieceOf = (value: unknown): Sql => (value instanceof Sql ? value : new Sql(["", ""], [value]));

function concat<Row>(pieces: readonly Sql[]): Sql<Row> {
  const chunks = [""];
  for (const piece of pieces) chunks.push(`${chunks.pop()}${piece.chunks[0]}`, ...piece.chunks.slice(1));
  return new Sql(
    chunks,
    pieces.flatMap(({ parameters }) => parameters),
  );
}

function template<Row = unknown>(texts: readonly string[], ...values: readonly unknown[]): Sql<Row> {
  return concat(texts.flatMap((text, at) => (at === 0 ? [raw(text)] : [pieceOf(values[at - 1]), raw(text)])));
}

export const sql = Object.assign(template, {
  raw,
  lit: (value: string | number) => raw(typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`),
  join: (items: readonly unknown[], separator = raw(", ")): Sql =>
    concat(items.flatMap((item, at) => (at === 0 ? [pieceOf(item)] : [separator, pieceOf(item)]))),
});
