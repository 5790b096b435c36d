/**
 * What the pages of name servers ask of the service.
 */
import { queryOptions } from "@tanstack/react-query";
import { graphql } from "../api/generated/gql.ts";
import type { SecondaryListQuery, SecondaryServer } from "../api/generated/graphql.ts";
import { run } from "../api/run.ts";

const secondaryList = graphql(`
  query SecondaryList {
    secondaries(first: 200) {
      nodes {
        id name address port requiredForLive notify
        lastNotify { at message }
        lastQuery { at answer succeeded }
        joinedAt
        progress { served total firstAt lastAt }
        indirect allowUnsignedTransfer
        lastTransfer { at zone kind bytes durationMs }
        lastTsigError { at message }
        createdAt
        tsigKey { id name revokedAt expiresAt }
      }
    }
    catalog {
      zone serial memberCount
      publication {
        state
        secondaries { state name isJoining }
      }
    }
    service { dnsAddress dnsPort }
    instances { host pid version startedAt seenAt isAlive isLeader }
  }
`);

export type Instance = NonNullable<SecondaryListQuery["instances"]>[number];
export type ListedSecondary = NonNullable<SecondaryListQuery["secondaries"]>["nodes"][number];

/** How often what the servers answered is read again while it is shown, ms. */
const observedMs = 5000;

export const secondariesOptions = queryOptions({
  queryKey: ["secondaries"],
  queryFn: ({ signal }) => run(secondaryList, {}, signal),
  refetchInterval: observedMs,
});

const configurationQuery = graphql(`
  query Configuration($id: ID!, $server: SecondaryServer!, $primaries: [String!]) {
    secondaryConfig(by: { id: $id }, server: $server, primaries: $primaries)
  }
`);

/** `primaries` are addresses with blanks or commas between; none for those that the instances listen on. */
export const configurationOptions = (id: string, server: SecondaryServer, primaries: string) =>
  queryOptions({
    queryKey: ["configuration", id, server, primaries],
    queryFn: async ({ signal }) =>
      (await run(configurationQuery, { id, server, primaries: primaries.match(/[^\s,]+/g) ?? [] }, signal))
        .secondaryConfig,
    // It holds the secret of a key, which is not to stay in memory.
    gcTime: 0,
    retry: false,
  });

const behindQuery = graphql(`
  query Behind($id: ID!) {
    secondary(by: { id: $id }) {
      behind(first: 20) {
        totalCount
        nodes {
          id zone zoneUnicode serial
          publication { secondaries { serial lastError name } }
        }
      }
    }
  }
`);

/** The zones that a server was not seen to serve as they are committed: the first of them, and how many there are. */
export const behindOptions = (id: string) =>
  queryOptions({
    queryKey: ["behind", id],
    queryFn: async ({ signal }) => (await run(behindQuery, { id }, signal)).secondary?.behind,
    refetchInterval: observedMs,
  });
