/**
 * The cache of queries, and their options. A query without an answer is sent again after the waits of connection.ts, and its earlier data
 * stays. Once that has reached the service, everything that is shown is read again.
 */
import { infiniteQueryOptions, QueryClient, queryOptions } from "@tanstack/react-query";
import { connectionLostSince, onConnection, waitMs } from "./connection.ts";
import type { TypedDocumentString } from "./generated/graphql.ts";
import { type Paged, paged } from "./pages.ts";
import { Refused, run, Unreachable } from "./run.ts";

/** Attempts after a refusal that passes with time. */
const maxAttempts = 3;

const passes = (error: unknown): error is Refused => error instanceof Refused && error.retryAfter !== undefined;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      structuralSharing: false,
      networkMode: "always",
      staleTime: 5000,
      retry: (count, error) => error instanceof Unreachable || (count < maxAttempts && passes(error)),
      retryDelay: (count, error) => (passes(error) ? (error.retryAfter ?? 1) * 1000 : waitMs(count)),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/** Marks queries as stale, by the first parts of their keys; those that are shown are read again at once. */
export function readAgain(...names: readonly string[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [name] });
}

onConnection(() => {
  if (connectionLostSince() === undefined) void queries.invalidateQueries();
});

type Key = readonly unknown[];

/** The options of a query: what of the data of an operation is kept, and under which key. */
export const readOptions = <Data, Variables, Kept>(
  queryKey: Key,
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  keep: (data: Data) => Kept,
) => queryOptions({ queryKey, queryFn: async ({ signal }) => keep(await run(document, variables, signal)) });

/** The same of a list that is read page by page. */
export const listOptions = <Data, Variables, Page extends Paged | null | undefined>(
  queryKey: Key,
  document: TypedDocumentString<Data, Variables & { readonly after?: string | null | undefined }>,
  variables: Omit<Variables, "after">,
  keep: (data: Data) => Page,
) =>
  infiniteQueryOptions({
    queryKey,
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      keep(await run(document, { ...variables, after: pageParam } as Variables & { after: string | null }, signal)),
  });
