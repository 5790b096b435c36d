/**
 * How clients word a request: what each sends of the same operation, as it was recorded from the clients themselves (README.md has their
 * versions). In Node they all send by fetch, whose headers are part of it.
 */
import { type FieldNode, Kind, parse, print, type SelectionSetNode, visit } from "graphql";
import {
  adminKey,
  type Case,
  type Operation,
  type PeerCursors,
  type Question,
  type RestCase,
  type SideName,
} from "./cases.ts";
import type { Size } from "./data.ts";

/** One kind of client. */
export interface Shape {
  readonly name: string;
  /** Which cases it asks; left out where it asks all. */
  readonly asks?: (asked: Case) => boolean;
  /** The form of the floor's answers that has what this client's documents ask for (floor/forms.ts). */
  readonly form: "bare" | "typed" | "relay" | "rest";
  /** Who is asked so. */
  readonly sides: readonly SideName[];
  /** Over how many connections. */
  readonly connections: readonly number[];
  /** What it sends besides the key and the type of the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** The request of an operation; left out of the client that asks by REST. */
  readonly ask?: (operation: Operation) => Question;
  /** Whether the operation is that which answers as much as REST does. */
  readonly asRest?: boolean;
}

/** What fetch of Node 24 sends of itself. */
const ofFetch = {
  "Accept-Language": "*",
  "Sec-Fetch-Mode": "cors",
  "User-Agent": "node",
  "Accept-Encoding": "gzip, deflate",
};
/** The type of a body. */
const typeOf = (body: unknown) => ({
  "Content-Type": body instanceof URLSearchParams ? "application/x-www-form-urlencoded" : "application/json",
});

const field = (name: string, selectionSet?: SelectionSetNode): FieldNode => ({
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: name },
  ...(selectionSet && { selectionSet }),
});
const fields = (...selections: readonly FieldNode[]): SelectionSetNode => ({ kind: Kind.SELECTION_SET, selections });
const isNodes = (selection: unknown): selection is FieldNode => (selection as FieldNode).name.value === "nodes";

/** A document with what `change` makes of each selection set but the operation's own, the innermost first. */
const rewritten = (query: string, change: (set: SelectionSetNode) => SelectionSetNode) =>
  print(
    visit(parse(query), {
      SelectionSet: {
        leave: (set, _key, parent) =>
          (parent as { kind?: string }).kind === Kind.OPERATION_DEFINITION ? undefined : change(set),
      },
    }),
  );

/** A document as urql and Apollo Client send it: `__typename` comes last in each selection set. */
const typed = remembered((query) =>
  rewritten(query, ({ selections }) => fields(...(selections as FieldNode[]), field("__typename"))),
);

/** A document as relay-compiler prints it of lists with `@connection`: nodes in edges, each with `__typename` and cursor, and where the page ends. */
const connections = remembered((query) =>
  rewritten(query, (set) => {
    const nodes = set.selections.find(isNodes)?.selectionSet?.selections;
    if (!nodes) return set;
    const node = fields(...(nodes as FieldNode[]), field("__typename"));
    const edges = field("edges", fields(field("node", node), field("cursor")));
    return fields(edges, field("pageInfo", fields(field("endCursor"), field("hasNextPage"))));
  }),
);

const operationName = (query: string) => /^\w+ (\w+)/.exec(query)?.[1] ?? "";
/** What urql's address of a query has before the variables. */
const search = remembered((query) => {
  const parameters = { query: typed(query), operationName: operationName(query) };
  return `/graphql?${new URLSearchParams(parameters)}&variables=`;
});

/** The same function of a text, run once for each text. */
function remembered(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>();
  return (text) => {
    const before = made.get(text) ?? make(text);
    made.set(text, before);
    return before;
  };
}

const post = (body: unknown): Question => ({ method: "POST", path: "/graphql", body });
const bareHeaders = { Accept: "*/*" };
const inRest = ({ rest }: Case) => rest !== undefined;

/** A query with one more field, which costs graphql-js a few microseconds and is in no plan, so that resolvers answer the whole. */
const unplanned = remembered((query) => query.replace(/}$/, '__type(name: "Record") { name } }'));

export const shapes: readonly Shape[] = [
  {
    name: "bare",
    form: "bare",
    sides: ["floor", "pipelined", "service", "peer"],
    connections: [1, 16],
    headers: bareHeaders,
    ask: post,
  },
  {
    name: "urql",
    form: "typed",
    sides: ["floor", "service"],
    connections: [16],
    headers: {
      Accept:
        "application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed",
      ...ofFetch,
    },
    // A query is sent by GET while its address is at most 2,048 characters long, as that of every query here is. The keys of variables are
    // sorted besides, which changes no work of a server's.
    ask: ({ query, variables }) =>
      query.startsWith("query")
        ? { method: "GET", path: search(query) + encodeURIComponent(JSON.stringify(variables)) }
        : post({ operationName: operationName(query), query: typed(query), variables }),
  },
  {
    name: "Apollo Client",
    form: "typed",
    sides: ["floor", "service", "peer"],
    connections: [1, 16],
    headers: { Accept: "application/graphql-response+json,application/json;q=0.9", ...ofFetch },
    ask: ({ query, variables }) =>
      post({
        operationName: operationName(query),
        variables,
        extensions: { clientLibrary: { name: "@apollo/client", version: "4.3.8" } },
        query: typed(query),
      }),
  },
  {
    name: "Relay",
    form: "relay",
    sides: ["floor", "service"],
    connections: [16],
    headers: {
      Accept: "application/graphql-response+json; charset=utf-8, application/json; charset=utf-8",
      ...ofFetch,
    },
    ask: ({ query, variables }) => post({ query: connections(query), variables }),
  },
  {
    name: "graphql-request",
    form: "bare",
    sides: ["floor", "service"],
    connections: [16],
    headers: { Accept: "application/graphql-response+json, application/json", ...ofFetch },
    ask: ({ query, variables }) => post({ query, variables, operationName: operationName(query) }),
  },
  {
    name: "REST",
    asks: inRest,
    form: "rest",
    sides: ["floor", "service"],
    connections: [16],
    headers: { Accept: "*/*", ...ofFetch },
  },
  {
    name: "GraphQL as REST",
    asks: inRest,
    form: "rest",
    sides: ["service"],
    connections: [16],
    headers: bareHeaders,
    ask: post,
    asRest: true,
  },
  {
    name: "unplanned",
    asks: ({ writes }) => !writes,
    form: "bare",
    sides: ["floor", "service"],
    connections: [16],
    headers: bareHeaders,
    ask: ({ query, variables }) => post({ query: unplanned(query), variables }),
  },
];

/** The question of a side. */
export function questionOf(
  asked: Case,
  shape: Shape,
  side: SideName,
  n: number,
  size: Size,
  cursors: PeerCursors,
): Question {
  const { method, path, body } = wordsOf(asked, shape, side, n, size, cursors);
  const headers = { ...shape.headers, "X-API-Key": adminKey, ...(body !== undefined && typeOf(body)) };
  return { method, path, body, headers };
}

function wordsOf(
  asked: Case,
  { form, ask, asRest }: Shape,
  side: SideName,
  n: number,
  size: Size,
  cursors: PeerCursors,
): Question {
  if (side === "floor" || side === "pipelined") {
    const question = ((form === "rest" && asked.rest?.floor) || asked.floor)(n, size);
    return { ...question, path: `/${form}${question.path}` };
  }
  if (!ask) return (asked.rest as RestCase).ask(n, size);
  if (side === "peer") return ask(asked.peer(n, size, cursors));
  return ask(((asRest && asked.rest?.operation) || asked.operation)(n, size));
}
