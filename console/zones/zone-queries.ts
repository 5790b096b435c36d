/**
 * What the pages of zones ask of the service, and how the events of all zones come into the list that is shown: a zone of it is changed in
 * place, or goes where it has left the state that the list is of, and what came is read again. What no event says, such as that zones are
 * late by now, the list reads by itself.
 */
import { type InfiniteData, infiniteQueryOptions } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { collected, follow } from "../api/events.ts";
import type {
  DomainFilter,
  DomainOrder,
  PublicationState,
  ZoneListFollowedSubscription,
  ZoneListQuery,
} from "../api/generated/graphql.ts";
import { noPage, paged } from "../api/pages.ts";
import { queries, readAgain, readOptions } from "../api/queries.ts";
import { graphql, run } from "../api/run.ts";
import { labelsOf, labelText } from "../labels/labels.tsx";
import { userIdOf } from "../users/user-field.tsx";

const zoneListQuery = graphql(`
  query ZoneList($filter: DomainFilter, $orderBy: DomainOrder!, $after: String) {
    domains(filter: $filter, orderBy: $orderBy, first: 100, after: $after) {
      nodes {
        id zone zoneUnicode serial
        labels { name value }
        user { id email }
        publication { state since secondaries { state name isJoining } }
        changes(first: 1) { nodes { id createdAt actor user { id email } appliedBy source note summary } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

export type ListedZone = NonNullable<ZoneListQuery["domains"]>["nodes"][number];

export interface ZoneSelection {
  readonly q?: string | undefined;
  /** A state, or those that the viewer edits. */
  readonly state?: PublicationState | "EDITED" | undefined;
  /** The e-mail address of the user who owns them. */
  readonly owner?: string | undefined;
  /** Labels, such as `env=prod team`; a zone has all of them. */
  readonly label?: string | undefined;
  readonly sort?: DomainOrder | undefined;
}

/** How often zones are counted, and those of one state listed, again, ms. */
const countsMs = 20_000;

/** `edited` are the zones that the viewer edits. */
export const zoneListOptions = ({ q, state, owner, label, sort }: ZoneSelection, edited: readonly string[]) =>
  infiniteQueryOptions({
    queryKey: ["zones", { q, state, owner, label, sort }, ...(state === "EDITED" ? edited : [])],
    ...paged,
    queryFn: async ({ pageParam, signal }) => {
      // An address that no user has selects no zone: 0 is the id of no user.
      const userId = owner && ((await userIdOf(owner, signal)) ?? "0");
      const filter: DomainFilter = {
        ...(q && { zoneContains: q }),
        ...(state === "EDITED" ? { zones: [...edited] } : state && { state }),
        ...(userId && { userId }),
        ...(label && { labels: labelsOf(label).map(labelText) }),
      };
      const { domains } = await run(zoneListQuery, { filter, orderBy: sort ?? "EXCEPTION", after: pageParam }, signal);
      return domains ?? noPage;
    },
    // A zone comes into a state, or leaves it, also without an event, as by the time alone.
    refetchInterval: state ? countsMs : false,
  });

const zoneCountsQuery = graphql(`
  query ZoneCounts {
    ALL: domains(first: 1) { totalCount }
    LIVE: domains(filter: { state: LIVE }, first: 1) { totalCount }
    LATE: domains(filter: { state: LATE }, first: 1) { totalCount }
    PENDING: domains(filter: { state: PENDING }, first: 1) { totalCount }
    UNSERVED: domains(filter: { state: UNSERVED }, first: 1) { totalCount }
    changes(first: 1) { nodes { createdAt } }
  }
`);

export const zoneCountsOptions = {
  ...readOptions(["zone-counts"], zoneCountsQuery, {}, ({ ALL, LIVE, LATE, PENDING, UNSERVED, changes }) => ({
    ALL: ALL?.totalCount,
    LIVE: LIVE?.totalCount,
    LATE: LATE?.totalCount,
    PENDING: PENDING?.totalCount,
    UNSERVED: UNSERVED?.totalCount,
    changedAt: changes?.nodes[0]?.createdAt,
  })),
  refetchInterval: countsMs,
};

const followed = graphql(`
  subscription ZoneListFollowed {
    domainChanged {
      domain { id serial }
      change { id createdAt actor user { id email } appliedBy source note summary kind }
      publication { state since secondaries { state name isJoining } }
    }
  }
`);

type Pages = InfiniteData<NonNullable<ZoneListQuery["domains"]>>;
type Event = ZoneListFollowedSubscription["domainChanged"];

/** How long events are collected before the list is read again, ms. */
const collectMs = 1000;
/** How long events are collected before zones are counted again by their states, ms. */
const countMs = 3000;

/** Whether a list of zones of a state holds one that is published so; whether the viewer edits a zone is in no event. */
const holds = (state: ZoneSelection["state"], publication: Event["publication"]) =>
  state === undefined || state === "EDITED" || state === publication.state;

/** The pages with what an event says; undefined when its zone is on none of them. `state` is that of the zones that they list, if it is one. */
function withEvent(pages: Pages, { domain, change, publication }: Event, state: ZoneSelection["state"]) {
  let isShown = false;
  const isListed = holds(state, publication);
  const nodesOf = (nodes: Pages["pages"][number]["nodes"]) =>
    nodes.flatMap((node) => {
      if (node.id !== domain?.id) return [node];
      isShown = true;
      return isListed ? [{ ...node, serial: domain.serial, publication, changes: { nodes: [change] } }] : [];
    });
  const changed = { ...pages, pages: pages.pages.map((page) => ({ ...page, nodes: nodesOf(page.nodes) })) };
  return isShown ? changed : undefined;
}

/** Follows all zones while a list of them is shown; returns whether the events come at present. */
export function useZoneListEvents(): boolean {
  const [isFollowing, setFollowing] = useState(true);
  useEffect(() => {
    const listing = collected(collectMs, () => readAgain("zones", "zone-counts"));
    const counting = collected(countMs, () => readAgain("zone-counts"));
    const take = (event: Event) => {
      let isMissing = event.change.kind !== "EDIT";
      for (const [queryKey, pages] of queries.getQueriesData<Pages>({ queryKey: ["zones"], type: "active" })) {
        const { state } = queryKey[1] as ZoneSelection;
        const changed = pages && withEvent(pages, event, state);
        if (changed) queries.setQueryData(queryKey, changed);
        else isMissing ||= state !== "EDITED" && holds(state, event.publication);
      }
      // A list that is not shown is read when it is.
      void queries.invalidateQueries({ queryKey: ["zones"], type: "inactive", refetchType: "none" });
      if (isMissing) listing.begin();
      else counting.begin();
    };
    const stop = follow(
      followed,
      {},
      {
        onEvent: ({ domainChanged }) => take(domainChanged),
        onFollowing: (follows) => {
          setFollowing(follows);
          // Events may be missed before it is open.
          if (follows) listing.begin();
        },
      },
    );
    return () => {
      stop();
      listing.stop();
      counting.stop();
    };
  }, []);
  return isFollowing;
}
