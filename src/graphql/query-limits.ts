/**
 * Limits of GraphQL documents: a validation rule that runs before all others. It measures each fragment once, so that a
 * chain of fragments takes no more time than its text. row-limit.ts limits the number of rows, once the variables are
 * known.
 */
import {
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type ParseOptions,
  type SelectionSetNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
} from "graphql";
import { validationAbortedError } from "graphql/validation/validationAbortedError.js";
import { Refusal } from "../errors.ts";

/**
 * The limits of a document. A page with a hundred components, each with a fragment, is within them. Introspection may
 * be deeper, since types refer to types.
 */
export const limits = {
  tokens: 5000,
  depth: 10,
  introspectionDepth: 20,
  selections: 2000,
  repeats: 30,
  aliases: 30,
  fragments: 100,
  directives: 30,
  rows: 10_000,
};

/**
 * The largest body of a request, bytes. It has room for 1,000 records to add, 1,000 to update and 1,000 to remove, each
 * three times as long as usual.
 */
export const maxRequestBytes = 1024 * 1024;

export const parseOptions: ParseOptions = { maxTokens: limits.tokens };

/** The size of a selection with its fragments expanded. */
interface Size {
  readonly depth: number;
  readonly introspectionDepth: number;
  readonly selections: number;
  readonly repeats: number;
  readonly aliases: number;
  readonly directives: number;
}

const emptySize: Size = { depth: 0, introspectionDepth: 0, selections: 0, repeats: 0, aliases: 0, directives: 0 };

/** The validation rule that refuses documents over a limit before the more expensive rules run. */
export function complexityRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const refusal = checkSize(document);
      if (!refusal) return undefined;
      context.reportError(new GraphQLError(refusal.message, { originalError: refusal }));
      throw validationAbortedError;
    },
  };
}

/** The rules for documents that Apollo does not validate. */
export const admissionRules: readonly ValidationRule[] = [...specifiedRules, complexityRule];

/** The refusal of a document that exceeds a limit; undefined when it is within all limits. */
function checkSize(document: DocumentNode): Refusal | undefined {
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > limits.fragments) return tooComplex("fragments", fragments.length);
  const measure = createMeasure(new Map(fragments.map((fragment) => [fragment.name.value, fragment])));
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue;
    const size = measure(definition.selectionSet);
    const directives = size.directives + lengthOf(definition.directives);
    const depth = definition.kind === Kind.OPERATION_DEFINITION ? size.depth : 0;
    for (const [name, value] of Object.entries({ ...size, directives, depth })) {
      if (value > limits[name as keyof Size]) return tooComplex(name as keyof Size, value);
    }
  }
  return undefined;
}

const limitNames: Readonly<Record<keyof typeof limits, string>> = {
  tokens: "tokens",
  depth: "levels",
  introspectionDepth: "levels of introspection",
  selections: "fields",
  repeats: "repeated fields",
  aliases: "aliases",
  directives: "directives",
  fragments: "fragments",
  rows: "rows",
};

/** The refusal of an operation whose `value` exceeds the limit of `what`. */
export function tooComplex(what: keyof typeof limits, value: number): Refusal {
  const limit = limits[what];
  const amount = value > 1e6 ? "more than a million" : String(value);
  return new Refusal(
    "QUERY_TOO_COMPLEX",
    `The query has ${amount} ${limitNames[what]}; at most ${limit} are allowed. ${what === "rows" ? "Ask for smaller pages, or split it" : "Split it"}.`,
    { details: { limit, value } },
  );
}

const lengthOf = (directives: readonly DirectiveNode[] | undefined) => directives?.length ?? 0;

/** Makes the function that measures a selection, and caches the sizes of fragments. */
function createMeasure(
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): (selections: SelectionSetNode | undefined) => Size {
  const measured = new Map<string, Size>();
  const ofFragment = (name: string): Size => {
    const cached = measured.get(name);
    if (cached) return cached;
    measured.set(name, emptySize);
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
      repeats: inner.repeats,
      aliases: inner.aliases + (field.alias ? 1 : 0),
      directives: inner.directives,
    };
  };
  const measure = (selections: SelectionSetNode | undefined): Size => {
    let total = emptySize;
    for (const selection of selections?.selections ?? []) {
      const size =
        selection.kind === Kind.FIELD
          ? ofField(selection)
          : selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value)
            : measure(selection.selectionSet);
      total = add(total, size, lengthOf(selection.directives));
    }
    return { ...total, repeats: total.repeats + repeatsOf(selections) };
  };
  return measure;
}

/**
 * The number of fields in a selection that repeat the response name of another: graphql-js compares all pairs of them.
 */
function repeatsOf(selections: SelectionSetNode | undefined): number {
  const fields = (selections?.selections ?? []).filter((selection) => selection.kind === Kind.FIELD);
  return fields.length - new Set(fields.map(({ alias, name }) => (alias ?? name).value)).size;
}

function add(a: Size, b: Size, directives: number): Size {
  return {
    depth: Math.max(a.depth, b.depth),
    introspectionDepth: Math.max(a.introspectionDepth, b.introspectionDepth),
    selections: a.selections + b.selections,
    repeats: a.repeats + b.repeats,
    aliases: a.aliases + b.aliases,
    directives: a.directives + b.directives + directives,
  };
}
