/** What the pages of name servers ask of the service. */
import { queryOptions } from "@tanstack/react-query";
import type { SecondaryListQuery } from "../api/generated/graphql.ts";
import { graphql, run } from "../api/run.ts";

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
    catalogs {
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

export type ListedSecondary = NonNullable<SecondaryListQuery["secondaries"]>["nodes"][number];

/** How often what the servers answered is read again while it is shown, ms. */
export const observedMs = 5000;

export const secondariesOptions = queryOptions({
  queryKey: ["secondaries"],
  queryFn: ({ signal }) => run(secondaryList, {}, signal),
  refetchInterval: observedMs,
});
