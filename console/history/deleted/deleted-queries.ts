/**
 * The queries of deleted zones.
 */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { graphql } from "../../api/generated/gql.ts";
import type { DeletedZoneFragment } from "../../api/generated/graphql.ts";
import { noPage, paged } from "../../api/pages.ts";
import { run } from "../../api/run.ts";

graphql(`
  fragment DeletedZone on DeletedDomain {
    domainId zone zoneUnicode serial deletedAt
    user { id email }
    changes(first: 1) { nodes { ...Author } }
  }
`);

export type DeletedZone = DeletedZoneFragment;

const deletedZones = graphql(`
  query DeletedZoneList($zoneContains: String, $after: String) {
    deletedDomains(filter: { zoneContains: $zoneContains }, first: 100, after: $after) {
      nodes { ...DeletedZone }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

/** The deleted zones, those deleted last first. */
export const deletedZonesOptions = (part: string) =>
  infiniteQueryOptions({
    queryKey: ["deleted-zones", part],
    ...paged,
    queryFn: async ({ pageParam, signal }) =>
      (await run(deletedZones, { zoneContains: part === "" ? null : part, after: pageParam }, signal)).deletedDomains ??
      noPage,
  });

/** The zone of a name that was deleted last; null when there is none, or it is back. */
export const formerZoneOptions = (zone: string) =>
  queryOptions({
    queryKey: ["deleted-zones", "of", zone],
    queryFn: async ({ signal }) => {
      const name = zone.toLowerCase().replace(/\.$/, "");
      const { deletedDomains } = await run(deletedZones, { zoneContains: name, after: null }, signal);
      return deletedDomains?.nodes.find((each) => [each.zone, each.zoneUnicode].includes(name)) ?? null;
    },
  });

const deletedZone = graphql(`
  query DeletedZone($id: ID!) {
    zoneHistory(by: { id: $id }) { __typename zone ...DeletedZone }
  }
`);

/** A deleted zone, or the name of the restored zone. */
export const deletedDomainOptions = (id: string) =>
  queryOptions({
    queryKey: ["deleted-zones", "one", id],
    queryFn: async ({ signal }): Promise<{ readonly zone: DeletedZone } | { readonly living: string }> => {
      const { zoneHistory } = await run(deletedZone, { id }, signal);
      if (zoneHistory?.__typename === "Domain") return { living: zoneHistory.zone };
      return { zone: zoneHistory as DeletedZone };
    },
  });
