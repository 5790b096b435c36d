/**
 * What the log line of a GraphQL request says: the name of its operation, and the codes of its refusals. A path says
 * neither, since all operations have the same one.
 */
import type { ApolloServerPlugin } from "@apollo/server";
import { type GraphQLFormattedError, Kind, type OperationDefinitionNode } from "graphql";
import { isDryRun } from "../audit/audited.ts";
import type { Caller, Context } from "./context.ts";

/** How much of a name is logged, characters. */
const maxNameLength = 100;

/** The name of an operation; of one without a name, its kind and its fields, such as `query domain user`. */
export function operationName({ name, operation, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : "…"));
  return (name?.value ?? [operation, ...new Set(fields)].join(" ")).slice(0, maxNameLength);
}

/** What an operation is counted as: its root field, which the schema has; `several` where there are more. */
export function endpointOf({ selectionSet: { selections } }: OperationDefinitionNode): string {
  const [first, ...others] = new Set(
    selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : undefined)),
  );
  return first !== undefined && others.length === 0 ? first : "several";
}

/** What is noted of an operation. */
export const operationNote = (operation: OperationDefinitionNode) => ({
  operation: operationName(operation),
  endpoint: endpointOf(operation),
});

/** Notes the codes of errors as they are answered. */
export function noteRefusals(caller: Caller, errors: readonly GraphQLFormattedError[]): void {
  const codes = new Set(errors.map(({ extensions }) => String(extensions?.code)));
  if (codes.size > 0) caller.note({ refusals: [...codes] });
}

/** The plugin of Apollo Server that notes them. */
export const operationLog: ApolloServerPlugin<Context> = {
  async requestDidStart() {
    return {
      // One that is not valid has no operation yet; what it would have been is in the audit of refusals.
      async didEncounterErrors({ document, operation, request, contextValue: { caller } }) {
        const operations = document?.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION) ?? [];
        const [only] = operations;
        if (!operation && only && operations.length === 1) caller.note({ endpoint: endpointOf(only) });
        if (Object.values(request.variables ?? {}).some(isDryRun)) caller.note({ isAudited: true });
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
