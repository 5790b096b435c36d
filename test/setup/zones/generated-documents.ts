/**
 * Documents of the schema's reads, generated from a seed: fields, aliases, fragments, directives, arguments and variables with right and
 * wrong values. A document is a tree, so that one that fails is made smaller by taking parts off it.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from "graphql";
import { Random } from "../basics/random.ts";
import type { SceneIds } from "./plan-scene.ts";

/** A selection of a document: a field, or a fragment around some. */
interface Selection {
  readonly head: string;
  readonly children: readonly Selection[];
  /** Whether something must be selected of it. */
  readonly isComposite: boolean;
}

export interface GeneratedDocument {
  readonly selections: readonly Selection[];
  /** By name, the type of each, and its value unless it is left out. */
  readonly variables: Readonly<Record<string, { readonly type: string; readonly value?: unknown }>>;
}

/** The text of a document; the variables that it does not use are left out. */
export function textOf({ selections, variables }: GeneratedDocument): string {
  const body = `{ ${selections.map(selectionText).join(" ")} }`;
  const used = Object.entries(variables).filter(([name]) => new RegExp(`\\$${name}\\b`).test(body));
  const declared = used.map(([name, { type }]) => `$${name}: ${type}`).join(", ");
  return `query${declared === "" ? "" : ` (${declared})`} ${body}`;
}

function selectionText({ head, children, isComposite }: Selection): string {
  if (!isComposite) return head;
  return `${head} { ${children.length > 0 ? children.map(selectionText).join(" ") : "__typename"} }`;
}

export function valuesOf({ variables }: GeneratedDocument): Record<string, unknown> {
  const sent = Object.entries(variables).filter(([, each]) => "value" in each);
  return Object.fromEntries(sent.map(([name, { value }]) => [name, value]));
}

/** Every document that has one selection less. */
export function* smaller(document: GeneratedDocument): Generator<GeneratedDocument> {
  for (const selections of without(document.selections)) if (selections.length > 0) yield { ...document, selections };
}

function* without(selections: readonly Selection[]): Generator<Selection[]> {
  for (const [at, selection] of selections.entries()) {
    yield selections.toSpliced(at, 1);
    for (const children of without(selection.children)) yield selections.with(at, { ...selection, children });
  }
}

/** The root fields that documents have, those that are planned more often than others. */
const rootNames = "record domain user domains records users domain domains change changes records".split(" ");
/** The fields of objects that documents do not have, since their answers depend on more than the data. */
const left = new Set(["serviceStatus"]);

export class DocumentGenerator {
  readonly #schema: GraphQLSchema;
  readonly #ids: SceneIds;
  readonly #cursors: readonly string[];
  readonly #random: Random;
  #variables: Record<string, { type: string; value?: unknown }> = {};

  constructor(schema: GraphQLSchema, ids: SceneIds, cursors: readonly string[], seed: number) {
    this.#schema = schema;
    this.#ids = ids;
    this.#cursors = cursors;
    this.#random = new Random(seed);
  }

  next(): GeneratedDocument {
    const random = this.#random;
    this.#variables = {};
    const query = this.#schema.getQueryType() as GraphQLObjectType;
    const count = random.chance(0.15) ? 2 : 1;
    const selections = Array.from({ length: count }, () =>
      this.#field(query, query.getFields()[random.pick(rootNames)] as GraphQLField<unknown, unknown>, 0),
    );
    if (random.chance(0.05)) selections.push({ head: "__typename", children: [], isComposite: false });
    return { selections, variables: this.#variables };
  }

  #field(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, depth: number): Selection {
    const random = this.#random;
    const alias = random.chance(0.15) ? `${random.pick(["a", "b", "c"])}${type.name}${field.name}: ` : "";
    const args = field.args.flatMap((arg) => this.#argument(arg, field.name));
    const distinct = alias === "" && args.length > 0 ? `f${Math.floor(random.next() * 1e6)}: ` : alias;
    const head = `${distinct}${field.name}${args.length > 0 ? `(${args.join(", ")})` : ""}${this.#directive()}`;
    const result = getNamedType(field.type);
    if (isUnionType(result)) return { head, children: this.#members(result, depth + 1), isComposite: true };
    if (!isObjectType(result)) return { head, children: [], isComposite: false };
    return { head, children: this.#selections(result, depth + 1), isComposite: true };
  }

  /** Selections of some members of a union, of those that rows have more often. */
  #members(type: GraphQLUnionType, depth: number): Selection[] {
    const random = this.#random;
    const members = type.getTypes().filter(({ name }) => random.chance(typesOfRows.test(name) ? 0.4 : 0.01));
    const selections = members.map((member) => ({
      head: `... on ${member.name}${this.#directive()}`,
      children: this.#selections(member, depth),
      isComposite: true,
    }));
    return random.chance(0.3) ? [...selections, { head: "__typename", children: [], isComposite: false }] : selections;
  }

  #selections(type: GraphQLObjectType, depth: number): Selection[] {
    const random = this.#random;
    const fields = Object.values(type.getFields()).filter(({ name, type: result }) => {
      const named = getNamedType(result);
      if (left.has(name) || (!isLeafType(named) && !isObjectType(named) && !isUnionType(named))) return false;
      return isLeafType(named) || depth < 5;
    });
    const wanted = 1 + Math.floor(random.next() * 4);
    const chosen = Array.from({ length: wanted }, () => this.#choose(fields, type)).filter(
      (each) => each !== undefined,
    );
    const selections = chosen.map((field) => this.#field(type, field, depth));
    if (random.chance(0.1)) selections.push({ head: "__typename", children: [], isComposite: false });
    if (selections.length === 0) selections.push({ head: "__typename", children: [], isComposite: false });
    if (!random.chance(0.15)) return selections;
    const head = random.pick([`... on ${type.name}${this.#directive()}`, "...", `...${this.#directive()}`]);
    return [{ head, children: selections, isComposite: true }];
  }

  /** A field; seldom one that a plan does not hold. */
  #choose(
    fields: readonly GraphQLField<unknown, unknown>[],
    type: GraphQLObjectType,
  ): GraphQLField<unknown, unknown> | undefined {
    if (fields.length === 0) return undefined;
    const field = this.#random.pick(fields);
    const isUsual = isLeafType(getNamedType(field.type)) || usual.has(`${type.name}.${field.name}`);
    if (field.name === "totalCount") return this.#random.chance(0.3) ? field : undefined;
    return isUsual || type.name.endsWith("Connection") || type.name.endsWith("Edge") || this.#random.chance(0.05)
      ? field
      : undefined;
  }

  #directive(): string {
    const random = this.#random;
    if (!random.chance(0.06)) return "";
    const name = random.pick(["skip", "include"]);
    return ` @${name}(if: ${random.chance(0.5) ? random.pick(["true", "false"]) : this.#variable("Boolean!", random.chance(0.5))})`;
  }

  #argument({ name, type: declared, defaultValue }: GraphQLArgument, of: string): string[] {
    const random = this.#random;
    const isRequired = isNonNullType(declared) && defaultValue === undefined;
    // A variable that may be null may stand where there is a default.
    const type = isRequired ? declared : getNullableType(declared);
    if (!isRequired && !random.chance({ first: 0.6, orderBy: 0.3, filter: 0.4 }[name] ?? 0.15)) return [];
    if (!random.chance(0.5)) return [`${name}: ${literal(this.#value(name, type, of), type)}`];
    const nullable = random.chance(0.1);
    const typeText = String(isRequired || nullable ? type : random.pick([type, `${type}!`]));
    if (!isRequired && nullable && random.chance(0.5)) return [`${name}: ${this.#leftOut(typeText)}`];
    return [`${name}: ${this.#variable(typeText, nullable && !isRequired ? null : this.#value(name, type, of))}`];
  }

  #variable(type: string, value: unknown): string {
    const name = `v${Object.keys(this.#variables).length}`;
    this.#variables[name] = { type, value };
    return `$${name}`;
  }

  #leftOut(type: string): string {
    const name = `v${Object.keys(this.#variables).length}`;
    this.#variables[name] = { type };
    return `$${name}`;
  }

  /** A value for an argument or a field of an input: mostly one that selects something. */
  #value(name: string, type: GraphQLInputType, of: string): unknown {
    const random = this.#random;
    const nullable = getNullableType(type);
    if (isListType(nullable))
      return Array.from({ length: Math.floor(random.next() * 3) }, () => this.#value(name, nullable.ofType, of));
    if (isEnumType(nullable)) return random.pick(nullable.getValues()).name;
    if (isInputObjectType(nullable)) return this.#input(nullable, of);
    const values: Readonly<Record<string, readonly unknown[]>> = {
      first: random.chance(0.05) ? [0, -1, 1001] : [1, 2, 5, 22, 23, 24, 50],
      last: random.chance(0.05) ? [0] : [1, 3, 23],
      after: random.chance(0.1) ? ["wrong", ""] : this.#cursorsOf(of),
      before: random.chance(0.1) ? ["wrong"] : this.#cursorsOf(of),
      id: random.chance(0.1) ? [...this.#ids.users, "0", "x", 7] : this.#idsOf(of),
      userId: [...this.#ids.users, "9"],
      zone: [
        ...this.#ids.zones,
        "Example.COM.",
        "bücher.example",
        "example.com",
        "a.example",
        "gone.example",
        "nowhere.example",
      ],
      owner: ["@", "h2", "*.xn--bcher-kva", "x.example.com.", "example.com", "a..b"],
      ownerPrefix: ["h", "H1", "", "x".repeat(300), "\u0001"],
      rdataContains: [
        "PLAIN",
        'quotes\\" and',
        "\\\\ BACKSLASHES",
        "100%_",
        "'quoted' %s",
        "ümlaut",
        "tab\tand\u0001",
        "a,b",
        "nul",
        "",
      ],
      zoneContains: ["EXAMPLE", "xn--", "bücher", "046DOT", "a.exa", "e", "nowhere", "100%"],
      labels: ["env=prod", "env", "stage", "a b"],
      noteContains: ["NOTE", '"h', "nothing"],
      types: random.chance(0.1) ? ["NOTHING"] : ["A", "txt", "TYPE65280"],
      actor: ["key of first@example.com", "tsig.example (TSIG)", "system", "100%_", "nobody"],
      email: ["first@example.com", "ZWEITE.o'neil@example.com", "none", "x".repeat(255)],
      createdSince: ["2026-01-01T00:00:00Z", "2026-11-21T11:33:00Z", "2026-02-04T12:00:00.002Z"],
      createdBefore: ["2026-02-08T00:00:00+01:00", "2026-11-21T11:50:00Z"],
    };
    if (random.chance(0.01)) return random.pick([null, true, 3.5, "\ud800", {}, "😀", "a\u0000b", 10 ** 12]);
    return random.pick(values[name] ?? ["x"]);
  }

  /** Ids of what a field is about; those of records for a record. */
  #idsOf(of: string): readonly string[] {
    if (/^users?$/.test(of)) return this.#ids.users;
    if (of === "change") return this.#ids.changes;
    return of === "record" ? this.#ids.records : this.#ids.domains;
  }

  /** Cursors of the lists of a noun. */
  #cursorsOf(of: string): readonly string[] {
    const fitting = this.#cursors.filter((cursor) =>
      Buffer.from(cursor, "base64url")
        .toString()
        .includes(`"${of.slice(0, -1)}.`),
    );
    return fitting.length > 0 ? fitting : this.#cursors;
  }

  #input(type: ReturnType<typeof getNullableType>, of: string): Record<string, unknown> {
    const random = this.#random;
    if (!isInputObjectType(type)) return {};
    const fields = Object.values(type.getFields());
    const chosen = type.isOneOf ? [random.pick(fields)] : fields.filter(() => random.chance(0.2));
    const value = (name: string, valueType: GraphQLInputType) =>
      !type.isOneOf && random.chance(0.1) ? null : this.#value(name, valueType, of);
    const usualFields = chosen.filter(({ name }) => !seldom.has(name) || random.chance(0.1));
    return Object.fromEntries(usualFields.map((field) => [field.name, value(field.name, field.type)]));
  }
}

/** The types of record data that rows have. */
const typesOfRows = /^(Mx|Txt|Srv|Caa|Soa|Raw)Data$/;

/** The fields of objects that plans hold. */
const usual = new Set(
  Object.entries({
    Record: "data domain changedBy",
    Domain: "user records labels recordCounts changes publication",
    User: "domains",
    Publication: "secondaries",
    SecondaryPublication: "secondary",
    Change: "user domain undoes returnsTo removed added publication",
  }).flatMap(([type, fields]) => fields.split(" ").map((field) => `${type}.${field}`)),
);

/** Selectors that depend on more than the data, and those that no plan holds. */
const seldom = new Set(["state", "labels", "noteContains"]);

function literal(value: unknown, type: GraphQLInputType): string {
  const nullable = getNullableType(type);
  if (Array.isArray(value)) {
    const item = isListType(nullable) ? nullable.ofType : nullable;
    return `[${value.map((each) => literal(each, item)).join(", ")}]`;
  }
  if (isInputObjectType(nullable) && typeof value === "object" && value !== null) {
    const fields = nullable.getFields();
    const entries = Object.entries(value).map(([name, each]) => [
      name,
      literal(each, fields[name]?.type as GraphQLInputType),
    ]);
    return `{ ${entries.map(([name, text]) => `${name}: ${text}`).join(", ")} }`;
  }
  if (isEnumType(getNamedType(type)) && typeof value === "string") return value;
  return JSON.stringify(value);
}
