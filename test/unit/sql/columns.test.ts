import { expect, test } from "@jest/globals";
import { BigIntType } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property } from "@mikro-orm/decorators/legacy";
import { MikroORM } from "@mikro-orm/postgresql";
import { entities, ormOptions } from "../../../src/service/database/open-database.ts";
import { type EntityRow, type RowOf, table } from "../../../src/sql/columns.ts";
import { sql, textOf } from "../../../src/sql/sql.ts";

class Shelf {
  declare id: number;
}
PrimaryKey({ type: new BigIntType("number") })(Shelf.prototype, "id");
Entity({ tableName: "shelf" })(Shelf);

class Book {
  declare id: number;
  declare title: string;
  declare printedAt?: Date | null;
  declare number: string;
  declare authors?: string[] | null;
  declare cover: Buffer;
  declare shelf?: Shelf | null;
  declare successor: Book;
  notes = "no column";
}
// Decorators as functions: Node runs this file as it stands.
PrimaryKey({ type: new BigIntType("number") })(Book.prototype, "id");
Property({ type: "text" })(Book.prototype, "title");
Property({ type: "datetime", nullable: true })(Book.prototype, "printedAt");
Property({ type: "text", fieldName: "isbn13" })(Book.prototype, "number");
Property({ columnType: "text[]", type: "array", nullable: true })(Book.prototype, "authors");
Property({ type: "blob" })(Book.prototype, "cover");
ManyToOne(() => Shelf, { fieldName: "place", nullable: true })(Book.prototype, "shelf");
ManyToOne(() => Book, { fieldName: "successor_id" })(Book.prototype, "successor");
Entity({ tableName: "book" })(Book);

const b = table(Book, "b");
const book = table(Book);

test("a query names the table and its columns by the entity's properties", () => {
  const query = sql`select ${b.columns("id", "printedAt", "number", "shelfId")} from ${b}
    where ${b.title} = ${"Emma"} and ${b.shelfId} is null`;
  expect(textOf(query)).toBe(
    `select "b"."id", "b"."printed_at" as "printedAt", "b"."isbn13" as "number", "b"."place" as "shelfId" from "book" as "b"
    where "b"."title" = $1 and "b"."place" is null`,
  );
  expect(query.parameters).toEqual(["Emma"]);
});

test("a plain template takes the same references; without an alias, in inserts and in updates columns stand alone", () => {
  expect(`select ${b.title} from ${b}, ${book} where ${book.shelfId} = $1`).toBe(
    `select "b"."title" from "book" as "b", "book" where "place" = $1`,
  );
  expect(`insert into ${b} (${b.names("title", "shelfId")})`).toBe(`insert into "book" as "b" ("title", "place")`);
});

test("a select list is of all columns unless some are named, and lists join", () => {
  expect(`${table(Shelf, "s").columns()}`).toBe(`"s"."id"`);
  expect(`${book.columns()}`).toContain(`"title", "printed_at" as "printedAt"`);
  expect(`${b.columns("title").and(table(Shelf, "s").columns("id"))}`).toBe(`"b"."title", "s"."id"`);
});

test("rows have the types of the properties: relations are ids, optional values may be null", () => {
  const columns = b.columns("title", "printedAt", "authors", "shelfId", "successorId", "cover");
  const row: RowOf<typeof columns> = {
    title: "Emma",
    printedAt: null,
    authors: null,
    shelfId: null,
    successorId: 7,
    cover: Buffer.alloc(0),
  };
  // @ts-expect-error title is not nullable
  const untitled: typeof row = { ...row, title: null };
  // @ts-expect-error a row that has been read is not written to
  row.title = "Persuasion";
  const whole: Pick<EntityRow<Book>, "id" | "authors"> = { id: 1, authors: ["Austen"] as readonly string[] };
  expect([row, untitled, whole]).toHaveLength(3);
});

test("a column that was renamed in its entity neither compiles nor starts under its old name", () => {
  const renamed = /Book has no column for name;/;
  // @ts-expect-error no such property
  expect(() => b.columns("id", "name")).toThrow(renamed);
  // @ts-expect-error no such property
  expect(() => b.names("name")).toThrow(renamed);
  // @ts-expect-error no such property
  expect(() => `${b.name}`).toThrow(renamed);
  // @ts-expect-error the relation's column holds an id
  expect(() => b.columns("shelf")).toThrow("Book has no column for shelf;");
});

test("a property without a column, and a class that is not an entity, do not start", () => {
  expect(() => b.columns("notes")).toThrow("Book has no column for notes;");
  expect(() => b.notes).toThrow("Book has no column for notes;");
  expect(() => table(class Loose {})).toThrow("Loose is not an entity.");
  expect(() => table(class Magazine extends Book {})).toThrow("Magazine is not an entity.");
});

test("every column of every entity is the one that MikroORM finds", async () => {
  const orm = await MikroORM.init(ormOptions({ url: "postgresql://localhost/none" }));
  try {
    for (const entity of entities as (new () => { id: number })[]) {
      const { tableName, properties } = orm.getMetadata().get(entity);
      const fields = Object.values(properties).map((property) => `"${property.fieldNames[0]}"`);
      const reference = table(entity);
      expect(`${reference}`).toBe(`"${tableName}"`);
      expect(`${reference.columns()}`.replaceAll(/ as "\w+"/g, "").split(", ")).toEqual(fields);
    }
  } finally {
    await orm.close(true);
  }
});
