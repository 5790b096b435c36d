/** Connections: a page of a list in the schema. Each noun has one, and all have the same form. */
import { type ClassType, Field, Int, ObjectType } from "type-graphql";
import type { Page } from "../lists/pagination.ts";

@ObjectType({ description: "The position of a page in its list.", simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, {
    description: "Whether rows follow, for `after: endCursor`; with `last`, whether `before` was sent.",
  })
  hasNextPage!: boolean;

  @Field(() => Boolean, {
    description: "Whether rows precede, for `before: startCursor`; with `first`, whether `after` was sent.",
  })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: "Cursor of the first row; null on an empty page." })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: "Cursor of the last row; null on an empty page." })
  endCursor!: string | null;
}

/** A page in the form of the schema; only selected fields are computed. */
export class Connection<Row extends object> {
  readonly #page: Page<Row>;

  constructor(page: Page<Row>) {
    this.#page = page;
  }

  get nodes(): readonly Row[] {
    return this.#page.rows;
  }

  get edges(): { cursor: string; node: Row }[] {
    return this.#page.rows.map((node) => ({ cursor: this.#page.cursor(node), node }));
  }

  get pageInfo(): PageInfo {
    const { rows, hasNextPage, hasPreviousPage, cursor } = this.#page;
    const [first, last] = [rows[0], rows.at(-1)];
    return {
      hasNextPage,
      hasPreviousPage,
      startCursor: first ? cursor(first) : null,
      endCursor: last ? cursor(last) : null,
    };
  }

  get totalCount(): Promise<number> {
    return this.#page.count();
  }
}

/** Makes the object type `<name>Connection`, a page of `node`. */
export function connectionType(name: string, node: ClassType<object>): ClassType<Connection<object>> {
  @ObjectType(`${name}Edge`, { description: `A row of a list of ${name}, with its cursor.`, simpleResolvers: true })
  class Edge {
    @Field(() => String, { description: "The position of the row; opaque." })
    cursor!: string;

    @Field(() => node, { description: "The row." })
    node!: object;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of ${name}.`, simpleResolvers: true })
  class NamedConnection {
    @Field(() => [node], { description: "The rows." })
    nodes!: object[];

    @Field(() => [Edge], { description: "The rows with their cursors." })
    edges!: Edge[];

    @Field(() => PageInfo, { description: "The position of the page." })
    pageInfo!: PageInfo;

    @Field(() => Int, {
      nullable: true,
      description: "Rows of the whole list; counted only when selected, null when that is refused.",
    })
    totalCount!: number;
  }
  return NamedConnection as unknown as ClassType<Connection<object>>;
}
