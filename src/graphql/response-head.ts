/**
 * The head of a GraphQL response over HTTP: an operation that did not run has the status of its refusal, as a REST path
 * has; one that ran has 200. Whether a response may be stored is decided by http/server.ts alone.
 */
import type { ApolloServerPlugin } from "@apollo/server";
import { type Code, codes } from "../error-codes.ts";

/** The plugin of Apollo Server that sets it. */
export const responseHead: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { http, body } }) {
        http.headers.delete("cache-control");
        if (body.kind !== "single" || body.singleResult.data !== undefined || http.status !== 400) return;
        const code = body.singleResult.errors?.[0]?.extensions?.code;
        http.status = codes[code as Code]?.status ?? http.status;
      },
    };
  },
};
