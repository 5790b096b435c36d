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
        id
        name
        address
        port
        requiredForLive
        notify
        notifiedAt
        notifyAnswer
        queriedAt
        queryAnswer
        indirect
        allowUnsignedTransfer
        transferredAt
        transferKind
        transferBytes
        transferMs
        transferZone
        tsigError
        tsigErrorAt
        createdAt
        tsigKey {
          id
          name
          revokedAt
          expiresAt
        }
      }
    }
    catalog {
      zone
      serial
      memberCount
      publication {
        state
        secondaries {
          state
          secondary {
            name
          }
        }
      }
    }
    service {
      dnsAddress
      dnsPort
    }
  }
`);

export type ListedSecondary = NonNullable<SecondaryListQuery["secondaries"]>["nodes"][number];

/** How often what the servers answered is read again while it is shown, ms. */
const observedMs = 5000;

export const secondariesOptions = queryOptions({
  queryKey: ["secondaries"],
  queryFn: ({ signal }) => run(secondaryList, {}, signal),
  refetchInterval: observedMs,
});

const stanzaQuery = graphql(`
  query Stanza($id: ID!, $server: SecondaryServer!, $primary: String) {
    secondaryConfig(secondaryId: $id, server: $server, primary: $primary)
  }
`);

export const stanzaOptions = (id: string, server: SecondaryServer, primary: string) =>
  queryOptions({
    queryKey: ["stanza", id, server, primary],
    queryFn: async ({ signal }) =>
      (await run(stanzaQuery, { id, server, primary: primary === "" ? null : primary }, signal)).secondaryConfig,
    // It holds the secret of a key, which is not to stay in memory.
    gcTime: 0,
    retry: false,
  });

const behindQuery = graphql(`
  query ZonesBehind($state: PublicationState!) {
    domains(filter: { state: $state }, first: 100) {
      nodes {
        id
        zone
        zoneUnicode
        publication {
          state
          serial
          secondaries {
            state
            serial
            lastError
            secondary {
              name
            }
          }
        }
      }
    }
  }
`);

/** The zones that are late or pending; a page shows those that its server is behind with. */
export const behindOptions = queryOptions({
  queryKey: ["zones-behind"],
  queryFn: async ({ signal }) => {
    const [late, pending] = await Promise.all([
      run(behindQuery, { state: "LATE" }, signal),
      run(behindQuery, { state: "PENDING" }, signal),
    ]);
    return [...(late.domains?.nodes ?? []), ...(pending.domains?.nodes ?? [])];
  },
  refetchInterval: observedMs,
});
