/**
 * The normalized caches of clients keep every object by its id: Relay's store by the id alone, urql's graphcache, as Apollo's cache,
 * by type and id. What they read back is what the service answered.
 */
import { beforeAll, expect, test } from "@jest/globals";
import { Client, fetchExchange } from "@urql/core";
import { cacheExchange as graphcache } from "@urql/exchange-graphcache";
import { type DocumentNode, Kind, parse, type SelectionSetNode } from "graphql";
import relay from "relay-runtime";
import { Actors } from "../../setup/service/actors.ts";
import { adminKey, type Json, testService } from "../../setup/service/service.ts";

const service = testService();
const actors = new Actors(service);
beforeAll(async () => {
  await actors.enter();
  await actors.fixture();
});

/** A document that reaches every kind of object, some of them in two ways. */
const document = `query Everything {
  users(first: 5) { nodes { __typename id email } }
  domains(first: 5) { nodes { __typename id zone user { __typename id email }
    records(first: 5) { nodes { __typename id owner domain { __typename id zone } } }
    changes(first: 5) { nodes { __typename id serial domain { __typename id zone } } } } }
  apiKeys(first: 5) { nodes { __typename id name user { __typename id email } } }
  tsigKeys(first: 5) { nodes { __typename id name } }
  secondaries(first: 5) { nodes { __typename id name tsigKey { __typename id name } } }
}`;

test("urql's graphcache", async () => {
  const client = new Client({
    url: `${service.url}/graphql`,
    exchanges: [graphcache({}), fetchExchange],
    fetchOptions: { headers: { "X-API-Key": adminKey } },
    preferGetMethod: false,
  });
  const sent = await client.query(document, {}).toPromise();
  const cached = await client.query(document, {}, { requestPolicy: "cache-only" }).toPromise();
  expect(sent.error).toBeUndefined();
  expect(cached.data).toEqual(sent.data);
});

test("Relay's store, which knows an object by its id alone", async () => {
  const data = await service.data(document);
  const environment = new relay.Environment({
    network: relay.Network.create(() => ({ data })),
    store: new relay.Store(new relay.RecordSource()),
  });
  const operation = relay.createOperationDescriptor(requestOf(parse(document)), {});
  environment.commitPayload(operation, data);
  expect(environment.check(operation).status).toBe("available");
  expect(environment.lookup(operation.fragment).data).toEqual(data);
});

/** What Relay's compiler makes of a query that has no variables, fragments or aliases. */
function requestOf(document: DocumentNode): Json {
  const [definition] = document.definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error("the document is no operation");
  const selections = selectionsOf(definition.selectionSet);
  const named = { name: "Everything", argumentDefinitions: [], selections };
  return {
    kind: "Request",
    fragment: { ...named, kind: "Fragment", type: "Query", metadata: null },
    operation: { ...named, kind: "Operation" },
    params: { name: "Everything", operationKind: "query", id: null, cacheID: "everything", text: "", metadata: {} },
  };
}

const plural = ["nodes"];
const isNamed = ({ selections }: SelectionSetNode) =>
  selections.some((each) => each.kind === Kind.FIELD && each.name.value === "__typename");

function selectionsOf({ selections }: SelectionSetNode): Json[] {
  return selections.map((selection) => {
    if (selection.kind !== Kind.FIELD) throw new Error("the document has a fragment");
    const name = selection.name.value;
    const args = (selection.arguments ?? []).map(({ name: argument, value }) => ({
      kind: "Literal",
      name: argument.value,
      value: "value" in value ? value.value : null,
    }));
    const common = { alias: null, args: args.length > 0 ? args : null, name, storageKey: null };
    if (!selection.selectionSet) return { ...common, kind: "ScalarField" };
    const inner = {
      plural: plural.includes(name),
      concreteType: isNamed(selection.selectionSet) ? null : name,
      selections: selectionsOf(selection.selectionSet),
    };
    return { ...common, kind: "LinkedField", ...inner };
  });
}
