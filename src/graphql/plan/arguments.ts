/**
 * The arguments of a field. A plan is made for the arguments that are sent and their form; their values are known when
 * the plan runs.
 */
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isNonNullType,
  Kind,
  type ValueNode,
  valueFromAST,
  visit,
} from "graphql";
import { isPlainText } from "../checked-fields.ts";
import type { Variables } from "../declared-variables.ts";
import { giveUp, type Source, Unplannable } from "./plan-run.ts";

/** A value that is sent and not null: where a run finds it, and its value in the request for which the plan is made. */
export interface Argument {
  readonly source: Source;
  readonly sample: unknown;
  /** Whether the value is the same in every request. */
  readonly isFixed: boolean;
}

/**
 * The sent arguments by name; fields of filters and selectors are among them, under their own names. A null counts as
 * not sent, as for resolvers.
 */
export type Arguments = ReadonlyMap<string, Argument>;

/** The inputs whose fields select rows. */
const inputs = ["filter", "by"];

/** Reads the arguments of a field in a request with these variables. */
export function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode, sample: Variables): Arguments {
  const all = new Map<string, Argument>();
  for (const { name, type, defaultValue } of field.args) {
    const value = node.arguments?.find((each) => each.name.value === name)?.value;
    for (const [path, argument] of read(value, type, defaultValue, sample, name)) {
      const [first = "", ...rest] = path.split(".");
      if (rest.length > (inputs.includes(first) ? 1 : 0)) throw new Unplannable(`argument ${path}`);
      all.set(rest[0] ?? first, argument);
    }
  }
  return all;
}

type Entry = readonly [path: string, argument: Argument];

function read(
  node: ValueNode | undefined,
  type: GraphQLInputType,
  defaultValue: unknown,
  sample: Variables,
  path: string,
): Entry[] {
  if (node === undefined || (node.kind === Kind.VARIABLE && !Object.hasOwn(sample, node.name.value)))
    return defaultValue === undefined ? [] : fixed(defaultValue, type, path);
  if (node.kind === Kind.VARIABLE) {
    const { value: name } = node.name;
    // graphql-js refuses this when the field is executed: a nullable variable is accepted for a non-null argument with
    // a default.
    if (sample[name] === null && isNonNullType(type)) throw new Unplannable(`null for ${path}`);
    return leavesOf(sample[name], ({ variables }) => variables[name], type, path);
  }
  const nullable = getNullableType(type);
  if (node.kind === Kind.OBJECT && isInputObjectType(nullable)) {
    const nodes = new Map(node.fields.map((each) => [each.name.value, each.value]));
    return Object.values(nullable.getFields()).flatMap((field) =>
      read(nodes.get(field.name), field.type, field.defaultValue, sample, `${path}.${field.name}`),
    );
  }
  if (hasVariable(node)) throw new Unplannable(`variables in the list ${path}`);
  return fixed(valueFromAST(node, type), type, path);
}

const fixed = (value: unknown, type: GraphQLInputType, path: string) =>
  leavesOf(value, () => value, type, path).map(([name, argument]): Entry => [name, { ...argument, isFixed: true }]);

/** The values in an input object, or the value itself. */
function leavesOf(value: unknown, source: Source, type: GraphQLInputType, path: string): Entry[] {
  if (value === null || value === undefined) return [];
  const nullable = getNullableType(type);
  if (isInputObjectType(nullable))
    return Object.values(nullable.getFields()).flatMap(({ name, type: inner }) =>
      leavesOf((value as Variables)[name], (given) => (source(given) as Variables)[name], inner, `${path}.${name}`),
    );
  return [[path, { source: checked(source, path), sample: value, isFixed: false }]];
}

/** The arguments that are cursors; their form is checked where they are read. */
const cursors = ["after", "before"];

/** A source that gives up on a text which the argument does not accept. */
function checked(source: Source, path: string): Source {
  const name = path.slice(path.lastIndexOf(".") + 1);
  if (cursors.includes(name)) return source;
  return (given) => {
    const value = source(given);
    return typeof value !== "string" || isPlainText(name, value) ? value : giveUp();
  };
}

function hasVariable(node: ValueNode): boolean {
  let has = false;
  visit(node, {
    Variable() {
      has = true;
    },
  });
  return has;
}
