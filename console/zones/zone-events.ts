/**
 * Follows one zone while its page is shown: its serial and publication come as they change.
 */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { follow } from "../api/events.ts";
import { graphql } from "../api/generated/gql.ts";
import { type ShownZone, zoneOptions } from "../api/zone.ts";

const followed = graphql(`
  subscription ZonePageFollowed($zone: String!) {
    domainChanged(zone: $zone, eachSecondary: true) {
      domain {
        id
        serial
        user {
          id
          email
        }
      }
      publication {
        ...ZonePublication
      }
    }
  }
`);

export function useZoneEvents(zone: string, onFollowing: (isFollowing: boolean) => void): void {
  const queries = useQueryClient();
  useEffect(() => {
    const { queryKey } = zoneOptions(zone);
    return follow(
      followed,
      { zone },
      {
        onEvent: ({ domainChanged: { domain, publication } }) => {
          queries.setQueryData<ShownZone>(queryKey, (shown) =>
            shown && domain ? { ...shown, ...domain, publication } : undefined,
          );
          void queries.invalidateQueries({ queryKey: ["history"] });
        },
        onFollowing: (follows) => {
          onFollowing(follows);
          // Events may be missed meanwhile, and a deletion ends the stream.
          if (!follows) void queries.invalidateQueries({ queryKey });
        },
      },
    );
  }, [queries, zone, onFollowing]);
}
