/**
 * The cache of queries. A query without an answer is sent again after the waits of waits.ts, and its earlier data stays. Once
 * connection.ts has reached the service, everything that is shown is read again.
 */
import { QueryClient } from "@tanstack/react-query";
import { connectionLostSince, onConnection } from "./connection.ts";
import { Refused, Unreachable } from "./refused.ts";
import { waitMs } from "./waits.ts";

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
