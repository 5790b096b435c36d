/** The client: urql with a normalized cache, optimistic results, and subscriptions over server-sent events. */
import { type Cache, cacheExchange, type Entity } from "@urql/exchange-graphcache";
import { Client, fetchExchange, mapExchange } from "urql";
import type {
  CreateRecordMutation,
  CreateRecordMutationVariables,
  DeleteRecordMutation,
  DeleteRecordMutationVariables,
  DomainChangedSubscription,
  UpdateRecordMutationVariables,
} from "./generated/graphql";
import { reasonsOf } from "./refusal";

/** The first changes of a zone's journal, which its page shows. */
export const shownChanges = 5;

/** The prefix of the ids that records have until they are committed. */
export const pendingId = "pending:";

/** Types without an id: the cache keeps them inside the object that holds them. */
const embedded = ["ChangedRecord", "DomainEvent", "Publication", "SecondaryPublication", "TtlPolicy", "Viewer"];

const keyOf = (type: string) => (data: object) => String((data as Record<string, unknown>)[type]);

const cache = () =>
  cacheExchange({
    keys: {
      ...Object.fromEntries(embedded.map((type) => [type, () => null])),
      RecordTypeInfo: keyOf("type"),
    },
    optimistic: {
      createRecord({ input: { zone, owner, type, rdata, ttl } }: CreateRecordMutationVariables, cache: Cache) {
        const id = `${pendingId}${owner} ${type} ${rdata}`;
        const defaultTtl = cache.resolve(cache.resolve("Query", "ttlPolicy") as string, "default");
        const domain = linkTo(cache, "Domain", cache.resolve("Query", "domain", { by: { zone } }));
        const fields = { owner, ownerUnicode: owner, type, rdata, ttl: ttl ?? defaultTtl };
        return {
          __typename: "RecordPayload",
          record: { __typename: "Record", id, ...fields, domain },
          notices: [],
        };
      },
      updateRecord({ input: { recordId, ...input } }: UpdateRecordMutationVariables, cache: Cache) {
        const key = { __typename: "Record", id: recordId };
        const value = (name: "owner" | "type" | "rdata" | "ttl") => input[name] ?? cache.resolve(key, name);
        const fields = { owner: value("owner"), type: value("type"), rdata: value("rdata"), ttl: value("ttl") };
        const domain = linkTo(cache, "Domain", cache.resolve(key, "domain"));
        const record = { ...key, ...fields, ownerUnicode: fields.owner, domain };
        return { __typename: "RecordPayload", record, notices: [] };
      },
      deleteRecord: ({ input: { recordId } }: DeleteRecordMutationVariables) => ({
        __typename: "DeleteWithChangePayload",
        deletedId: recordId,
        notices: [],
      }),
    },
    updates: {
      Mutation: {
        createRecord({ createRecord }: CreateRecordMutation, _args, cache) {
          if (!createRecord?.record.domain) return;
          const key = cache.keyOfEntity({ __typename: "Record", id: createRecord.record.id }) as string;
          editPages(cache, { __typename: "Domain", id: createRecord.record.domain.id }, (records) => [key, ...records]);
        },
        deleteRecord({ deleteRecord }: DeleteRecordMutation, { input }: DeleteRecordMutationVariables, cache) {
          if (!deleteRecord) return;
          const record = { __typename: "Record", id: input.recordId };
          const key = cache.keyOfEntity(record);
          const domain = cache.resolve(record, "domain") as string;
          editPages(cache, domain, (records) => records.filter((each) => each !== key));
        },
      },
      Subscription: {
        domainChanged({ domainChanged: { change, domain } }: DomainChangedSubscription, _args, cache) {
          if (change.kind !== "EDIT") invalidate(cache, "Query", ["domains"]);
          if (domain && newestChange(cache, domain.id) !== cache.keyOfEntity({ __typename: "Change", id: change.id }))
            invalidate(cache, { __typename: "Domain", id: domain.id }, ["records", "changes"]);
        },
      },
    },
  });

function linkTo(cache: Cache, __typename: string, key: unknown) {
  return { __typename, id: cache.resolve(key as string, "id") as string };
}

/** The newest change of a domain that the cache has, so that an event of a known one makes nothing stale. */
function newestChange(cache: Cache, id: string): string | undefined {
  const page = cache.resolve({ __typename: "Domain", id }, "changes", { first: shownChanges }) as string | null;
  return page ? (cache.resolve(page, "nodes") as string[])[0] : undefined;
}

/** Makes fields stale, with whatever arguments; what shows them reads them again. */
function invalidate(cache: Cache, entity: Entity, names: readonly string[]): void {
  for (const { fieldName, arguments: args } of cache.inspectFields(entity))
    if (names.includes(fieldName)) cache.invalidate(entity, fieldName, args);
}

/** Edits every page of a zone's records that the cache holds. */
function editPages(cache: Cache, domain: Entity, edit: (records: readonly string[]) => string[]): void {
  for (const { fieldName, arguments: args } of cache.inspectFields(domain)) {
    const page = fieldName === "records" ? (cache.resolve(domain, fieldName, args) as string | null) : null;
    if (page) cache.link(page, "nodes", edit(cache.resolve(page, "nodes") as string[]));
  }
}

/** A client for one API key; `onRejected` is called when the key is not, or no longer, valid. */
export function createClient(key: string, onRejected: () => void): Client {
  const watchKey = mapExchange({
    onError(error) {
      if (reasonsOf(error).some(({ code }) => code === "UNAUTHENTICATED")) onRejected();
    },
  });
  return new Client({
    url: "/graphql",
    exchanges: [watchKey, cache(), fetchExchange],
    fetchSubscriptions: true,
    fetchOptions: { headers: { "X-API-Key": key } },
  });
}
