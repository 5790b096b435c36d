/**
 * The shapes of requests: what each client sends for an operation, recorded from the clients (README.md has their versions). In Node they
 * all use fetch, whose headers are included.
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

export interface Shape {
  readonly name: string;
  /** The cases of this client; missing for all cases. */
  readonly asks?: (asked: Case) => boolean;
  /** The form of the floor answers that contains everything the documents of this client request (floor/forms.ts). */
  readonly form: "bare" | "typed" | "relay" | "rest";
  /** The sides that are measured with this shape. */
  readonly sides: readonly SideName[];
  readonly connections: readonly number[];
  /** The headers besides the key and the media type of the body. */
  readonly headers: Readonly<Record<string, string>>;
  /** The request of an operation; missing for the REST client. */
  readonly ask?: (operation: Operation) => Question;
  /** Whether the operation requests the same content as REST. */
  readonly asRest?: boolean;
}

/** The headers that fetch of Node 24 adds. */
const ofFetch = {
  "Accept-Language": "*",
  "Sec-Fetch-Mode": "cors",
  "User-Agent": "node",
  "Accept-Encoding": "gzip, deflate",
};
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

/** Returns a document in which `change` has replaced each selection set, except that of the operation, from the inside out. */
const rewritten = (query: string, change: (set: SelectionSetNode) => SelectionSetNode) =>
  print(
    visit(parse(query), {
      SelectionSet: {
        leave: (set, _key, parent) =>
          (parent as { kind?: string }).kind === Kind.OPERATION_DEFINITION ? undefined : change(set),
      },
    }),
  );

/** A document in the form of urql and Apollo Client: `__typename` comes last in each selection set. */
const typed = remembered((query) =>
  rewritten(query, ({ selections }) => fields(...(selections as FieldNode[]), field("__typename"))),
);

/** A document as relay-compiler prints it for `@connection`: nodes in edges, each with `__typename` and cursor, and `pageInfo`. */
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
/** The part of the urql address of a query before the variables. */
const search = remembered((query) => {
  const parameters = { query: typed(query), operationName: operationName(query) };
  return `/graphql?${new URLSearchParams(parameters)}&variables=`;
});

/** Returns a function that computes the result for each text only once. */
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

/** Returns a query with one more field, which costs graphql-js a few microseconds and is in no plan: resolvers answer the whole query. */
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
    // A query is sent by GET while its address has at most 2,048 characters, as every query here. The keys of variables are sorted, which
    // does not change the work of a server.
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

/** The request to a side. */
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
