/**
 * What one GraphQL operation may ask for. The form of a document is judged before it runs, each fragment once, so that a chain of
 * fragments costs no more than its text; the rows it may load are judged when its variables are known.
 */
import {
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";
import { getArgumentValues } from "graphql/execution/values.js";
import { Refusal } from "../errors.ts";

/** The limits, all of them whole numbers; introspection may go deeper, since its depth follows that of types. */
export const limits = {
  tokens: 2000,
  depth: 10,
  introspectionDepth: 20,
  selections: 1000,
  aliases: 30,
  fragments: 20,
  directives: 30,
  rows: 10_000,
};

/** What a selection amounts to once its fragments are spread out. */
interface Size {
  readonly depth: number;
  readonly introspectionDepth: number;
  readonly selections: number;
  readonly aliases: number;
  readonly directives: number;
}

const nothing: Size = { depth: 0, introspectionDepth: 0, selections: 0, aliases: 0, directives: 0 };

/** The validation rule that refuses documents of too great a form. */
export function complexityRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const excess = excessOf(document);
      if (excess) context.reportError(new GraphQLError(excess.message, { originalError: excess }));
      return undefined;
    },
  };
}

function excessOf(document: DocumentNode): Refusal | undefined {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > limits.fragments) return tooComplex("fragments", fragments.length);
  const measure = measurer(new Map(fragments.map((fragment) => [fragment.name.value, fragment])));
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const size = measure(definition.selectionSet);
    const directives = size.directives + count(definition.directives);
    for (const [name, value] of Object.entries({ ...size, directives })) {
      if (value > limits[name as keyof Size]) return tooComplex(name as keyof Size, value);
    }
  }
  return undefined;
}

const words: Readonly<Record<keyof Size | "fragments" | "rows", string>> = {
  depth: "levels",
  introspectionDepth: "levels of introspection",
  selections: "fields",
  aliases: "aliases",
  directives: "directives",
  fragments: "fragments",
  rows: "rows",
};

function tooComplex(what: keyof typeof words, value: number): Refusal {
  const limit = limits[what];
  const asked = value > 1e6 ? "more than a million" : String(value);
  return new Refusal(
    "QUERY_TOO_COMPLEX",
    `The query asks for ${asked} ${words[what]}; at most ${limit} are answered. Split it, or ask for smaller pages.`,
  );
}

const count = (directives: readonly DirectiveNode[] | undefined) => directives?.length ?? 0;

function measurer(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): (selections: SelectionSetNode | undefined) => Size {
  const measured = new Map<string, Size>();
  const ofFragment = (name: string): Size => {
    const known = measured.get(name);
    if (known) return known;
    measured.set(name, nothing);
    const size = measure(fragments.get(name)?.selectionSet);
    measured.set(name, size);
    return size;
  };
  const ofField = (field: FieldNode): Size => {
    const inner = measure(field.selectionSet);
    const isIntrospection = field.name.value.startsWith("__");
    return {
      depth: isIntrospection ? 1 : inner.depth + 1,
      introspectionDepth: isIntrospection
        ? Math.max(inner.depth, inner.introspectionDepth) + 1
        : inner.introspectionDepth,
      selections: inner.selections + 1,
      aliases: inner.aliases + (field.alias ? 1 : 0),
      directives: inner.directives,
    };
  };
  const measure = (selections: SelectionSetNode | undefined): Size => {
    let total = nothing;
    for (const selection of selections?.selections ?? []) {
      const size =
        selection.kind === Kind.FIELD
          ? ofField(selection)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value)
            : measure(selection.selectionSet);
      total = add(total, size, count(selection.directives));
    }
    return total;
  };
  return measure;
}

function add(a: Size, b: Size, directives: number): Size {
  return {
    depth: Math.max(a.depth, b.depth),
    introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth),
    selections: a.selections + b.selections,
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives + directives,
  };
}

/** Refuses an operation whose nested pages could load too many rows; the document has passed the rule above. */
export function checkRows(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const root = schema.getRootType(operation.operation);
  const fragments = new Map(
    document.definitions
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const rows = root ? rowsOf({ schema, fragments, variables }, root, operation.selectionSet) : 0;
  if (rows > limits.rows) throw tooComplex("rows", rows);
}

interface Counting {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly variables: Readonly<Record<string, unknown>>;
}

function rowsOf(counting: Counting, type: GraphQLObjectType, selections: SelectionSetNode | undefined): number {
  let rows = 0;
  for (const selection of selections?.selections ?? []) {
    if (selection.kind === Kind.FIELD) rows += rowsOfField(counting, type, selection);
    else if (selection.kind === Kind.INLINE_FRAGMENT)
      rows += rowsOf(counting, narrowed(counting, type, selection.typeCondition?.name.value), selection.selectionSet);
    else {
      const fragment = counting.fragments.get(selection.name.value);
      rows += rowsOf(counting, narrowed(counting, type, fragment?.typeCondition.name.value), fragment?.selectionSet);
    }
  }
  return rows;
}

function narrowed({ schema }: Counting, type: GraphQLObjectType, name: string | undefined): GraphQLObjectType {
  const condition = name === undefined ? undefined : schema.getType(name);
  return isObjectType(condition) ? condition : type;
}

/** A connection answers `first` rows, each with what is asked of it; its edges and nodes are the same rows. */
function rowsOfField(counting: Counting, type: GraphQLObjectType, field: FieldNode): number {
  const definition = type.getFields()[field.name.value];
  const answered = definition && getNamedType(definition.type);
  if (!definition || !isObjectType(answered)) return 0;
  const inner = rowsOf(counting, answered, field.selectionSet);
  if (!definition.args.some((argument) => argument.name === "first")) return inner;
  const { first } = getArgumentValues(definition, field, counting.variables as Record<string, unknown>);
  return Number(first) * (1 + inner);
}
