/**
 * The forms of the floor answers, so that each client gets what its document requests: the fields of the bare query; the same with
 * `__typename` in each object (urql, Apollo Client); or edges, cursors and page info (Relay).
 */

/** A page of rows; an additional row only shows that there are more. */
interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly size: number;
  /** Whether the bare query requests `hasNextPage`. */
  readonly asksForMore?: boolean;
  readonly node: (row: Row) => object;
  readonly key: (row: Row) => readonly unknown[];
}

export interface Form {
  /** The `__typename` of an object; undefined, which JSON omits, when it is not requested. */
  readonly type: (name: string) => string | undefined;
  /** The `__typename` of the nodes of a list. */
  readonly nodeType: (name: string) => string | undefined;
  /** How many additional rows are read when the bare query does not request `hasNextPage`. */
  readonly beyond: number;
  /** A list; its type name is given without "Connection". */
  readonly list: <Row>(name: string, page: PageOf<Row>) => object;
}

/** A row as an object of an answer, with its `__typename` on request. */
export const withType = (row: object, __typename: string | undefined): object =>
  __typename === undefined ? row : { ...row, __typename };

const nothing = () => undefined;
const itself = (name: string) => name;
const nodes = <Row>({ rows, size, node }: PageOf<Row>) => (rows.length > size ? rows.slice(0, size) : rows).map(node);
const cursorOf = (key: readonly unknown[]) => Buffer.from(JSON.stringify(key)).toString("base64url");

export const forms: Readonly<Record<"bare" | "typed" | "relay", Form>> = {
  bare: {
    type: nothing,
    nodeType: nothing,
    beyond: 0,
    list: (_name, page) => ({
      nodes: nodes(page),
      pageInfo: page.asksForMore ? { hasNextPage: page.rows.length > page.size } : undefined,
    }),
  },
  typed: {
    type: itself,
    nodeType: itself,
    beyond: 0,
    list: (name, page) => ({
      nodes: nodes(page),
      pageInfo: page.asksForMore ? { hasNextPage: page.rows.length > page.size, __typename: "PageInfo" } : undefined,
      __typename: `${name}Connection`,
    }),
  },
  relay: {
    type: nothing,
    nodeType: itself,
    beyond: 1,
    list: (_name, page) => {
      const { rows, size, key } = page;
      const edges = nodes(page).map((node, at) => ({ node, cursor: cursorOf(key(rows[at] as (typeof rows)[number])) }));
      return { edges, pageInfo: { endCursor: edges.at(-1)?.cursor ?? null, hasNextPage: rows.length > size } };
    },
  },
};
