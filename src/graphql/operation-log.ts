/**
 * What a GraphQL request adds to its log line: the name of its operation and the codes of its refusals, since all
 * operations have the same path.
 */
import type { ApolloServerPlugin } from "@apollo/server";
import {
  type FieldNode,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  valueFromASTUntyped,
} from "graphql";
import { isDryRun } from "../audit/audited.ts";
import type { Caller, Context } from "./context.ts";

/** The greatest length of a logged name, characters. */
const maxNameLength = 100;

/** The name of an operation; without a name, its kind and its root fields, such as `query domain user`. */
export function operationName({ name, operation, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : "…"));
  return (name?.value ?? [operation, ...new Set(fields)].join(" ")).slice(0, maxNameLength);
}

/** The endpoint of an operation in metrics: its root field, or `several` and `several mutations` for more than one. */
export function endpointOf({ operation, selectionSet: { selections } }: OperationDefinitionNode): string {
  const [first, ...others] = new Set(
    selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : undefined)),
  );
  if (first !== undefined && others.length === 0) return first;
  return operation === OperationTypeNode.MUTATION ? "several mutations" : "several";
}

/**
 * The endpoint of an invalid operation in metrics: only root fields that the schema has count, since a client can
 * invent any others.
 */
function endpointOfInvalid(definition: OperationDefinitionNode, schema: GraphQLSchema): string | undefined {
  const fields = schema.getRootType(definition.operation)?.getFields() ?? {};
  const isThere = (each: SelectionNode) => each.kind !== Kind.FIELD || Object.hasOwn(fields, each.name.value);
  const selections = definition.selectionSet.selections.filter(isThere);
  return selections.length > 0
    ? endpointOf({ ...definition, selectionSet: { kind: Kind.SELECTION_SET, selections } })
    : undefined;
}

type Variables = Readonly<Record<string, unknown>>;

/** Whether every mutation of the operation asks for a dry run in its input. The operation may be invalid. */
export function isOnlyTried(
  { operation, selectionSet, variableDefinitions = [] }: OperationDefinitionNode,
  sent: Variables,
) {
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  const variables = Object.fromEntries(Object.entries(sent).filter(([name]) => declared.has(name)));
  const isTried = ({ arguments: [input, ...others] = [] }: FieldNode) =>
    others.length === 0 && input !== undefined && isDryRun(valueFromASTUntyped(input.value, variables));
  const isMutation = operation === OperationTypeNode.MUTATION;
  return isMutation && selectionSet.selections.every((each) => each.kind === Kind.FIELD && isTried(each));
}

export const operationNote = (operation: OperationDefinitionNode) => ({
  operation: operationName(operation),
  endpoint: endpointOf(operation),
});

/** Notes the codes of the answered errors. */
export function noteRefusals(caller: Caller, errors: readonly GraphQLFormattedError[]): void {
  const codes = new Set(errors.map(({ extensions }) => String(extensions?.code)));
  if (codes.size > 0) caller.note({ refusals: [...codes] });
}

/** The plugin that notes the operations and refusals that Apollo answers. */
export const operationLog: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      // An invalid document has no operation; the audit of refusals needs the one that was sent.
      async didEncounterErrors({ document, operation, request, schema, contextValue: { caller } }) {
        const definition = operation ?? (document && getOperationAST(document, request.operationName));
        if (!definition) return;
        const endpoint = operation ? undefined : endpointOfInvalid(definition, schema);
        if (endpoint !== undefined) caller.note({ endpoint });
        if (isOnlyTried(definition, request.variables ?? {})) caller.note({ isAudited: true });
      },
      async didResolveOperation({ operation, contextValue: { caller } }) {
        if (operation) caller.note(operationNote(operation));
      },
      async willSendResponse({ response: { body }, contextValue: { caller } }) {
        const errors = body.kind === "single" ? (body.singleResult.errors ?? []) : [];
        noteRefusals(caller, errors);
      },
    };
  },
};
