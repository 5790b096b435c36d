/**
 * What the form of one GraphQL operation may be: judged before any other rule, and each fragment once, so that a chain of fragments
 * costs no more than its text. The rows it may load are judged in rows.ts, when its variables are known.
 */
import {
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";
import { validationAbortedError } from "graphql/validation/validationAbortedError.js";
import { Refusal } from "../errors.ts";

/** The limits, all of them whole numbers; introspection may go deeper, since its depth follows that of types. */
export const limits = {
  tokens: 2000,
  depth: 10,
  introspectionDepth: 20,
  selections: 1000,
  repeats: 30,
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
  readonly repeats: number;
  readonly aliases: number;
  readonly directives: number;
}

const nothing: Size = { depth: 0, introspectionDepth: 0, selections: 0, repeats: 0, aliases: 0, directives: 0 };

/** The validation rule that refuses documents of too great a form, and spares the other rules the sight of them. */
export function complexityRule(context: ValidationContext): ASTVisitor {
  return {
    Document(document) {
      const excess = excessOf(document);
      if (!excess) return undefined;
      context.reportError(new GraphQLError(excess.message, { originalError: excess }));
      throw validationAbortedError;
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
    const depth = definition.kind === Kind.OPERATION_DEFINITION ? size.depth : 0;
    for (const [name, value] of Object.entries({ ...size, directives, depth })) {
      if (value > limits[name as keyof Size]) return tooComplex(name as keyof Size, value);
    }
  }
  return undefined;
}

const limitNames: Readonly<Record<keyof typeof limits, string>> = {
  tokens: "words",
  depth: "levels",
  introspectionDepth: "levels of introspection",
  selections: "fields",
  repeats: "repeated fields",
  aliases: "aliases",
  directives: "directives",
  fragments: "fragments",
  rows: "rows",
};

/** The refusal of an operation that asks for `value` of what is limited. */
export function tooComplex(what: keyof typeof limitNames, value: number): Refusal {
  const limit = limits[what];
  const asked = value > 1e6 ? "more than a million" : String(value);
  return new Refusal(
    "QUERY_TOO_COMPLEX",
    `The query asks for ${asked} ${limitNames[what]}; at most ${limit} are answered. Split it, or ask for smaller pages.`,
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
      repeats: inner.repeats,
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
    return { ...total, repeats: total.repeats + repeatsOf(selections) };
  };
  return measure;
}

/** How many fields of a selection ask again for what another of them asks: every two of them would be compared. */
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
