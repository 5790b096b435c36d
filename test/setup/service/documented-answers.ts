/**
 * Holds every answer of REST that a test sees against the OpenAPI document: its status is one of its operation, and its body has the form
 * of its schema, without further fields.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { openApiDocument } from "../../../src/rest/openapi.ts";
import { routes } from "../../../src/rest/routes.ts";
import type { Answer, Json } from "./service.ts";

const document: Json = openApiDocument(routes, "test");

/** A schema whose objects have the fields that it names and no others. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return schema.properties && schema.type === "object" ? { ...copy, additionalProperties: false } : copy;
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema({ ...closed(document), $id: "openapi" });

const templates = Object.entries<Json>(document.paths).map(([template, operations]) => ({
  // Without parameters first: they are the more specific ones.
  parameters: template.split("{").length - 1,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`),
  template,
  operations,
}));
templates.sort((one, other) => one.parameters - other.parameters);

const pointer = (...parts: readonly string[]) =>
  `openapi#/${parts.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

/** What of an answer the document does not say; undefined when it says all of it. `path` comes without `/api`. */
export function undocumented(
  method: string,
  path: string,
  { status, headers, body, text }: Answer,
): string | undefined {
  const name = method.toLowerCase();
  if (name === "head" || name === "options") return undefined;
  const [pathname = ""] = path.split("?");
  const entry = templates.find(({ pattern }) => pattern.test(pathname));
  const operation = entry?.operations[name];
  const isJson = headers.get("content-type")?.startsWith("application/json");
  if (!entry || !operation || status === 405)
    return status >= 400 && isJson ? problem(pointer("components", "schemas", "Refusal"), body) : undefined;
  const response = operation.responses[status];
  if (!response) return `the status ${status} of ${method} ${entry.template} is not documented`;
  if (response.$ref) return problem(pointer("components", "schemas", "Refusal"), body);
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (!response.content) return text === "" ? undefined : `${method} ${entry.template} is documented without a body`;
  if (!response.content[type]) return `${type} of ${method} ${entry.template} is not documented`;
  const names = [...headers.keys()].filter((header) => /^(x-|link$|preference-applied$)/.test(header));
  const documented = Object.keys(response.headers).map((header) => header.toLowerCase());
  const others = names.filter((header) => !documented.includes(header) && !protective.includes(header));
  if (others.length > 0) return `the headers ${others.join(", ")} of ${method} ${entry.template} are not documented`;
  if (type !== "application/json") return undefined;
  return problem(pointer("paths", entry.template, name, "responses", String(status), "content", type, "schema"), body);
}

const protective = ["x-content-type-options", "x-frame-options"];

function problem(reference: string, body: unknown): string | undefined {
  const validate = ajv.getSchema(reference) ?? ajv.compile({ $ref: reference });
  return validate(body) ? undefined : ajv.errorsText(validate.errors);
}
