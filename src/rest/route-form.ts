/** The form of a row of the table of REST paths (routes.ts). */
import type { DomainData, Schema } from "./bodies.ts";
import type { RestRequest } from "./request.ts";

export type Variables = Readonly<Record<string, unknown>>;

/** The fields that have another name on a path than in GraphQL: from the name in GraphQL to the name on the path. */
export type FieldNames = Readonly<Record<string, string>>;

/** A parameter of the path or the query, or a field of the body. */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  readonly description: string;
  readonly isRequired?: true;
}

/** A route as the reference shows it. */
export interface RouteDocs {
  readonly summary: string;
  readonly query?: readonly Parameter[];
  readonly body?: readonly Parameter[];
  /** The body of a success; a route without one answers without a body. */
  readonly answer?: Schema;
  /** Whether it commits a change of a zone, so that it may wait for publication. */
  readonly isChange?: true;
}

// biome-ignore lint/suspicious/noExplicitAny: data has the form of its operation, which is validated at start
type Data = any;

/** A path whose response is one object; without a view it has no body. */
export interface OneRoute {
  readonly method: "get" | "post" | "put" | "delete";
  readonly path: string;
  readonly docs: RouteDocs;
  /** The status of a success; 200 by default. */
  readonly status?: 201 | 204;
  readonly operation: string;
  readonly variables: (request: RestRequest) => Variables;
  readonly view?: (data: Data) => unknown;
  /** Selects a domain of the data, which is then streamed with all its records. */
  readonly domain?: (data: Data) => DomainData | undefined;
  readonly names?: FieldNames | ((request: RestRequest) => FieldNames);
  /** Headers besides those of a change. */
  readonly headers?: (data: Data, request: RestRequest) => Record<string, string>;
  /** Whether the body holds record data, which may contain the & that ends a field of a form. */
  readonly hasData?: true;
}

/** A path whose response is a whole list, streamed, or a page of it when `limit` or `cursor` is sent. */
export interface ListRoute {
  readonly method: "get";
  readonly path: string;
  readonly docs: RouteDocs;
  readonly list: "users" | "records" | "domains" | "changes";
  /** The object of the data that has the list; without it, the data itself. */
  readonly of?: "zoneHistory";
  readonly operation: string;
  readonly variables: (request: RestRequest) => Variables;
  /** Rows of each page that is read, 1 to 1000. */
  readonly pageSize: number;
  readonly view?: (node: Data) => unknown;
  /** Whether the operation's rows are those of the response, but for the form of values and the page of records. */
  readonly isText?: true;
  readonly names?: FieldNames;
  /** Whether this route leaves the request to the next route of the same path. */
  readonly unless?: (request: RestRequest) => boolean;
}

export type Route = OneRoute | ListRoute;
