/**
 * The forms of the floor's answers, so that it gives each client what that client's document asks for: what the bare query names, the same
 * with `__typename` in each object, as urql and Apollo Client ask for it, and the edges, cursors and page info that Relay asks for.
 */

/** A page of rows: those that were read for it, of which one beyond its size only shows that there are more. */
interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly size: number;
  /** Whether the bare query asks if there are more. */
  readonly asksForMore?: boolean;
  readonly node: (row: Row) => object;
  /** What the cursor of a row holds. */
  readonly key: (row: Row) => readonly unknown[];
}

export interface Form {
  /** The `__typename` of an object; undefined, which JSON leaves out, where it is not asked for. */
  readonly type: (name: string) => string | undefined;
  /** The same of the nodes of a list. */
  readonly nodeType: (name: string) => string | undefined;
  /** How many rows are read beyond a page whose bare query does not ask if there are more. */
  readonly beyond: number;
  /** A list, given the name of its type without "Connection". */
  readonly list: <Row>(name: string, page: PageOf<Row>) => object;
}

/** A row as an object of an answer, with its `__typename` where that is asked for. */
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
