/** The queries of deleted zones. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AuthorFragment, DeletedDomainFilter, DeletedZoneFragment } from "../../api/generated/graphql.ts";
import { noPage, paged } from "../../api/pages.ts";
import { graphql, run } from "../../api/run.ts";

graphql(`
  fragment DeletedZone on DeletedDomain {
    domainId zone zoneUnicode serial deletedAt
    user { id email }
    changes(first: 1) { nodes { ...Author } }
  }
`);

export type DeletedZone = DeletedZoneFragment;

/** The change that deleted a zone: the newest of its journal; undefined when that is not kept any more. */
export const deletionOf = ({ changes }: DeletedZone) => changes?.nodes.find(({ kind }) => kind === "DELETE");

const deletedZones = graphql(`
  query DeletedZones($filter: DeletedDomainFilter, $after: String) {
    deletedDomains(filter: $filter, first: 100, after: $after) {
      nodes { ...DeletedZone }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const readZones = async (filter: DeletedDomainFilter, signal: AbortSignal, after: string | null = null) =>
  (await run(deletedZones, { filter, after }, signal)).deletedDomains ?? noPage;

/** The deleted zones, those deleted last first. */
export const deletedZonesOptions = (part: string) =>
  infiniteQueryOptions({
    queryKey: ["deleted-zones", part],
    ...paged,
    queryFn: ({ pageParam, signal }) => readZones(part === "" ? {} : { zoneContains: part }, signal, pageParam),
  });

/** The zone of a name that was deleted last; null when there is none, or it is back. */
export const formerZoneOptions = (zone: string) =>
  queryOptions({
    queryKey: ["deleted-zones", "of", zone],
    queryFn: async ({ signal }) => {
      const name = zone.toLowerCase().replace(/\.$/, "");
      const { nodes } = await readZones({ zoneContains: name }, signal);
      return nodes.find((each) => [each.zone, each.zoneUnicode].includes(name)) ?? null;
    },
  });

type Deletion = Pick<AuthorFragment, "id" | "serial" | "createdAt"> & { readonly zone: string };

/** The zone that a change deleted; null when it is back already. */
export const deletedZoneOptions = ({ id, zone, serial, createdAt }: Deletion) =>
  queryOptions({
    queryKey: ["deleted-zone", id],
    queryFn: async ({ signal }) => {
      const { nodes } = await readZones({ zoneContains: zone, deletedSince: createdAt }, signal);
      // The name may have been deleted again since, then at a later serial.
      return nodes.find((deleted) => deleted.zone === zone && deleted.serial === serial) ?? null;
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
