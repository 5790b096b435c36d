/**
 * The cache of what was read. A read that found no answer is not sent again by itself here: connection.ts waits for the service, and then
 * all that is shown is read again.
 */
import { QueryClient } from "@tanstack/react-query";
import { connectionLostSince, onConnection } from "../api/connection.ts";
import { Refused } from "../api/refused.ts";

/** Attempts after a refusal that passes with time. */
const maxAttempts = 3;

const passes = (error: unknown): error is Refused => error instanceof Refused && error.retryAfter !== undefined;

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      structuralSharing: false,
      networkMode: "always",
      staleTime: 5000,
      retry: (count, error) => count < maxAttempts && passes(error),
      retryDelay: (_count, error) => (passes(error) ? (error.retryAfter ?? 1) * 1000 : 1000),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

onConnection(() => {
  if (connectionLostSince() === undefined) void queries.invalidateQueries();
});
