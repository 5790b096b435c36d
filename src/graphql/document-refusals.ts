/**
 * Refusals for what graphql-js and Apollo refuse before a resolver runs. Each has a code of ours, the same one as in
 * REST, names the field, and says what to write instead. Errors of graphql-js differ in their messages alone, so the
 * messages are matched.
 */
import {
  type ArgumentNode,
  type ASTNode,
  BREAK,
  GraphQLError,
  type GraphQLSchema,
  isEnumType,
  Kind,
  type Location,
  type ObjectFieldNode,
  parse,
  visit,
} from "graphql";
import type { Code } from "../error-codes.ts";
import { Refusal } from "../errors.ts";
import { limits } from "./query-limits.ts";

/**
 * The refusal for an error of graphql-js or Apollo that the client caused. With the schema, a refused enum lists its
 * values.
 */
export function refusalOfDocument(error: GraphQLError, schema?: GraphQLSchema): Refusal {
  const { message } = error;
  if (limitReached.test(message)) {
    const advice = "Write a shorter one, and send values as variables.";
    return new Refusal("QUERY_TOO_COMPLEX", `The query asks for too much: ${sentence(message)} ${advice}`);
  }
  return refusalOfValue(error, schema) ?? refusalOfForm(message);
}

/**
 * The messages of graphql-js at its own limits: of the parser, and of the rules on introspection and on fields of one
 * name.
 */
const limitReached = /contains more tha[nt] \d+ tokens|^Maximum introspection depth exceeded|^Validation aborted\.$/;

/** The greatest length of a quoted message, characters: a message of graphql-js may quote the whole document. */
const maxClipped = 300;

const clipped = (text: string) => (text.length > maxClipped ? `${text.slice(0, maxClipped)}…` : text);
const sentence = (text: string) => (/[.?!…]$/.test(text) ? text : `${text}.`);

/** A value that is wrong or missing. `field` is empty when it is not known; `reason` is the message of graphql-js. */
interface WrongValue {
  readonly field: string;
  readonly reason: string;
}

/** The refusal for a value that is missing, unknown or of the wrong type; undefined for an error of another kind. */
function refusalOfValue(error: GraphQLError, schema: GraphQLSchema | undefined): Refusal | undefined {
  const value = wrongVariable(error) ?? wrongLiteral(error);
  if (!value) return undefined;
  const { reason } = value;
  const name = /^Field "(?:\w+\.)?(\w+)" (?:of required|is not defined)/.exec(reason)?.[1];
  const field = name === undefined || name === lastOf(value.field) ? value.field : joined(value.field, name);
  if (isNotOne.test(reason))
    return refuse("INVALID_VALUE", field, "is not one selection; send exactly one of its fields, with a value");
  if (isMissing.test(reason)) return refuse("MISSING_FIELD", field, "is missing; send it");
  if (isNull.test(reason)) return refuse("MISSING_FIELD", field, "is null; send a value");
  const unknown = /^Field "\w+" is not defined by type "(\w+)"\.?( Did you mean .*\?)?$/.exec(reason);
  if (unknown) {
    const [, type, suggestion = ""] = unknown;
    return refuse(
      "BAD_REQUEST",
      field,
      `is not a field of ${type}; leave it out, or write one that it has`,
      suggestion,
    );
  }
  if (lastOf(field) === "ttl")
    return refuse("INVALID_TTL", field, "is not a TTL; write whole seconds from 0 to 2147483647");
  return refuse(
    "INVALID_VALUE",
    field,
    `is not valid (${withoutStop(clipped(reason))}); write ${wanted(reason, schema)}`,
  );
}

function refuse(code: Code, field: string, why: string, suggestion = ""): Refusal {
  const message = `${field === "" ? "A value" : field} ${why}.${suggestion}`;
  return new Refusal(code, message, field === "" ? {} : { field });
}

const isMissing = new RegExp(
  '^(?:Field|Variable|Argument) "[^"]*" of required type "[^"]*" was (?:not )?provided|' +
    '^(?:Field|Directive) "[^"]*" argument "\\w+" of type "[^"]*" is required',
);
/** The messages about an input that takes exactly one of its fields (`@oneOf`). */
const isNotOne = /^Exactly one key must be specified|^OneOf Input Object|^Field "[^"]*" must be non-null/;
const isNull =
  /^(?:Variable|Argument) "[^"]*" of non-null type |^Expected non-nullable type |^Expected value of type "[^"]*!", found null\.$/;

const lastOf = (field: string) => field.slice(field.lastIndexOf(".") + 1);
const joined = (field: string, name: string) => (field === "" ? name : `${field}.${name}`);
const withoutStop = (text: string) => text.replace(/\.$/, "");

/** The field of a refused value; undefined when the error is not about a value. */
export function fieldOfValue(error: GraphQLError): string | undefined {
  return (wrongVariable(error) ?? wrongLiteral(error))?.field || undefined;
}

/** The value of a variable that graphql-js refuses; undefined when the error is not about one. */
function wrongVariable(error: GraphQLError): WrongValue | undefined {
  const variable = /^Variable "\$(\w+)" (?:of (?:required|non-null) type|got invalid value)/.exec(error.message)?.[1];
  if (variable === undefined) return undefined;
  const cause = causeOf(error);
  if (!cause) return { field: variable, reason: error.message };
  // The value itself comes before the path, and may hold anything.
  const before = error.message.slice(0, -cause.message.length);
  const path = / at "([\w.[\]]+)"; $/.exec(before)?.[1] ?? variable;
  const isInside = /^Field "\w+" /.test(cause.message);
  // A variable with an input object has a name of the client's choice, which names no field.
  const inner = path.startsWith(`${variable}.`) ? path.slice(variable.length + 1) : path;
  return { field: fieldName(inner) || (isInside ? "" : path), reason: cause.message };
}

/** The original error, whose message this error repeats after a prefix. */
function causeOf(error: GraphQLError): GraphQLError | undefined {
  for (let cause = error.originalError; cause instanceof GraphQLError; cause = cause.originalError)
    if (cause.message !== error.message && error.message.endsWith(cause.message)) return cause;
  return undefined;
}

/** The name that a refusal has for a field: its path without the input, filter or selector around it. */
export function fieldName(path: string): string {
  return path
    .replace(/\[(\d+)\]/g, ".$1")
    .replace(/^(?:input|filter)(?:\.|$)/, "")
    .replace(/^by\./, "");
}

/** The messages of graphql-js about a value in the document. */
const aboutLiteral = [
  /^(?:Int|Float|String|Boolean|Enum "\w+") cannot represent /,
  /^Value "[^"]*" does not exist in "\w+" enum/,
  /^Expected value of type |^Argument "\w+" |argument "\w+" of type "[^"]*" is required/,
  /^OneOf Input Object|^Field "[^"]*" must be non-null/,
  /^Field "\w+\.\w+" of required type |^Field "\w+" is not defined by type /,
];

/** A value that is wrong or missing in the document; undefined when the error is not about one. */
function wrongLiteral({ message, nodes }: GraphQLError): WrongValue | undefined {
  if (!aboutLiteral.some((pattern) => pattern.test(message))) return undefined;
  const argument =
    /^(?:Field|Directive) "[^"]*" argument "(\w+)"/.exec(message)?.[1] ?? /^Argument "(\w+)"/.exec(message)?.[1];
  if (argument !== undefined) return { field: argument, reason: message };
  const [node] = nodes ?? [];
  return { field: node?.loc ? fieldName(pathOf(node, node.loc)) : "", reason: message };
}

/** The path of a value in the document, in the form of a variable's path: `input.add[3].rdata`. */
function pathOf({ kind }: ASTNode, { start, source }: Location): string {
  let path = "";
  visit(parse(source.body, { maxTokens: limits.tokens }), {
    enter(node, _key, parent, _path, ancestors) {
      if (node.loc?.start !== start || node.kind !== kind) return undefined;
      path = [...ancestors, ...(parent ? [parent] : []), node].reduce<string>((before, each, at, nodes) => {
        if (Array.isArray(each)) {
          const list = nodes[at - 1] as ASTNode;
          const index = each.indexOf(nodes[at + 1]);
          return list.kind === Kind.LIST ? `${before}[${index}]` : before;
        }
        const { kind: kindOfEach } = each as ASTNode;
        if (kindOfEach === Kind.ARGUMENT) return (each as ArgumentNode).name.value;
        return kindOfEach === Kind.OBJECT_FIELD ? `${before}.${(each as ObjectFieldNode).name.value}` : before;
      }, "");
      return BREAK;
    },
  });
  return path;
}

/** What to write in place of a refused value. */
function wanted(reason: string, schema: GraphQLSchema | undefined): string {
  const typeName = /"(\w+)" enum|[Ee]num "(\w+)"|type "\[*(\w+)/.exec(reason)?.slice(1).find(Boolean);
  const type = typeName === undefined ? undefined : schema?.getType(typeName);
  if (isEnumType(type))
    return `one of ${type
      .getValues()
      .map(({ name }) => name)
      .join(", ")}`;
  const scalar = /^(Int|Float|String|Boolean) /.exec(reason)?.[1] ?? typeName ?? "";
  return wantedOfScalar[scalar] ?? `a value of the type ${scalar}, as schema.graphql describes it`;
}

const wantedOfScalar: Readonly<Record<string, string>> = {
  Int: "a whole number, without quotes",
  Float: "a number",
  String: "one text, in quotes",
  Boolean: "true or false",
};

/** The refusal for a document or a request of the wrong form. */
function refusalOfForm(message: string): Refusal {
  // Clients of automatic persisted queries compare the message with this word, and then send the text.
  if (/^PersistedQuery\w+$/.test(message)) return new Refusal("BAD_REQUEST", message);
  const names = /^Variable "\$(\w+)"|^Unknown argument "(\w+)"/.exec(message)?.slice(1);
  const field = names?.find((name) => name !== undefined);
  const advice =
    advices.find(([pattern]) => pattern.test(message))?.[1] ?? "See schema.graphql for what can be written.";
  return new Refusal("BAD_REQUEST", `${sentence(clipped(message))} ${advice}`, field === undefined ? {} : { field });
}

/** What the client is to do, by the message. */
const advices: readonly (readonly [RegExp, string])[] = [
  [/^Syntax Error: Unterminated string/, "Close the string with a quote, or send it as a variable."],
  [/^Syntax Error: .*<EOF>/, "Write the whole document, and close every brace, as in { ttlPolicy { min } }."],
  [/^Syntax Error/, "Write a GraphQL document, such as { ttlPolicy { min } }, and send values as variables."],
  [/^Cannot query field "/, "Write a field that schema.graphql has for this type."],
  [/^Unknown argument "/, "Leave it out, or write an argument that schema.graphql has here."],
  [/^Unknown type "/, "Write the name of a type of schema.graphql."],
  [/^Unknown directive "/, "Leave it out, or write @include(if: …) or @skip(if: …)."],
  [
    /^Directive "@\w+" may not be used on|^The directive "/,
    "Write it once, on a field or a fragment, or leave it out.",
  ],
  [/must have a selection of subfields|must have at least one field selected/, "Write the fields you want in braces."],
  [/^Field "\w+" must not have a selection/, "Leave out its braces."],
  [/^Fields "/, "Write an alias before one of them, as in other: name."],
  [/^Unknown fragment "/, "Define it in the same document, as in fragment name on Type { … }, or leave it out."],
  [/^Fragment "\w+" is never used/, "Spread it, as in ...name, or leave it out."],
  [/^Cannot spread fragment "/, "Leave out the spread that closes the circle."],
  [/^Fragment (?:"\w+" )?cannot /, "Write it on a type that can be there."],
  [/^Variable "\$\w+" is not defined/, "Declare it after the operation's name, as in query ($id: ID!)."],
  [/^Variable "\$\w+" is never used/, "Use it, or leave out its declaration."],
  [/^Variable "\$\w+" of type "/, "Declare it with the type that is expected."],
  [/^Variable "\$\w+" (?:cannot be non-input|expected value)/, "Declare it with a scalar, an enum or an input type."],
  [/^There can be only one |can only be defined once/, "Leave out the others, or rename them."],
  [/anonymous operation|multiple operations/, "Send one operation, or name each and send one name in operationName."],
  [/^Unknown operation named "/, "Send the name of an operation of the document in operationName."],
  [/^Must provide an operation/, "Write an operation, such as { ttlPolicy { min } }."],
  [/must select only one top level field|must not select an introspection/, "Select one field of Subscription."],
  [/definition is not executable|^Cannot (?:define|extend)|already (?:exists|defined) in the schema/, "Leave it out."],
  [/^Too many errors processing variables/, "Correct the others first."],
  [/^Schema is not configured/, "Send a query or a mutation."],
  [/POST body missing|non-empty `query`|^GraphQL queries must be strings/, 'Send {"query": "…"} as application/json.'],
  [/`variables`/, "Send the variables as an object, by their names without the dollar sign."],
  [/`operationName`/, "Send a text, or leave it out."],
  [/`extensions`/, "Leave them out."],
  [/batching|^No operations found/, "Send each operation in a request of its own."],
  [/only (?:support query|supports only GET)|supports only GET\/POST|GET requests/, "Send it by POST."],
  [/search parameter/, "Send it once, with its JSON percent-encoded, or send a POST."],
  [/'accept' header/, "Send Accept: application/json."],
  [/incremental delivery/, "Send it without @defer and @stream."],
];
