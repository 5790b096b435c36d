/**
 * What the pages of keys ask of the service.
 */
import { infiniteQueryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { ApiKeyListQuery, TsigKeyListQuery } from "../api/generated/graphql.ts";
import { paged } from "../api/pages.ts";
import { run } from "../api/run.ts";

const apiKeyList = graphql(`
  query ApiKeyList($after: String) {
    apiKeys(first: 100, after: $after) {
      nodes {
        id name fingerprint readOnly zones
        user { id email }
        createdAt expiresAt revokedAt lastUsedAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedKey = NonNullable<ApiKeyListQuery["apiKeys"]>["nodes"][number];

export const apiKeysOptions = infiniteQueryOptions({
  queryKey: ["api-keys"],
  ...paged,
  queryFn: async ({ pageParam, signal }) => (await run(apiKeyList, { after: pageParam }, signal)).apiKeys,
});

const tsigKeyList = graphql(`
  query TsigKeyList($after: String) {
    tsigKeys(first: 100, after: $after) {
      nodes {
        id name algorithm zones owners types transfer
        user { id email }
        createdAt expiresAt revokedAt
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedTsigKey = NonNullable<TsigKeyListQuery["tsigKeys"]>["nodes"][number];

export const tsigKeysOptions = infiniteQueryOptions({
  queryKey: ["tsig-keys"],
  ...paged,
  queryFn: async ({ pageParam, signal }) => (await run(tsigKeyList, { after: pageParam }, signal)).tsigKeys,
});

export const isWorking = ({ revokedAt, expiresAt }: Pick<ListedKey, "revokedAt" | "expiresAt">, now: number) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);

/** The lifetimes of a new key to choose from, in days; empty for no end. */
export const lifetimes = [
  ["", "never"],
  ["7", "in 7 days"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
] as const;

/** The time so many days from now; undefined for no end. */
export const endIn = (days: string) =>
  days === "" ? undefined : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
