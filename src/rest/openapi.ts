/**
 * The REST interface as an OpenAPI 3.1 document, `/openapi.json`, which needs no key. It is made of the table of routes
 * when the service starts. Limitation: with REST_ENVELOPE it describes only the contents of `data`.
 */
import type { RequestHandler } from "express";
import { codes } from "../error-codes.ts";
import { Refusal } from "../errors.ts";
import { type Schema, schemaOf, schemas } from "./bodies.ts";
import { differenceDocs } from "./differences.ts";
import { zoneFileDocs } from "./master-files.ts";
import type { Parameter, Route, RouteDocs } from "./route-form.ts";
import { noteHeader } from "./write-headers.ts";

type Method = Route["method"];
type Json = Readonly<Record<string, unknown>>;

const formTypes = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];

const headers: Readonly<Record<string, string>> = {
  "X-Request-Id": "The id of the request, as it was sent or given; the log has it.",
  "X-Change-Id": "The id of the change: GET /change/{id}.",
  "X-Zone-Serial": "The SOA serial of the zone after the request.",
  "X-Warning": "What was accepted and is probably a mistake; a header for each.",
  "X-Publication": "The state of the change when the wait that was preferred has ended.",
  "Preference-Applied": "The wait that was granted (RFC 7240).",
  "X-Total-Count": "Rows of the whole list; of a page, and of the domains of a user.",
  Link: "Of a page, the next one; of the oldest domain of a user with several, the list of them (RFC 8288).",
  "Retry-After": "Seconds after which to try again.",
};
const always = ["X-Request-Id", "X-Warning"];
const ofChange = ["X-Change-Id", "X-Zone-Serial", "X-Publication", "Preference-Applied"];
const ofList = ["X-Total-Count", "Link"];

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const parameterOf = (where: "path" | "query", { name, schema, description, isRequired }: Parameter): Json => ({
  name,
  in: where,
  ...((where === "path" || isRequired) && { required: true }),
  description,
  schema,
});

const pathDescriptions: Readonly<Record<string, string>> = {
  id: "The id of the object.",
  userid: "The id of the user.",
  zoneid: "The id of the domain, or the zone name.",
  zone: "Zone name in any spelling.",
};

const pathParameters = (path: string): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => ({
    name,
    schema: { type: "string" },
    description: pathDescriptions[name] ?? `The ${name}.`,
  }));

const preferWait: Json = {
  name: "Prefer",
  in: "header",
  description:
    "`wait=10` holds the answer until the change is live, or for that number of seconds, 60 at most (RFC 7240).",
  schema: { type: "string", examples: ["wait=10"] },
};

const note: Json = {
  name: noteHeader,
  in: "header",
  description: "Why the change is made, for the journal: UTF-8, at most 500 characters on one line.",
  schema: { type: "string", maxLength: 500, examples: ["the mail server moves"] },
};

function bodyOf(fields: readonly Parameter[]): Json {
  const properties = Object.fromEntries(
    fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
  );
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = { type: "object", properties, ...(required.length > 0 && { required }) };
  const content = Object.fromEntries(formTypes.map((type) => [type, { schema }]));
  return { ...(required.length > 0 && { required: true }), content };
}

/** The refusals of all paths by status, without 405, since another method is not an operation of the path. */
const refusals = Object.entries(Object.groupBy(Object.entries(codes), ([, { status }]) => status)).filter(
  ([status]) => status !== "405",
);

const refusalResponses = Object.fromEntries(
  refusals.map(([status]) => [status, { $ref: `#/components/responses/Refusal${status}` }]),
);

/** An operation of a path; `content` is the content of a success by media type. */
function operation(
  method: Method,
  path: string,
  route: RouteDocs & { readonly isList?: boolean },
  status: number,
  content: Json | undefined,
): Json {
  const { summary, query = [], body, isChange } = route;
  const [, tag = ""] = path.split("/");
  return {
    tags: [tag],
    operationId: [method, ...path.split("/").map((part) => part.replace(":", "by_"))].filter(Boolean).join("_"),
    summary,
    parameters: [
      ...pathParameters(path).map((parameter) => parameterOf("path", parameter)),
      ...query.map((parameter) => parameterOf("query", parameter)),
      ...(isChange ? [preferWait, note] : []),
    ],
    ...(body && { requestBody: bodyOf(body) }),
    responses: {
      [status]: {
        description: content ? "Success." : "Success, without a body.",
        headers: headerRefs([
          ...always,
          ...(isChange ? ofChange : []),
          ...(route.isList || path.includes("userid") ? ofList : []),
        ]),
        ...(content && { content }),
      },
      ...refusalResponses,
    },
  };
}

const json = (schema: Schema): Json => ({ "application/json": { schema } });

/** The rows of one path and method as one operation; the row that fits the request answers it. */
function operationOf(rows: readonly Route[]): Json {
  const first = rows[0] as Route;
  const { method, path } = first;
  const docs = rows.map((row): RouteDocs => row.docs);
  const answers = docs.flatMap(({ answer }) => (answer ? [answer] : []));
  const merged = {
    ...(docs[0] as RouteDocs),
    isList: rows.some((row) => "list" in row),
    query: [...new Map(docs.flatMap(({ query = [] }) => query).map((each) => [each.name, each])).values()],
  };
  const [answer] = answers;
  const content = answer && json(answers.length > 1 ? { anyOf: answers } : answer);
  return operation(method, path, merged, ("status" in first && first.status) || 200, content);
}

const differencePath = "/domain/diff/:zone";
const zoneFilePath = "/domain/zonefile/:zone";

function zoneFileOperations(): Json {
  const file: Json = { schema: { type: "string" } };
  const { read, write } = zoneFileDocs;
  const lines = { schema: { type: "string", description: "A JSON text a line: progress, at last status and body." } };
  return {
    get: operation("get", zoneFilePath, read, 200, { "text/dns": file }),
    post: {
      ...operation("post", zoneFilePath, write, 200, { ...json(schemaOf("Import")), "application/x-ndjson": lines }),
      requestBody: { required: true, content: { "text/dns": file } },
    },
  };
}

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const [path, rows] of Map.groupBy(routes, (row) => row.path)) {
    const methods = Map.groupBy(rows, ({ method }) => method);
    paths[templateOf(path)] = Object.fromEntries(
      [...methods].map(([method, ofMethod]) => [method, operationOf(ofMethod)]),
    );
  }
  paths[templateOf(zoneFilePath)] = zoneFileOperations();
  const text: Json = { "text/x-diff": { schema: { type: "string" } } };
  paths[templateOf(differencePath)] = { get: operation("get", differencePath, differenceDocs, 200, text) };
  const responses = Object.fromEntries(
    refusals.map(([status, ofStatus = []]) => [
      `Refusal${status}`,
      {
        description: ofStatus.map(([code, { meaning }]) => `${code}: ${meaning}`).join("\n\n"),
        headers: headerRefs(["X-Request-Id", ...(["429", "503"].includes(status) ? ["Retry-After"] : [])]),
        content: json(schemaOf("Refusal")),
      },
    ]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "Zonesmith",
      version,
      summary: "DNS zones, their records, and how far they are published.",
      description:
        "Bodies are forms, multipart or JSON, on DELETE too, of 128 KB at most. Paths work with and without a trailing slash. " +
        "GraphQL at `/graphql` has the same and more; its errors have the same codes.",
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/api" }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-API-Key" } },
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]),
      ),
      responses,
      schemas,
    },
  };
}

/** Serves a document to everyone, whatever key a request has. */
export function serveDocument(document: Json): RequestHandler {
  const body = JSON.stringify(document);
  return (request, response) => {
    if (request.method === "OPTIONS") return void response.set("Allow", "GET, HEAD").end();
    if (request.method !== "GET" && request.method !== "HEAD")
      throw new Refusal("METHOD_NOT_ALLOWED", "Only GET and HEAD are methods of this path.");
    response.type("application/json").send(body);
  };
}

/** A path as OpenAPI writes it: `/change/:id` is `/change/{id}`. */
export const templateOf = (path: string) => path.replaceAll(/:(\w+)/g, "{$1}");
